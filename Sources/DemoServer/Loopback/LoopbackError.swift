/// An error that prevents the start of a loopback server.
package enum LoopbackError: Error, Hashable, Sendable {
    case cannotListen(reason: String)
    case noPort
    /// The folder cannot be read or contains no pictures.
    case noPictures(folder: String)
}

extension LoopbackError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .cannotListen(let reason): "no connection can be accepted on 127.0.0.1: \(reason)"
        case .noPort: "the system gave no port on 127.0.0.1"
        case .noPictures(let folder): "\(folder): no pictures to serve"
        }
    }
}
