/// The requests a second that a host takes, learned from when it says that they are too many; pure, its time comes from
/// outside.
///
/// As many pass as come until the host refuses some. From then on they come one by one, at first 0.7 times as many a
/// second as it had answered. The rate is back where it was after 5 s, stays near it for as long again, and grows ever
/// faster from there: `W(t) = Wmax (1 + 0.3 ((t - K) / K)³)`, the shape of CUBIC's window (RFC 9438, section 4.2) with
/// K = 5 s, whatever the rate. A minute without a refusal ends it.
///
/// Refusals may have another reason, as where some pictures are broken at their server, or where a server refuses every
/// first request. Where slowing down does not help (`SlownessTrial`) refusals mean nothing for 10 minutes.
struct LearnedPace: Sendable {
    private static let recovery = 5.0
    private static let life = Duration.seconds(60)
    private static let lateness = Duration.milliseconds(50)
    /// Requests a second that every host gets: refusals that say they are too many may lead to fewer than others, and while
    /// it is tested whether slowing down helps there are more, so that the test is short.
    private static let leastRate = (certain: 0.1, uncertain: 1.0, onTrial: 2.0)
    private static let misledTime = Duration.seconds(600)

    private struct Limit {
        /// What the rate never falls below.
        private let least: Double
        /// The rate that was too much.
        private(set) var ceiling: Double
        /// What it cannot have been more than.
        private let bound: Double
        /// From when on the rate grows.
        private(set) var moment: Duration
        /// When the next request may pass.
        private(set) var next = Duration.zero

        init(least: Double, answersPerSecond: Int, bound: Double, moment: Duration) {
            (self.least, self.bound, self.moment) = (least, bound, moment)
            ceiling = min(bound, max(1, Double(answersPerSecond)))
            next = moment + .seconds(1 / rate(at: moment))
        }

        /// Who is woken late has its time all the same.
        mutating func letOnePass(at now: Duration) { next = max(next, now - lateness) + .seconds(1 / rate(at: now)) }

        /// What was sent before was answered after all.
        mutating func noteLateAnswer() { ceiling = min(bound, ceiling + 1) }

        mutating func hold(until end: Duration) { (moment, next) = (max(moment, end), max(next, end)) }

        func rate(at now: Duration) -> Double {
            let phase = ((now - moment) / .seconds(1) - recovery) / recovery
            return max(least, ceiling * (1 + 0.3 * phase * phase * phase))
        }
    }

    private var limit: Limit?
    private var answered = RecentCount()
    private var refused = RecentCount()
    /// The test whether slowing down helps.
    private var trial: SlownessTrial?
    /// Until when refusals are taken to have another reason than too many requests, and whether that holds for 429 too.
    private var misled = (until: Duration.zero, isCertain: false)

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
    mutating func noteAnswer(sent: Duration, isRetry: Bool, at now: Duration) {
        answered.add(at: now)
        if let limit = live(at: now), sent < limit.moment { self.limit?.noteLateAnswer() }
        trial?.note(.answered, sent: sent, isRetry: isRetry)
    }

    /// Whether refusals are known to have another reason than too many requests.
    func isMisled(isCertain: Bool, at now: Duration) -> Bool { now < misled.until && (!isCertain || misled.isCertain) }

    /// The host has refused a request that was sent at a moment; false where that is no news.
    ///
    /// What was under way at the last refusal tells nothing new. Refusals that may have another reason than too many
    /// requests must be a tenth of what the host has answered lately, and at first three.
    mutating func noteRefusal(sent: Duration, isRetry: Bool, isCertain: Bool, at now: Duration) -> Bool {
        refused.add(at: now)
        let live = live(at: now)
        // What came since the limit ended was asked at full speed.
        if live == nil { trial = nil }
        trial?.note(.refused, sent: sent, isRetry: isRetry, isCertain: isCertain)
        if let trial, trial.isInVain {
            (misled, limit) = ((now + Self.misledTime, trial.isCertain), nil)
            self.trial = nil
        }
        guard !isMisled(isCertain: isCertain, at: now), self.live(at: now).map({ sent >= $0.moment }) ?? true,
            isCertain || areMany(refused.sum(at: now), isFirst: live == nil, at: now)
        else { return false }
        let running =
            trial
            ?? SlownessTrial(
                start: now, answered: answered.sum(at: now), refused: refused.sum(at: now), isCertain: isCertain)
        trial = running
        limit = Limit(
            least: leastRate(in: running, isCertain), answersPerSecond: answered.perSecond(at: now),
            bound: rate(at: now) ?? .infinity, moment: now)
        return true
    }

    private func leastRate(in trial: SlownessTrial, _ isCertain: Bool) -> Double {
        if trial.isUndecided { return Self.leastRate.onTrial }
        return isCertain ? Self.leastRate.certain : Self.leastRate.uncertain
    }

    /// No request passes before a moment; the rate grows from then on.
    mutating func hold(until end: Duration, at now: Duration) {
        if live(at: now) != nil { limit?.hold(until: end) }
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
