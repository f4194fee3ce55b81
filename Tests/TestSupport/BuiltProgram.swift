import Foundation

/// The program under test, as it was built.
public enum BuiltProgram {
    /// The package's folder.
    public static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// `$ALCEDO_BINARY`, else the debug build's; throws when there is none.
    public static func url() throws -> URL {
        let own = ProcessInfo.processInfo.environment["ALCEDO_BINARY"]
        return try own.map { try program(at: URL(filePath: $0)) } ?? url("alcedo")
    }

    /// Another program of the package, from the debug build; throws when there is none.
    public static func url(_ name: String) throws -> URL {
        try program(at: root.appending(path: ".build/debug/\(name)"))
    }

    private static func program(at url: URL) throws -> URL {
        guard FileManager.default.isExecutableFile(atPath: url.path) else { throw Missing(path: url.path) }
        return url
    }

    /// One of the pictures that ship with the program.
    public static func picture(_ name: String) -> URL { root.appending(path: "assets/pictures/\(name)") }

    public struct Missing: Error, CustomStringConvertible {
        public let path: String

        public var description: String { "no program at \(path); build it, or set ALCEDO_BINARY" }
    }
}
