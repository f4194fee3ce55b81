/// How far the whole list is fetched, and how long the rest takes, while anything is fetched.
struct ListProgress: Sendable, Equatable {
    /// Fetching shows once it has taken so long, and stays on show so long after it ended, in milliseconds.
    private static let delay = 300
    private static let linger = 1000
    /// Less time than this tells no rate.
    private static let measured = 2000

    private var meter = RateMeter()
    private var start: Int?
    private var lastWork = 0

    /// Takes how many items are done, and whether any is under way.
    mutating func note(done: Int, isWorking: Bool, at now: Int) {
        guard isWorking else {
            if let start, now - lastWork >= Self.linger || lastWork - start < Self.delay { self = ListProgress() }
            return
        }
        if start == nil { start = now }
        lastWork = now
        meter.add(RateMeter.Sample(milliseconds: now, bytes: 0, items: done))
    }

    /// Whether time alone changes what is shown, although nothing is under way.
    var isEnding: Bool { start != nil }

    var isShown: Bool { start.map { lastWork - $0 >= Self.delay } ?? false }

    /// Seconds until so many more items are done, at the rate of the last 15 seconds.
    ///
    /// Nil where that is not known, and where it is less than one: the last transfers may take much longer.
    func secondsLeft(for pending: Int) -> Int? {
        guard let start, lastWork - start >= Self.measured, let rate = meter.items, rate > 0 else { return nil }
        let seconds = Double(pending) / rate
        return seconds < 1 ? nil : Int(min(1e9, seconds.rounded(.up)))
    }
}

extension BrowseState {
    /// Items that are to be fetched and are not done.
    var pendingItems: Int { statuses.pendingCount - skippedCount }

    mutating func updateProgress() {
        let isWorking = statuses.hasActive
        guard options.prefetches, isWorking || progress.isEnding else { return }
        progress.note(done: statuses.count - pendingItems, isWorking: isWorking, at: now)
    }
}
