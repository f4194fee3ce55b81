/// The prefetch progress of the whole list and its remaining time, shown while items load.
struct ListProgress: Sendable, Equatable {
    /// The time before progress is shown, and the time it stays after the end, in milliseconds.
    private static let delay = 300
    private static let linger = 1000
    /// The minimum time to measure a rate.
    private static let measured = 2000

    private var meter = RateMeter()
    private var start: Int?
    private var lastWork = 0

    /// Updates the number of finished items.
    mutating func update(done: Int, isWorking: Bool, at now: Int) {
        guard isWorking else {
            if let start, now - lastWork >= Self.linger || lastWork - start < Self.delay { self = ListProgress() }
            return
        }
        if start == nil { start = now }
        lastWork = now
        meter.add(RateMeter.Sample(milliseconds: now, bytes: 0, items: done))
    }

    /// Whether time alone changes the display although nothing is loading.
    var isEnding: Bool { start != nil }

    var isShown: Bool { start.map { lastWork - $0 >= Self.delay } ?? false }

    /// Returns the seconds until `pending` items are done, at the rate of the last 15 seconds.
    ///
    /// Nil if it is unknown or less than one second, because the last transfers may take much longer than the average.
    func secondsLeft(for pending: Int) -> Int? {
        guard let start, lastWork - start >= Self.measured, let rate = meter.items, rate > 0 else { return nil }
        let seconds = Double(pending) / rate
        return seconds < 1 ? nil : Int(min(1e9, seconds.rounded(.up)))
    }
}

extension BrowseState {
    /// The number of items that are still to be loaded.
    var pendingItems: Int { statuses.pendingCount - skippedCount }

    mutating func updateProgress() {
        let isWorking = statuses.hasActive
        guard options.prefetches, isWorking || progress.isEnding else { return }
        progress.update(done: statuses.count - pendingItems, isWorking: isWorking, at: now)
    }
}
