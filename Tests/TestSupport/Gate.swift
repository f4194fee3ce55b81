/// A door that stays shut until it is opened; waiting at an open one takes no time.
package actor Gate {
    private var isOpen = false
    private var arrived = 0
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    package init() {}

    /// Waits for the gate to open.
    package func pass() async {
        arrived += 1
        for watcher in watchers where watcher.count <= arrived { watcher.continuation.resume() }
        watchers.removeAll { $0.count <= arrived }
        if !isOpen { await withCheckedContinuation { waiters.append($0) } }
    }

    /// Waits until so many have come to the gate, since it was made.
    package func untilArrived(_ count: Int = 1) async {
        if arrived < count { await withCheckedContinuation { watchers.append((count, $0)) } }
    }

    package func open() {
        isOpen = true
        waiters.forEach { $0.resume() }
        waiters = []
    }
}
