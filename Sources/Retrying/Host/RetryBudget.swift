/// A limit on a host's retries as a share of its requests, over a sliding window.
///
/// By default the retries of the last 2 minutes may be 10 % of the requests, plus 10. The window moves in steps of
/// a 24th of its length. Times are counted from any fixed moment. A pure value: O(1) memory and time.
public struct RetryBudget: Sendable, Equatable {
    private struct Slot: Equatable {
        let number: Int64
        var requests = 0
        var retries = 0
    }

    private static let slotCount: Int64 = 24
    private let ratio: Double
    private let reserve: Int
    private let slotLength: Duration
    /// The parts of the window with requests or retries, the oldest first.
    private var slots: [Slot] = []

    /// Creates an unused budget; negative numbers and NaN count as 0.
    ///
    /// - Parameters:
    ///   - ratio: The allowed retries as a share of the requests in the window; 0.1 by default.
    ///   - reserve: The number of retries that are allowed in addition; 10 by default.
    ///   - window: The length of the window; 120 s by default and at least 24 ns.
    public init(ratio: Double = 0.1, reserve: Int = 10, window: Duration = .seconds(120)) {
        self.ratio = boundedSeconds(ratio, ceiling: 1e6)
        self.reserve = max(0, reserve)
        slotLength = max(window.clamped() / Self.slotCount, .nanoseconds(1))
    }

    /// Records a request that is not a retry.
    public mutating func recordRequest(at now: Duration) { slots[currentSlot(at: now)].requests += 1 }

    /// Withdraws one retry from the budget; returns false and changes nothing if none is left.
    public mutating func withdrawRetry(at now: Duration) -> Bool {
        guard retries(at: now) < allowance(at: now) else { return false }
        slots[currentSlot(at: now)].retries += 1
        return true
    }

    /// Returns a retry to the budget because the host answered it, so it did not burden the host.
    public mutating func refundRetry(at now: Duration) {
        let oldest = number(at: now) - Self.slotCount
        let newest = slots.lastIndex { $0.number >= oldest && $0.retries > 0 }
        if let newest { slots[newest].retries -= 1 }
    }

    /// Returns the number of retries in the window.
    public func retries(at now: Duration) -> Int { recentSlots(at: now).reduce(0) { $0 + $1.retries } }

    /// Returns the number of retries that the window's requests allow.
    public func allowance(at now: Duration) -> Int {
        let requests = recentSlots(at: now).reduce(0) { $0 + $1.requests }
        return Int(min(ratio * Double(requests) + Double(reserve), 1e18))
    }

    /// Returns whether the window contains no requests or retries.
    func isIdle(at now: Duration) -> Bool { recentSlots(at: now).isEmpty }

    private func recentSlots(at now: Duration) -> [Slot] {
        let oldest = number(at: now) - Self.slotCount
        return slots.filter { $0.number >= oldest }
    }

    private mutating func currentSlot(at now: Duration) -> Int {
        let number = max(number(at: now), slots.last?.number ?? 0)
        if slots.last?.number != number {
            // The oldest slot is only partly inside the window.
            slots.removeAll { $0.number < number - Self.slotCount }
            slots.append(Slot(number: number))
        }
        return slots.count - 1
    }

    private func number(at now: Duration) -> Int64 {
        Int64(min(now.clamped() / slotLength, 9e18))
    }
}

/// The recent outcomes of a host's retries; both counts are halved when their sum reaches 64.
struct RetryOutcomes: Sendable {
    private var answered = 0
    private var failed = 0

    mutating func record(isAnswered: Bool) {
        if isAnswered { answered += 1 } else { failed += 1 }
        if answered + failed >= 64 { (answered, failed) = (answered / 2, failed / 2) }
    }

    /// Whether retries usually help: at least four were answered, and at least a quarter of all.
    var areWorthwhile: Bool { answered >= 4 && 3 * answered >= failed }
}
