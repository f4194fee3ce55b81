import Foundation

/// A folder of its own for one test, removed when nobody holds it any more.
public final class TemporaryFolder: Sendable {
    public let path: String

    /// - Parameter folder: The folder to make it in; that for temporary files by default.
    public init(in folder: URL? = nil) throws {
        let temporary = folder ?? FileManager.default.temporaryDirectory
        path = temporary.appending(path: "alcedo-test-\(UUID().uuidString)").path(percentEncoded: false)
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    public var url: URL { URL(filePath: path, directoryHint: .isDirectory) }

    /// The path of a file or folder in it.
    public static func / (folder: TemporaryFolder, name: String) -> String { folder.path + "/" + name }

    /// Writes a file, and the folders on the way to it; answers its path.
    @discardableResult
    public func write(_ name: String, _ bytes: some Sequence<UInt8> = []) throws -> String {
        let file = URL(filePath: self / name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        return self / name
    }

    public func read(_ name: String) throws -> String { try String(contentsOfFile: self / name, encoding: .utf8) }

    /// Every plain file below, by its path from here.
    public func files() -> [String] {
        let all = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return all.filter { name in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: self / name, isDirectory: &isFolder) && !isFolder.boolValue
        }
    }
}
