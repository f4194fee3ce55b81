import Dispatch
import Foundation
import Glibc
import Support

/// Running another program and collecting its output.
enum ProgramOutput {
    enum Problem: Error, Equatable {
        case cancelled
        case notStarted(String)
        /// The output exceeds the limit; the program was killed.
        case tooMuch
        /// The exit code is not 0, or a signal ended the program; the text is the first line of its error output.
        case failed(String)
    }

    /// Returns the program's standard output; a cancellation kills the program and its children.
    ///
    /// There is no shell, so the arguments are passed unchanged. The environment contains only `PATH`.
    static func read(_ executable: String, _ arguments: [String], limit: Int) async throws(Problem) -> Data {
        if Task.isCancelled { throw .cancelled }
        guard access(executable, X_OK) == 0 else { throw .notStarted(String(cString: strerror(errno))) }
        let (process, output, errors, end) = (Process(), Pipe(), Pipe(), DispatchSemaphore(value: 0))
        process.executableURL = URL(filePath: executable)
        process.arguments = arguments
        process.environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        process.terminationHandler = { _ in end.signal() }
        do { try process.run() } catch { throw .notStarted(error.localizedDescription) }
        let (data, words) = await withTaskCancellationHandler {
            async let words = onThread { beginning(of: errors.fileHandleForReading) }
            let data = await onThread {
                let data = try? output.fileHandleForReading.read(upToCount: min(limit, .max - 1) + 1)
                if let data, data.count > limit { killGroup(of: process) }
                end.wait()
                return data ?? Data()
            }
            return (data, await words)
        } onCancel: {
            killGroup(of: process)
        }
        if Task.isCancelled { throw .cancelled }
        guard data.count <= limit else { throw .tooMuch }
        guard process.terminationStatus == 0 else { throw .failed(firstLine(words)) }
        return data
    }

    /// Runs work that blocks on a thread of its own, as the threads of the concurrency runtime are few.
    private static func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: work()) }
        }
    }

    /// Returns the first 2,000 bytes, and reads the others so that the program can go on.
    private static func beginning(of file: FileHandle) -> Data {
        let data = try? file.read(upToCount: 2_000)
        while let more = try? file.read(upToCount: 64 << 10), !more.isEmpty {}
        return data ?? Data()
    }

    /// Kills the program and its children: `Process` starts a process group.
    private static func killGroup(of process: Process) {
        if process.isRunning { kill(-process.processIdentifier, SIGKILL) }
    }

    private static func firstLine(_ words: Data) -> String {
        let line = words.prefix { $0 != 10 }.prefix(300).map { (0x20..<0x7F).contains($0) ? $0 : 0x3F }
        return String(decoding: line, as: UTF8.self)
    }

    /// Returns the path of a program in one of the folders of `PATH`, or nil.
    static func search(_ name: String, in path: String? = ProcessInfo.processInfo.environment["PATH"]) -> String? {
        let folders = (path ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        return folders.map { "\($0)/\(name)" }.first { RegularFile.exists($0) && access($0, X_OK) == 0 }
    }
}
