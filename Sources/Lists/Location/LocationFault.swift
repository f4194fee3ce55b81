/// What is wrong with a location.
enum LocationFault: Error, Hashable {
    case empty, control, space, noSlashes, noHost, host, port, escape, remoteFile, relativeFile, dataWithoutComma
    case text, buried, second
    case scheme(String)
}

extension LocationFault: CustomStringConvertible {
    var description: String {
        switch self {
        case .empty: "no URL and no path"
        case .control: "a control character in it"
        case .space: "a space in a URL; write it as %20"
        case .noSlashes: "two slashes are missing after the scheme"
        case .noHost: "a URL without a host"
        case .host: "a host name with characters that none can have"
        case .port: "a port that is not a number from 1 to 65535"
        case .escape: "a percent sign that is not followed by two digits of valid text"
        case .remoteFile: "a file URL that names another machine"
        case .relativeFile: "a file URL whose path does not begin with a slash"
        case .dataWithoutComma: "a data URL without its comma"
        case .text: "a text that is not valid UTF-8"
        case .second: "two addresses in a line; write a TAB between them"
        case .buried: "an address behind other text"
        case .scheme(let scheme): "the scheme \(scheme.prefix(20)) is not one of http, https, file, data"
        }
    }
}
