import Synchronization

/// A gate at which scripts wait until a test opens it for good.
package final class FaultGate: Sendable {
    private struct State {
        var isOpen = false
        var next = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Releases all current and future waiters.
    package func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until the gate is open or the task is cancelled.
    package func wait() async {
        let ticket = state.withLock { state in
            state.next += 1
            return state.next
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if !enter(ticket, continuation) { continuation.resume() }
            }
        } onCancel: {
            let continuation = state.withLock { $0.waiting.removeValue(forKey: ticket) }
            continuation?.resume()
        }
    }

    private func enter(_ ticket: Int, _ continuation: CheckedContinuation<Void, Never>) -> Bool {
        state.withLock { state in
            // Cancellation may have happened before the registration.
            if state.isOpen || Task.isCancelled { return false }
            state.waiting[ticket] = continuation
            return true
        }
    }
}
