import Synchronization

/// The stores that run in the background, so that a shutdown can wait for them.
final class PendingStores: Sendable {
    private let state = Mutex((tasks: [Int: Task<Void, Never>](), last: 0))

    func add(_ store: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            state.last += 1
            let number = state.last
            state.tasks[number] = Task {
                await store()
                self.state.withLock { $0.tasks[number] = nil }
            }
        }
    }

    /// Waits until all stores added before are done.
    func finish() async {
        for task in state.withLock({ Array($0.tasks.values) }) { await task.value }
    }
}
