import Foundation
import Glibc
import Support

/// Runs another program and collects what it writes.
enum ProgramOutput {
    enum Problem: Error, Equatable {
        case cancelled
        case notStarted(String)
        /// More than the limit; the program was killed.
        case tooMuch
        /// It ended with another code than 0, or by a signal; the text is the first line of its errors.
        case failed(String)
    }

    /// What the program writes to its standard output; a cancel kills it and its children.
    ///
    /// There is no shell between: arguments arrive as they are. Of the environment it gets `PATH` alone.
    static func read(_ executable: String, _ arguments: [String], limit: Int) async throws(Problem) -> Data {
        if Task.isCancelled { throw .cancelled }
        let program = try RunningProgram(executable, arguments)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Result<Data, Problem>, Never>) in
                // The reads block, and the tasks' own threads are few.
                Thread.detachNewThread { continuation.resume(returning: program.collect(limit: limit)) }
            }
        } onCancel: {
            program.kill()
        }
        if Task.isCancelled { throw .cancelled }
        return try result.get()
    }

    /// The path of a program in one of the folders of `PATH`.
    static func search(_ name: String, in path: String? = ProcessInfo.processInfo.environment["PATH"]) -> String? {
        let folders = (path ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        return folders.map { "\($0)/\(name)" }.first { RegularFile.exists($0) && access($0, X_OK) == 0 }
    }
}
