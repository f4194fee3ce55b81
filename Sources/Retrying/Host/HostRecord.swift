/// The state of one host: a pure value, except for the counter that wakes waiting requests.
struct HostRecord: Sendable {
    var budget: RetryBudget
    var breaker: CircuitBreaker
    private let waitLimit: HostWaitLimit
    /// The configured limit of requests per second; nil if there is none.
    private var pace: TokenBucket?
    /// The limit of requests per second that the host itself accepts.
    private var rateLimiter = AdaptiveRateLimiter()
    private var retryOutcomes = RetryOutcomes()
    /// The numbers of retries and of first requests that wait for admission.
    var waitingRetries = 0
    var waitingFirsts = 0
    /// The number of first requests that were probes since the last probe that was a retry.
    private var firstProbes = 0
    /// The number of retries in progress.
    private(set) var retriesUnderWay = 0
    /// The number of consecutive failures with a response that do not count against the host.
    private var excusedFailures = 0
    /// The number of failures with a response that followed a success of a first request, since the circuit opened.
    ///
    /// At the threshold the count stops: then single addresses fail, not the host.
    private var addressFailures = 0
    private var hasSucceededSinceFailure = false
    private(set) var parkedUntil = Duration.zero
    private var firstRequest: Duration?
    /// The time since which the circuit has been open without a success.
    private var openSince: Duration?
    /// Whether listeners were notified of trouble but not yet of its end.
    private(set) var isTroubled = false
    /// Whether the last notification was that the rate is limited, and whether it was that no requests pass.
    private var isRateLimitReported = false
    private var isPauseReported = false
    /// A counter of the changes that may end a wait.
    let changeCount = ObservableValue(0)

    init(budget: RetryBudget, breaker: CircuitBreaker, waitLimit: HostWaitLimit, pace: TokenBucket? = nil) {
        (self.budget, self.breaker, self.waitLimit, self.pace) = (budget, breaker, waitLimit, pace)
    }

    /// Returns a new record with the same settings and a counter of its own.
    func fresh() -> HostRecord {
        HostRecord(budget: budget, breaker: breaker, waitLimit: waitLimit, pace: pace)
    }

    /// Returns whether the record contains no state worth keeping.
    func isIdle(at now: Duration) -> Bool {
        parkedUntil <= now && breaker.state == .closed(failures: 0) && budget.isIdle(at: now)
            && pace?.isFull(at: now) != false && rateLimiter.rate(at: now) == nil && waitingRetries == 0
            && waitingFirsts == 0
    }

    func pause(at now: Duration) -> Duration {
        switch breaker.state {
        case .closed: max(parkedUntil - now, .zero)
        case .open(let time), .halfOpen(let time): max(parkedUntil - now, time - now, .zero)
        }
    }

    func isGivenUp(at now: Duration) -> Bool { remainingWait(at: now).map { $0 <= .zero } ?? false }

    /// Returns the rest of the time for which requests wait; nil while the circuit is closed.
    private func remainingWait(at now: Duration) -> Duration? {
        openSince.map { waitLimit.limit(forHostKnownFor: $0 - (firstRequest ?? $0)) - (now - $0) }
    }

    /// Admits a request.
    ///
    /// - Parameter ignoresFailures: Whether the request passes an open circuit, without being its probe, and is not
    ///   slowed down by refusals of others.
    mutating func admit(
        isRetry: Bool, ignoresFailures: Bool = false, at now: Duration
    ) throws(HostRejection) -> CircuitBreaker.Permit {
        if parkedUntil > now { throw .parked(for: parkedUntil - now) }
        let before = (breaker, pace, rateLimiter)
        do throws(HostRejection) {
            let permit = ignoresFailures ? .passing : try admitToCircuit(isRetry: isRetry, at: now)
            if let wait = pace?.tryAcquire(at: now) { throw .paced(for: wait) }
            if !ignoresFailures, let wait = rateLimiter.tryAcquire(at: now) { throw .slowed(for: wait) }
            // Retries within a learned rate limit and probes are no burden on the host, so the budget does not apply.
            if isRetry, !permit.isProbe, rateLimiter.rate(at: now) == nil, !budget.withdrawRetry(at: now),
                !retryOutcomes.areWorthwhile
            {
                throw .retryBudgetExhausted
            }
            if isRetry { retriesUnderWay += 1 } else { budget.recordRequest(at: now) }
            firstRequest = firstRequest ?? now
            if permit.isProbe { firstProbes = isRetry ? 0 : firstProbes + 1 }
            return permit
        } catch {
            (breaker, pace, rateLimiter) = before
            throw error
        }
    }

    /// Admits a request to the circuit.
    ///
    /// Every fourth probe is a retry while both kinds wait. First requests succeed where only some addresses fail;
    /// retries succeed where the host fails every first request.
    private mutating func admitToCircuit(
        isRetry: Bool, at now: Duration
    ) throws(HostRejection) -> CircuitBreaker.Permit {
        do throws(HostRejection) {
            let prefersRetry = firstProbes >= Self.firstProbesPerRetry
            let othersWait = (prefersRetry ? waitingRetries : waitingFirsts) > 0
            guard isRetry == prefersRetry || !othersWait || breaker.state.isClosed else {
                throw .circuitOpen(for: max(pause(at: now), .seconds(1)))
            }
            return try breaker.admit(at: now)
        } catch {
            guard let left = remainingWait(at: now), case .circuitOpen(let pause) = error else { throw error }
            throw left > .zero ? .circuitOpen(for: min(pause, left)) : .unavailable(since: now - (openSince ?? now))
        }
    }

    /// Counts a request against the configured pace only.
    ///
    /// - Returns: The time to wait if there is none left, or nil.
    mutating func tryAcquirePace(at now: Duration) -> Duration? { pace?.tryAcquire(at: now) }

    /// After this many consecutive excused failures, failures count again: the host itself may be down.
    private static let excusedLimit = 64
    private static let addressFailureThreshold = 4
    private static let firstProbesPerRetry = 3

    /// Records the outcome of a request.
    ///
    /// - Parameter isAnswer: Whether the host responded, if only with an error or with a part of the body.
    /// - Returns: The change to report to the listeners, or nil.
    mutating func record(
        _ outcome: CircuitBreaker.Outcome, isAnswer: Bool, of permit: HostHealth.Permit, at now: Duration,
        using random: inout some RandomNumberGenerator
    ) -> HostEvent.Change? {
        if outcome == .success {
            rateLimiter.recordAnswer(sent: permit.moment, isRetry: permit.comesAlone, at: now)
        }
        if permit.isRetry { finishRetry(outcome, at: now) }
        if isAnswer || outcome == .success { countAddressFailures(outcome, permit) }
        let isExcused = outcome == .failure && isAnswer && excuses(permit)
        return judge(isExcused ? .neutral : outcome, of: permit, isAnswer: isAnswer, at: now, using: &random)
    }

    /// Returns whether a failure is excused, and counts it then.
    ///
    /// Failures are excused if only single addresses fail, or if the host fails first requests but answers retries.
    private mutating func excuses(_ permit: HostHealth.Permit) -> Bool {
        let areOfAddresses = addressFailures >= Self.addressFailureThreshold
        guard !permit.isProbe, areOfAddresses || !permit.isRetry && retryOutcomes.areWorthwhile else { return false }
        guard excusedFailures < Self.excusedLimit else { return false }
        excusedFailures += 1
        return true
    }

    private mutating func countAddressFailures(_ outcome: CircuitBreaker.Outcome, _ permit: HostHealth.Permit) {
        if outcome == .success, !permit.isRetry { hasSucceededSinceFailure = true }
        guard outcome == .failure, hasSucceededSinceFailure else { return }
        hasSucceededSinceFailure = false
        addressFailures = min(addressFailures + 1, Self.addressFailureThreshold)
    }

    /// Records the end of a retry; an answered retry returns to the budget, because it did not burden the host.
    private mutating func finishRetry(_ outcome: CircuitBreaker.Outcome, at now: Duration) {
        // The record may have been removed and created again in the meantime.
        retriesUnderWay = max(0, retriesUnderWay - 1)
        if outcome != .neutral { retryOutcomes.record(isAnswered: outcome == .success) }
        if outcome == .success { budget.refundRetry(at: now) }
    }

    private mutating func judge(
        _ outcome: CircuitBreaker.Outcome, of permit: HostHealth.Permit, isAnswer: Bool = false, at now: Duration,
        using random: inout some RandomNumberGenerator
    ) -> HostEvent.Change? {
        let wasOpen = breaker.state.isOpen(at: now)
        // A host that was given up is tested less and less often, even if it answers.
        let isAnswer = isAnswer && !isGivenUp(at: now)
        breaker.record(outcome, of: permit.breakerPermit, isAnswer: isAnswer, at: now, using: &random)
        if outcome == .success { return recover(at: now) }
        guard case .open(let time) = breaker.state, outcome == .failure, !wasOpen else { return nil }
        openSince = openSince ?? now
        addressFailures = 0
        rateLimiter.pause(until: time, at: now)
        (isTroubled, isPauseReported) = (true, true)
        return isGivenUp(at: now) ? .givenUp : .circuitOpened(for: time - now)
    }

    /// Records a refusal whose reason is, or may be, that there are too many requests.
    ///
    /// Refusals of requests that were in progress together count as one failure.
    ///
    /// - Returns: The change to report to the listeners, or nil.
    mutating func recordRefusal(
        of permit: HostHealth.Permit, isCertain: Bool, at now: Duration, using random: inout some RandomNumberGenerator
    ) -> HostEvent.Change? {
        let wasSlowed = rateLimiter.rate(at: now) != nil
        let isNews = rateLimiter.recordRefusal(
            sent: permit.moment, isRetry: permit.comesAlone, isCertain: isCertain, at: now)
        // An outage refuses retries too, so only the refusal of a first request is harmless.
        let isHarmless = !permit.isRetry && rateLimiter.ignoresRefusals(isCertain: isCertain, at: now)
        let isFailure = permit.isProbe || !isHarmless && (isNews || !wasSlowed)
        if permit.isRetry { finishRetry(.failure, at: now) }
        let change = judge(isFailure ? .failure : .neutral, of: permit, at: now, using: &random)
        guard change == nil, !isRateLimitReported, let rate = rateLimiter.rate(at: now) else { return change }
        return slow(to: rate)
    }

    mutating func park(for pause: Duration, at now: Duration) -> HostEvent.Change? {
        guard pause > .zero, now + pause > parkedUntil else { return nil }
        // Requests that were in progress together receive nearly the same pause; it is reported once.
        let isReported = parkedUntil > now && now + pause - parkedUntil < .seconds(1)
        parkedUntil = now + pause
        rateLimiter.pause(until: parkedUntil, at: now)
        isTroubled = true
        if isReported { return nil }
        isPauseReported = true
        return .parked(for: pause)
    }

    /// Ends the pause, so that one request may test the host now.
    mutating func allowProbe(at now: Duration) {
        parkedUntil = min(parkedUntil, now)
        breaker.allowProbe(at: now)
        rateLimiter.allowOne(at: now)
    }

    private mutating func slow(to rate: Double) -> HostEvent.Change {
        (isTroubled, isRateLimitReported, isPauseReported) = (true, true, false)
        return .slowed(requestsPerSecond: rate)
    }

    private mutating func recover(at now: Duration) -> HostEvent.Change? {
        (openSince, excusedFailures) = (nil, 0)
        guard isTroubled, parkedUntil <= now else { return nil }
        // The host answers again, but its rate is still limited.
        if let rate = rateLimiter.rate(at: now) { return isPauseReported ? slow(to: rate) : nil }
        (isTroubled, isRateLimitReported, isPauseReported) = (false, false, false)
        return .resumed
    }

    func state(of host: String, at now: Duration) -> HostState {
        HostState(
            host: host, pause: pause(at: now), isCircuitOpen: !breaker.state.isClosed, isGivenUp: isGivenUp(at: now),
            requestsPerSecond: rateLimiter.rate(at: now),
            retriesUsed: budget.retries(at: now), retriesAllowed: budget.allowance(at: now))
    }
}

extension CircuitBreaker.State {
    fileprivate var isClosed: Bool { if case .closed = self { true } else { false } }

    fileprivate func isOpen(at now: Duration) -> Bool { if case .open = self { true } else { false } }
}

extension HostHealth.Permit {
    /// Whether the request is sent alone, as retries and probes are, so that the request rate does not explain its
    /// refusal.
    fileprivate var comesAlone: Bool { isRetry || isProbe }
}
