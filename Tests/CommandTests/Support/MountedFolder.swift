import Foundation

/// A small file system in memory, unmounted when it goes.
final class MountedFolder: Sendable {
    let path: String

    /// Nil where mounting is not permitted; `options` as `mount -o` takes them.
    init?(at path: String, options: String) throws {
        self.path = path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard try Self.run("/bin/mount", ["-t", "tmpfs", "-o", options + ",mode=0700", "tmpfs", path]) == 0 else {
            return nil
        }
    }

    deinit { _ = try? Self.run("/bin/umount", ["-l", path]) }

    private static func run(_ tool: String, _ arguments: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: tool)
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
