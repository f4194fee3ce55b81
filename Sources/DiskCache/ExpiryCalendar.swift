/// Which entries expire in which second, so that the expired ones are found without a look at the others.
///
/// Adding, moving and removing take O(1) time.
struct ExpiryCalendar {
    private var entries: [Int64: Set<Int>] = [:]
    /// Nothing expires before this second.
    private var first = Int64.max

    mutating func insert(_ entry: Int, at deadline: Duration) {
        let second = deadline.components.seconds
        first = min(first, second)
        entries[second, default: []].insert(entry)
    }

    mutating func remove(_ entry: Int, at deadline: Duration) {
        let second = deadline.components.seconds
        entries[second]?.remove(entry)
        if entries[second]?.isEmpty == true { entries[second] = nil }
    }

    mutating func move(_ entry: Int, from old: Duration?, to new: Duration?) {
        guard old?.components.seconds != new?.components.seconds else { return }
        if let old { remove(entry, at: old) }
        if let new { insert(entry, at: new) }
    }

    /// The entries of the seconds that have begun; those of the last one may have a part of it to live.
    ///
    /// Complexity: O(answered + seconds since the last call, or seconds that have entries, whichever are fewer).
    mutating func due(at now: Duration) -> [Int] {
        let second = now.components.seconds
        guard first <= second else { return [] }
        defer { first = entries.isEmpty ? .max : second }
        let (elapsed, isTooLong) = second.subtractingReportingOverflow(first)
        guard isTooLong || elapsed >= entries.count else {
            return (first...second).flatMap { entries[$0] ?? [] }
        }
        return entries.filter { $0.key <= second }.flatMap(\.value)
    }
}
