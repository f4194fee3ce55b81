import GRDB

extension DatabaseQueue {
    /// Opens an index that somebody who is about to close it may still hold.
    static func patient(at path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        return try DatabaseQueue(path: path, configuration: configuration)
    }
}
