/// The requests a second that a host takes, learned from when it says that they are too many; pure, its time comes from
/// outside.
///
/// As many pass as come until the host refuses some. From then on they come one by one, at first 0.7 times as many a
/// second as it had answered. The rate is back where it was after 5 s, stays near it for as long again, and grows ever
/// faster from there: `W(t) = Wmax (1 + 0.3 ((t - K) / K)³)`, the shape of CUBIC's window (RFC 9438, section 4.2) with
/// K = 5 s, whatever the rate. A minute without a refusal ends it.
///
/// Refusals may have another reason, as where some pictures are broken at their server. Then what was refused is refused
/// again, however slowly it is asked for: the host is let alone with its pace from then on.
struct LearnedPace: Sendable {
    private static let recovery = 5.0
    private static let life = Duration.seconds(60)
    /// Where refusals may have another reason it must show before long.
    private static let leastRate = (certain: 0.1, uncertain: 1.0)
    /// So many that are refused again, and four times as many as are answered, have another reason.
    private static let vainRetries = 4

    private struct Limit {
        /// The rate that was too much.
        let ceiling: Double
        let least: Double
        let moment: Duration
        /// When the next request may pass.
        private(set) var next = Duration.zero

        init(ceiling: Double, least: Double, moment: Duration) {
            (self.ceiling, self.least, self.moment) = (ceiling, least, moment)
            letOnePass(at: moment)
        }

        mutating func letOnePass(at now: Duration) { next = now + .seconds(1 / rate(at: now)) }

        func rate(at now: Duration) -> Double {
            let phase = ((now - moment) / .seconds(1) - recovery) / recovery
            return max(least, ceiling * (1 + 0.3 * phase * phase * phase))
        }
    }

    private var limit: Limit?
    private var answered = RecentCount()
    private var refused = RecentCount()
    /// Retries since the limit began.
    private var retries = (answered: 0, refused: 0)
    /// Whether refusals that may have another reason have one.
    private var isMisled = false

    /// Requests a second now; nil for as many as come.
    func rate(at now: Duration) -> Double? { live(at: now)?.rate(at: now) }

    /// Lets a request pass; answers how long to wait where none may, and counts none then.
    mutating func takeOne(at now: Duration) -> Duration? {
        guard let live = live(at: now) else { return nil }
        guard live.next <= now else { return live.next - now }
        limit?.letOnePass(at: now)
        return nil
    }

    /// The host has answered a request.
    mutating func noteAnswer(isRetry: Bool, at now: Duration) {
        answered.add(at: now)
        if isRetry { retries.answered += 1 }
    }

    /// The host has refused a request that was sent at a moment; false where that is no news.
    ///
    /// What was under way at the last refusal tells nothing new. Refusals that may have another reason than too many
    /// requests must be a tenth of what the host has answered lately, and at first three.
    mutating func noteRefusal(sent: Duration, isRetry: Bool, isCertain: Bool, at now: Duration) -> Bool {
        refused.add(at: now)
        let live = live(at: now)
        if live == nil { retries = (0, 0) }
        guard isCertain || !isMisleading(isRetry: isRetry) else { return false }
        guard live.map({ sent >= $0.moment }) ?? true else { return false }
        guard isCertain || areMany(refused.sum(at: now), isFirst: live == nil, at: now) else { return false }
        let ceiling = min(live?.rate(at: now) ?? .infinity, max(1, Double(answered.perSecond(at: now))))
        let least = isCertain ? Self.leastRate.certain : Self.leastRate.uncertain
        limit = Limit(ceiling: ceiling, least: least, moment: now)
        return true
    }

    private mutating func isMisleading(isRetry: Bool) -> Bool {
        if isRetry, limit != nil { retries.refused += 1 }
        if retries.refused >= max(Self.vainRetries, 4 * retries.answered) { (isMisled, limit) = (true, nil) }
        return isMisled
    }

    private func areMany(_ refusals: Int, isFirst: Bool, at now: Duration) -> Bool {
        refusals >= (isFirst ? 3 : 1) && 10 * refusals >= answered.sum(at: now)
    }

    private func live(at now: Duration) -> Limit? { limit.flatMap { now - $0.moment < Self.life ? $0 : nil } }
}

/// How often something happened in this second and the one before.
private struct RecentCount: Sendable {
    private var second = Int64.min
    private var current = 0
    private var previous = 0

    mutating func add(at now: Duration) {
        move(to: now)
        current += 1
    }

    func sum(at now: Duration) -> Int {
        var copy = self
        copy.move(to: now)
        return copy.current + copy.previous
    }

    /// The more of the two, as the current second is not over.
    func perSecond(at now: Duration) -> Int {
        var copy = self
        copy.move(to: now)
        return max(copy.current, copy.previous)
    }

    private mutating func move(to now: Duration) {
        let newest = max(second, now.components.seconds)
        guard newest > second else { return }
        previous = second != .min && newest - second == 1 ? current : 0
        (second, current) = (newest, 0)
    }
}
