/// Items that were asked for once more all at once, until each of them has come or failed again.
struct RetryRound: Sendable, Equatable {
    private var count: Int
    private var pending: Set<Int>
    private var failures = 0

    init(_ items: [Int]) {
        count = items.count
        pending = Set(items)
    }

    /// Forgets an item that was given up.
    mutating func drop(_ index: Int) {
        if pending.remove(index) != nil { count -= 1 }
    }

    /// Takes note of where an item stands now; what to say of the round when this was its last one.
    mutating func note(_ index: Int, _ kind: StatusTable.Kind) -> String? {
        guard kind.isDone, pending.remove(index) != nil else { return nil }
        if kind == .failed { failures += 1 }
        guard pending.isEmpty else { return nil }
        if count == 1 { return failures == 0 ? "it succeeded" : "it failed again" }
        let came = Units.count(count - failures)
        return failures == 0 ? "all \(came) succeeded" : "\(came) succeeded, \(Units.count(failures)) failed again"
    }
}
