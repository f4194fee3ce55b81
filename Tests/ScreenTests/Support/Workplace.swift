import Foundation

/// A private place to run the program in: a home, a cache and a folder of pictures, gone with it.
final class Workplace: Sendable {
    let folder: URL

    /// Makes three pictures of four colours each: `one.png`, `two.png` and `three.png`.
    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "alcedo-screen-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "pictures"), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        for (name, picture) in QuadrantPicture.all { try Data(picture.png).write(to: pictures.appending(path: name)) }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var pictures: URL { folder.appending(path: "pictures") }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: folder.appending(path: name))
        return path(name)
    }

    /// What the program is told of its surroundings.
    var environment: [String: String] {
        [
            "PATH": "/usr/bin:/bin", "HOME": folder.path, "ALCEDO_CACHE_DIR": path("cache"), "LANG": "C.UTF-8",
            "TERM": "xterm-256color", "SWIFT_BACKTRACE": "enable=no",
        ]
    }
}
