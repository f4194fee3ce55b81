/// The waiters of each piece of work: equal keys share work, which is cancelled when it has no more waiters.
struct CoalescingState<Key: Hashable & Sendable>: Sendable {
    enum JoinAction: Equatable { case start, share }
    enum LeaveAction: Equatable { case none, cancel }

    private var waiters: [Key: [Int]] = [:]

    /// Adds a waiter for the work of a key.
    mutating func join(_ key: Key, waiter: Int) -> JoinAction {
        let isFirst = waiters[key] == nil
        waiters[key, default: []].append(waiter)
        return isFirst ? .start : .share
    }

    /// Removes a waiter.
    ///
    /// If it was the last one, the work is to be cancelled and its key is removed, so that a later waiter starts new
    /// work.
    mutating func leave(_ key: Key, waiter: Int) -> LeaveAction {
        guard let index = waiters[key]?.firstIndex(of: waiter) else { return .none }
        waiters[key]?.remove(at: index)
        guard waiters[key]?.isEmpty == true else { return .none }
        waiters[key] = nil
        return .cancel
    }

    /// Returns the number of waiters for the work of a key.
    func waiterCount(for key: Key) -> Int { waiters[key]?.count ?? 0 }

    /// Removes finished work; returns its waiters in the order in which they joined.
    mutating func finish(_ key: Key) -> [Int] { waiters.removeValue(forKey: key) ?? [] }
}
