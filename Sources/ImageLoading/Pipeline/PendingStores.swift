import Synchronization

/// Stores that nobody waits for, so that an end can wait for them all.
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

    /// Returns when all that was added before is done.
    func finish() async {
        for task in state.withLock({ Array($0.tasks.values) }) { await task.value }
    }
}
