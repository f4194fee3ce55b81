import Synchronization

/// The deadlines of a transfer: the first one that passes cancels the transfer's task and records its error.
///
/// A separate task for each deadline would cost more than a small transfer.
final class Deadlines: Sendable {
    private struct State {
        var passed: DownloadError?
        var cancel: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// The error of the deadline that passed first; nil if none has passed.
    var passed: DownloadError? { state.withLock(\.passed) }

    /// Records a passed deadline and cancels the work if it still runs.
    func pass(_ error: DownloadError) {
        state.withLock { state in
            if state.passed == nil { state.passed = error }
            return state.cancel
        }?()
    }

    /// Runs the work in a task that a passed deadline cancels.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable () async throws(DownloadError) -> Value
    ) async throws(DownloadError) -> Value {
        let task = Task { () -> Result<Value, DownloadError> in
            do throws(DownloadError) {
                return .success(try await work())
            } catch {
                return .failure(error)
            }
        }
        let isOver = state.withLock { state in
            state.cancel = { task.cancel() }
            return state.passed != nil
        }
        if isOver { task.cancel() }
        return try await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }.get()
    }
}
