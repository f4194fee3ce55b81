import Foundation
import TestSupport

/// A program on its way, its output kept in files; it is killed when nobody holds it any more.
final class RunningProgram: Sendable {
    private let process: Process
    private let outputFile: URL
    private let errorFile: URL
    private let ending: AsyncStream<Void>
    // Its folder goes when nobody holds it.
    private let place: Workplace

    init(
        executable: URL, arguments: [String], environment: [String: String], place: Workplace, input: String
    ) throws {
        self.place = place
        let folder = place.folder
        let name = "run-\(UUID().uuidString)"
        let inputFile = folder.appending(path: "\(name).in")
        outputFile = folder.appending(path: "\(name).out")
        errorFile = folder.appending(path: "\(name).err")
        try Data(input.utf8).write(to: inputFile)
        try Data().write(to: outputFile)
        try Data().write(to: errorFile)
        let (ending, sink) = AsyncStream.makeStream(of: Void.self)
        self.ending = ending
        process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = environment
        process.currentDirectoryURL = folder
        process.standardInput = try FileHandle(forReadingFrom: inputFile)
        process.standardOutput = try FileHandle(forWritingTo: outputFile)
        process.standardError = try FileHandle(forWritingTo: errorFile)
        process.terminationHandler = { _ in sink.finish() }
        try process.run()
    }

    deinit { if process.isRunning { killGroup() } }

    var isRunning: Bool { process.isRunning }

    /// What has come on standard output so far.
    var output: String { (try? String(contentsOf: outputFile, encoding: .utf8)) ?? "" }

    /// The text on standard error so far.
    var errors: String { (try? String(contentsOf: errorFile, encoding: .utf8)) ?? "" }

    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// With all that it has started: `Process` begins a group, and what is left of it would keep the end from being told.
    private func killGroup() { kill(-process.processIdentifier, SIGKILL) }

    /// Waits for the end; a cancelled wait, as by a time limit, kills the program.
    func end() async throws -> ProgramResult {
        await withTaskCancellationHandler {
            for await _ in ending {}
        } onCancel: {
            killGroup()
        }
        process.waitUntilExit()
        let code = process.terminationStatus
        return ProgramResult(
            code: process.terminationReason == .exit ? code : -code, bytes: try Data(contentsOf: outputFile),
            errors: String(decoding: try Data(contentsOf: errorFile), as: UTF8.self))
    }
}
