import Foundation

/// Where the entries come from: a list file, standard input, a folder, or one picture.
public enum ListSource: Hashable, Sendable {
    case file(String)
    case standardInput
    case folder(String)
    /// One URL or absolute picture path.
    case picture(String)

    /// Says what a command-line argument means.
    ///
    /// `-` is standard input, a URL is one picture, a folder is read recursively, a file that is a picture by its
    /// first bytes or its extension is one picture, and any other file is a list. `folder` is what a relative path
    /// starts from, by default the working folder.
    /// Throws ``ListError/missing(file:)`` and ``ListError/badLocation(argument:reason:)``.
    public static func recognise(
        _ argument: String, from folder: String = FileManager.default.currentDirectoryPath
    ) throws(ListError) -> ListSource {
        if argument == "-" { return .standardInput }
        let location = try resolve(argument, folder)
        guard location.hasPrefix("/") else { return .picture(location) }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: location, isDirectory: &isFolder) else {
            throw .missing(file: argument)
        }
        if isFolder.boolValue { return .folder((location as NSString).standardizingPath) }
        return PictureType.isPicture(path: location) ? .picture(location) : .file(location)
    }

    private static func resolve(_ argument: String, _ folder: String) throws(ListError) -> String {
        do {
            return try Location.resolve(argument, from: folder)
        } catch {
            throw .badLocation(argument: Redaction.display(argument), reason: error.description)
        }
    }

    /// What messages call it: the path, `standard input`, or the location without its secrets.
    public var name: String {
        switch self {
        case .file(let path), .folder(let path): path
        case .standardInput: "standard input"
        case .picture(let location): Redaction.display(location)
        }
    }
}
