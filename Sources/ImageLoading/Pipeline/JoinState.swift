/// Who waits for which work, purely: equal keys share one piece of work, which stops when nobody waits any more.
struct JoinState<Key: Hashable & Sendable>: Sendable {
    enum JoinAction: Equatable { case start, share }
    enum LeaveAction: Equatable { case none, cancel }

    private var waiters: [Key: [Int]] = [:]

    /// A waiter wants the work of a key.
    mutating func join(_ key: Key, waiter: Int) -> JoinAction {
        let isFirst = waiters[key] == nil
        waiters[key, default: []].append(waiter)
        return isFirst ? .start : .share
    }

    /// A waiter lost interest; the last one's going cancels the work and forgets the key, so that a newcomer starts
    /// afresh.
    mutating func leave(_ key: Key, waiter: Int) -> LeaveAction {
        guard let index = waiters[key]?.firstIndex(of: waiter) else { return .none }
        waiters[key]?.remove(at: index)
        guard waiters[key]?.isEmpty == true else { return .none }
        waiters[key] = nil
        return .cancel
    }

    /// How many wait for the work of a key.
    func waiterCount(for key: Key) -> Int { waiters[key]?.count ?? 0 }

    /// The work is done; answers who waited for it, in the order they came.
    mutating func finish(_ key: Key) -> [Int] { waiters.removeValue(forKey: key) ?? [] }
}
