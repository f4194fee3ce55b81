import Foundation

/// A private place to run the program in: a home, a cache and a working folder, gone with it.
public final class Workplace: Sendable {
    private let temporary: TemporaryFolder

    /// Makes the home, and the files by their names.
    ///
    /// Its path is short whatever `TMPDIR` is: screens cut long ones, and sockets have no room for them.
    public init(files: [String: [UInt8]] = [:]) throws {
        temporary = try TemporaryFolder(in: URL(filePath: "/tmp"))
        try FileManager.default.createDirectory(
            atPath: path("home"), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        for (name, bytes) in files { try temporary.write(name, bytes) }
    }

    public var folder: URL { temporary.url }

    public func path(_ name: String) -> String { temporary / name }

    /// Writes a file and answers its path.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String { try temporary.write(name, text.utf8) }

    @discardableResult
    public func write(_ data: Data, to name: String) throws -> String { try temporary.write(name, data) }

    public func read(_ name: String) throws -> String { try temporary.read(name) }

    /// What the program is told of its surroundings; no terminal.
    public var environment: [String: String] {
        [
            "PATH": "/usr/bin:/bin", "HOME": path("home"), "ALCEDO_CACHE_DIR": path("cache"), "LANG": "C.UTF-8",
            "SWIFT_BACKTRACE": "enable=no",
        ]
    }
}
