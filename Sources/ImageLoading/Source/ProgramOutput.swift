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
        let program = try RunningProgram(executable, arguments)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Result<Data, Problem>, Never>) in
                // The reads block, and the threads of the concurrency runtime are few.
                Thread.detachNewThread { continuation.resume(returning: program.collect(limit: limit)) }
            }
        } onCancel: {
            program.kill()
        }
        if Task.isCancelled { throw .cancelled }
        return try result.get()
    }

    /// Returns the path of a program in one of the folders of `PATH`, or nil.
    static func search(_ name: String, in path: String? = ProcessInfo.processInfo.environment["PATH"]) -> String? {
        let folders = (path ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        return folders.map { "\($0)/\(name)" }.first { RegularFile.exists($0) && access($0, X_OK) == 0 }
    }
}
