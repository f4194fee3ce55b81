import Foundation
import Testing

/// A program of the system at work for a test; ended when nobody holds it any more.
final class Tool: Sendable {
    private let process = Process()
    private let outputFile: URL

    /// Starts it with its output in a file of the folder.
    init(_ path: String, _ arguments: [String], environment: [String: String], folder: URL) throws {
        outputFile = folder.appending(path: "tool-\(UUID().uuidString)")
        try Data().write(to: outputFile)
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.environment = environment
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: outputFile)
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit {
        // An X server takes its socket away at its end: the next one must not have begun by then.
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: outputFile)
    }

    var isRunning: Bool { process.isRunning }

    /// What it has said so far.
    var output: Data { (try? Data(contentsOf: outputFile)) ?? Data() }

    /// Runs a tool to its end, 20 s at most, and answers its output.
    static func run(
        _ path: String, _ arguments: [String], environment: [String: String], folder: URL
    ) async throws -> Data {
        let tool = try Tool("/usr/bin/timeout", ["20", path] + arguments, environment: environment, folder: folder)
        try await eventually("\(path) ends") { !tool.isRunning }
        return tool.output
    }
}
