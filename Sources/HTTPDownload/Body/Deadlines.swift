import Synchronization

/// What ends a transfer before its time: the first of its deadlines that passes cancels its task, and says why.
///
/// A task for each deadline, racing with the transfer's, would cost more than a small transfer does.
final class Deadlines: Sendable {
    private struct State {
        var passed: DownloadError?
        var cancel: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// The deadline that passed first; nil while none has.
    var passed: DownloadError? { state.withLock(\.passed) }

    /// Ends the work, unless it is over.
    func pass(_ error: DownloadError) {
        state.withLock { state in
            if state.passed == nil { state.passed = error }
            return state.cancel
        }?()
    }

    /// Does the work in a task that deadlines end.
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
