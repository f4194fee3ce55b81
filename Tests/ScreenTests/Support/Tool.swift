import Foundation
import TestSupport
import Testing

/// A program of the system at work for a test, its output in a file.
final class Tool: Sendable {
    private let child: Child
    private let outputFile: URL

    init(_ command: [String], environment: [String: String], folder: URL) throws {
        outputFile = folder.appending(path: "tool-\(UUID().uuidString)")
        try Data().write(to: outputFile)
        child = try Child(command, environment: environment, path: outputFile.path, errors: "/dev/null")
    }

    var isRunning: Bool { child.status == nil }

    /// What it has said so far.
    var output: Data { (try? Data(contentsOf: outputFile)) ?? Data() }

    func end() { child.send(SIGTERM) }

    /// Runs a tool to its end, 20 s at most, and answers its output.
    static func run(_ command: [String], environment: [String: String], folder: URL) async throws -> Data {
        let tool = try Tool(["/usr/bin/timeout", "20"] + command, environment: environment, folder: folder)
        try await eventually("\(command[0]) ends") { !tool.isRunning }
        return tool.output
    }
}
