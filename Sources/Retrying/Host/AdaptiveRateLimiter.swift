/// A rate limit that is learned from the host's refusals; a pure value, with times as parameters.
///
/// There is no limit until the host refuses requests. From then on requests pass one by one, at first at 0.7 times the
/// rate at which the host answered before. The rate is back at the old value after 5 s, stays near it for another 5 s,
/// and then grows ever faster: `W(t) = Wmax (1 + 0.3 ((t - K) / K)³)`, the shape of CUBIC's window (RFC 9438, section
/// 4.2) with K = 5 s, whatever the rate. The limit ends after a minute without a refusal.
///
/// Refusals may have another reason, for example pictures that are broken on their server, or a server that refuses
/// every first request. If limiting the rate does not help (`ThrottlingExperiment`), refusals are ignored for 10
/// minutes.
struct AdaptiveRateLimiter: Sendable {
    private static let recovery = 5.0
    private static let life = Duration.seconds(60)
    private static let lateness = Duration.milliseconds(50)
    /// The minimum rates in requests per second, by the kind of refusal.
    ///
    /// Certain refusals allow the lowest rate. During an experiment the minimum is higher, so that it is short.
    private static let leastRate = (certain: 0.1, uncertain: 1.0, duringExperiment: 2.0)
    private static let ignoringTime = Duration.seconds(600)

    private struct Limit {
        /// The minimum rate.
        private let least: Double
        /// The rate in requests per second at which the host refused.
        private(set) var ceiling: Double
        /// The upper bound of `ceiling`: the limit that was in force at the refusal.
        private let bound: Double
        /// The time from which the rate grows.
        private(set) var moment: Duration
        /// The time from which the next request may pass.
        var next = Duration.zero

        init(least: Double, answersPerSecond: Int, bound: Double, moment: Duration) {
            (self.least, self.bound, self.moment) = (least, bound, moment)
            ceiling = min(bound, max(1, Double(answersPerSecond)))
            next = moment + .seconds(1 / rate(at: moment))
        }

        /// Schedules the next request; a request that is late by up to 50 ms does not delay the following ones.
        mutating func scheduleNext(at now: Duration) { next = max(next, now - lateness) + .seconds(1 / rate(at: now)) }

        /// Raises the rate after the answer to a request that was sent before the limit began.
        mutating func recordLateAnswer() { ceiling = min(bound, ceiling + 1) }

        mutating func pause(until end: Duration) { (moment, next) = (max(moment, end), max(next, end)) }

        func rate(at now: Duration) -> Double {
            let phase = ((now - moment) / .seconds(1) - recovery) / recovery
            return max(least, ceiling * (1 + 0.3 * phase * phase * phase))
        }
    }

    private var limit: Limit?
    private var answered = RecentCount()
    private var refused = RecentCount()
    /// The test of whether limiting the rate helps.
    private var experiment: ThrottlingExperiment?
    /// The end of the time in which refusals are ignored, and whether that includes certain ones (429).
    private var ignoring = (until: Duration.zero, isCertain: false)

    /// Returns the current limit in requests per second; nil if there is none.
    func rate(at now: Duration) -> Double? { live(at: now)?.rate(at: now) }

    /// Lets a request pass and counts it.
    ///
    /// - Returns: The time to wait if the request may not pass, or nil.
    mutating func tryAcquire(at now: Duration) -> Duration? {
        guard let live = live(at: now) else { return nil }
        guard live.next <= now else { return live.next - now }
        limit?.scheduleNext(at: now)
        return nil
    }

    /// Records that the host answered a request.
    mutating func recordAnswer(sent: Duration, isRetry: Bool, at now: Duration) {
        answered.add(at: now)
        if let limit = live(at: now), sent < limit.moment { self.limit?.recordLateAnswer() }
        experiment?.record(.answered, sent: sent, isRetry: isRetry)
    }

    /// Returns whether refusals are ignored because the rate of requests is not their reason.
    func ignoresRefusals(isCertain: Bool, at now: Duration) -> Bool {
        now < ignoring.until && (!isCertain || ignoring.isCertain)
    }

    /// Records that the host refused a request, and limits the rate if the refusal is new information.
    ///
    /// A refusal is not new if its request was sent before the current limit began. Uncertain refusals must also be at
    /// least a tenth as many as the recent answers, and at least three as long as there is no limit.
    ///
    /// - Returns: False if the refusal is ignored or not new.
    mutating func recordRefusal(sent: Duration, isRetry: Bool, isCertain: Bool, at now: Duration) -> Bool {
        refused.add(at: now)
        let live = live(at: now)
        // Requests since the end of the last limit were sent at full speed, so the experiment is over.
        if live == nil { experiment = nil }
        experiment?.record(.refused, sent: sent, isRetry: isRetry, isCertain: isCertain)
        if let experiment, experiment.isIneffective {
            (ignoring, limit) = ((now + Self.ignoringTime, experiment.isCertain), nil)
            self.experiment = nil
        }
        guard !ignoresRefusals(isCertain: isCertain, at: now), self.live(at: now).map({ sent >= $0.moment }) ?? true,
            isCertain || areMany(refused.sum(at: now), isFirst: live == nil, at: now)
        else { return false }
        let running =
            experiment
            ?? ThrottlingExperiment(
                start: now, answered: answered.sum(at: now), refused: refused.sum(at: now), isCertain: isCertain)
        experiment = running
        limit = Limit(
            least: leastRate(in: running, isCertain), answersPerSecond: answered.perSecond(at: now),
            bound: rate(at: now) ?? .infinity, moment: now)
        return true
    }

    private func leastRate(in experiment: ThrottlingExperiment, _ isCertain: Bool) -> Double {
        if experiment.isUndecided { return Self.leastRate.duringExperiment }
        return isCertain ? Self.leastRate.certain : Self.leastRate.uncertain
    }

    /// Stops requests until a time; the rate grows from that time on.
    mutating func pause(until end: Duration, at now: Duration) {
        if live(at: now) != nil { limit?.pause(until: end) }
    }

    /// Lets the next request pass at once.
    mutating func allowOne(at now: Duration) { limit.map { limit?.next = min($0.next, now) } }

    private func areMany(_ refusals: Int, isFirst: Bool, at now: Duration) -> Bool {
        refusals >= (isFirst ? 3 : 1) && 10 * refusals >= answered.sum(at: now)
    }

    private func live(at now: Duration) -> Limit? { limit.flatMap { now - $0.moment < Self.life ? $0 : nil } }
}

/// A count of events in the current and the previous second.
private struct RecentCount: Sendable {
    private var second = Int64.min
    private var current = 0
    private var previous = 0

    mutating func add(at now: Duration) {
        self = moved(to: now)
        current += 1
    }

    func sum(at now: Duration) -> Int {
        let moved = moved(to: now)
        return moved.current + moved.previous
    }

    /// Returns the higher count of the two seconds, because the current one is incomplete.
    func perSecond(at now: Duration) -> Int {
        let moved = moved(to: now)
        return max(moved.current, moved.previous)
    }

    private func moved(to now: Duration) -> RecentCount {
        let newest = max(second, now.components.seconds)
        guard newest > second else { return self }
        let isNext = second != .min && newest - second == 1
        return RecentCount(second: newest, previous: isNext ? current : 0)
    }
}
