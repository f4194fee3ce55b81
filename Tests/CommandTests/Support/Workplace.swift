import Foundation
import TestSupport

/// A private place to run the program in: a home, a cache and a working folder, gone with it.
final class Workplace: Sendable {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "alcedo-command-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "home"), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    /// Writes a file and answers its path.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String { try write(Data(text.utf8), to: name) }

    @discardableResult
    func write(_ data: Data, to name: String) throws -> String {
        try data.write(to: folder.appending(path: name))
        return path(name)
    }

    func read(_ name: String) throws -> String { try String(contentsOf: folder.appending(path: name), encoding: .utf8) }

    /// Runs the program to its end; a nil in the environment takes the variable away.
    func run(
        _ arguments: String..., input: String = "", environment: [String: String?] = [:]
    ) async throws -> ProgramResult {
        try await start(arguments, input: input, environment: environment).end()
    }

    /// Starts the program, or a shell that is given the program as `$0`.
    func start(
        _ arguments: [String], shell script: String? = nil, input: String = "", environment: [String: String?] = [:]
    ) throws -> RunningProgram {
        let program = try BuiltProgram.url()
        let command = script.map { ["-c", $0, program.path] } ?? []
        return try RunningProgram(
            executable: script == nil ? program : URL(filePath: "/bin/sh"), arguments: command + arguments,
            environment: self.environment.merging(environment) { _, new in new }.compactMapValues { $0 },
            place: self, input: input)
    }

    private var environment: [String: String?] {
        [
            "PATH": "/usr/bin:/bin", "HOME": path("home"), "ALCEDO_CACHE_DIR": path("cache"), "LANG": "C.UTF-8",
            "SWIFT_BACKTRACE": "enable=no",
        ]
    }
}
