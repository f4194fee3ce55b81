/// What is remembered of one host: pure but for the signal that wakes those who wait for it.
struct HostRecord: Sendable {
    var budget: RetryBudget
    var breaker: CircuitBreaker
    private let patience: HostPatience
    /// Requests a second; nil for as many as one likes.
    private var pace: TokenBucket?
    /// Those that the host itself takes.
    private var learnedPace = LearnedPace()
    private var retryOutcomes = RetryOutcomes()
    /// Retries that wait for the host's turn.
    var waitingRetries = 0
    /// Retries of which is not known yet how they end.
    private(set) var retriesUnderWay = 0
    /// First requests in a row that it answered with an error although it answers retries.
    private var excusedFailures = 0
    private(set) var parkedUntil = Duration.zero
    private var firstRequest: Duration?
    /// Since when the circuit has been open without one success.
    private var openSince: Duration?
    /// Whether listeners were to hear of trouble and not yet of its end.
    private(set) var isTroubled = false
    /// What they heard of last: that the host is slowed down, or that it takes nothing.
    private var isSlownessTold = false
    private var isStopTold = false
    /// Counts what may end a wait.
    let news = Signal(0)

    init(budget: RetryBudget, breaker: CircuitBreaker, patience: HostPatience, pace: TokenBucket? = nil) {
        self.budget = budget
        self.breaker = breaker
        self.patience = patience
        self.pace = pace
    }

    /// A copy with a signal of its own.
    func fresh() -> HostRecord {
        HostRecord(budget: budget, breaker: breaker, patience: patience, pace: pace)
    }

    /// Whether it can be forgotten.
    func isIdle(at now: Duration) -> Bool {
        parkedUntil <= now && breaker.state == .closed(failures: 0) && budget.isIdle(at: now)
            && pace?.isFull(at: now) != false && learnedPace.rate(at: now) == nil && waitingRetries == 0
    }

    func pause(at now: Duration) -> Duration {
        switch breaker.state {
        case .closed: max(parkedUntil - now, .zero)
        case .open(let time), .halfOpen(let time): max(parkedUntil - now, time - now, .zero)
        }
    }

    func isGivenUp(at now: Duration) -> Bool { patienceLeft(at: now).map { $0 <= .zero } ?? false }

    /// Nil while the circuit is closed.
    private func patienceLeft(at now: Duration) -> Duration? {
        openSince.map { patience.patience(withHostKnownFor: $0 - (firstRequest ?? $0)) - (now - $0) }
    }

    mutating func admit(isRetry: Bool, at now: Duration) throws(HostRejection) -> CircuitBreaker.Permit {
        if parkedUntil > now { throw .parked(for: parkedUntil - now) }
        let before = (breaker, pace, learnedPace)
        do throws(HostRejection) {
            let permit = try admitToCircuit(isRetry: isRetry, at: now)
            if let wait = pace?.takeOne(at: now) { throw .paced(for: wait) }
            if let wait = learnedPace.takeOne(at: now) { throw .slowed(for: wait) }
            // What keeps the pace that the host takes is no burden on it.
            if isRetry, learnedPace.rate(at: now) == nil, !budget.takeRetry(at: now), !retryOutcomes.areWorthwhile {
                throw .retryBudgetExhausted
            }
            if isRetry { retriesUnderWay += 1 } else { budget.recordRequest(at: now) }
            firstRequest = firstRequest ?? now
            return permit
        } catch {
            (breaker, pace, learnedPace) = before
            throw error
        }
    }

    /// A retry that waits is the better probe: where first requests fail, and only they, it is answered.
    private mutating func admitToCircuit(
        isRetry: Bool, at now: Duration
    ) throws(HostRejection) -> CircuitBreaker.Permit {
        do throws(HostRejection) {
            guard isRetry || waitingRetries == 0 || breaker.state.isClosed else {
                throw .circuitOpen(for: max(pause(at: now), .seconds(1)))
            }
            return try breaker.admit(at: now)
        } catch {
            guard let left = patienceLeft(at: now), case .circuitOpen(let pause) = error else { throw error }
            throw left > .zero ? .circuitOpen(for: min(pause, left)) : .unavailable(since: now - (openSince ?? now))
        }
    }

    /// Takes a request out of the pace alone; answers how long to wait where there is none left.
    mutating func takePace(at now: Duration) -> Duration? { pace?.takeOne(at: now) }

    /// How many first requests in a row may fail while retries are answered: an outage would fail them all.
    private static let excusedLimit = 64

    /// Answers what there is to tell; `isAnswer` says that the host answered, be it with an error.
    mutating func take(
        _ outcome: CircuitBreaker.Outcome, isAnswer: Bool, of permit: HostHealth.Permit, at now: Duration,
        using random: inout some RandomNumberGenerator
    ) -> HostEvent.Change? {
        if outcome == .success {
            learnedPace.noteAnswer(sent: permit.moment, isRetry: permit.isRetry, at: now)
        }
        if permit.isRetry { endRetry(outcome, at: now) }
        let isExcused = outcome == .failure && isAnswer && excuses(permit)
        return judge(isExcused ? .neutral : outcome, of: permit, at: now, using: &random)
    }

    /// Whether a failure says nothing of the host, as that fails first requests and answers retries; it is counted then.
    private mutating func excuses(_ permit: HostHealth.Permit) -> Bool {
        guard !permit.isRetry, !permit.isProbe, retryOutcomes.areWorthwhile, excusedFailures < Self.excusedLimit else {
            return false
        }
        excusedFailures += 1
        return true
    }

    /// Those that it answers are no burden on it.
    private mutating func endRetry(_ outcome: CircuitBreaker.Outcome, at now: Duration) {
        // The record may have been forgotten meanwhile.
        retriesUnderWay = max(0, retriesUnderWay - 1)
        if outcome != .neutral { retryOutcomes.note(isAnswered: outcome == .success) }
        if outcome == .success { budget.putBackRetry(at: now) }
    }

    private mutating func judge(
        _ outcome: CircuitBreaker.Outcome, of permit: HostHealth.Permit, at now: Duration,
        using random: inout some RandomNumberGenerator
    ) -> HostEvent.Change? {
        let wasOpen = breaker.state.isOpen(at: now)
        breaker.record(outcome, of: permit.breakerPermit, at: now, using: &random)
        if outcome == .success { return recover(at: now) }
        guard case .open(let time) = breaker.state, outcome == .failure, !wasOpen else { return nil }
        openSince = openSince ?? now
        learnedPace.hold(until: time, at: now)
        (isTroubled, isStopTold) = (true, true)
        return isGivenUp(at: now) ? .givenUp : .circuitOpened(for: time - now)
    }

    /// Takes in that the host refused a request because of too many, or may have; answers what there is to tell.
    ///
    /// Those that were under way together are one failure.
    mutating func takeRefusal(
        of permit: HostHealth.Permit, isCertain: Bool, at now: Duration, using random: inout some RandomNumberGenerator
    ) -> HostEvent.Change? {
        let wasSlowed = learnedPace.rate(at: now) != nil
        let isNews = learnedPace.noteRefusal(
            sent: permit.moment, isRetry: permit.isRetry, isCertain: isCertain, at: now)
        // In an outage retries are refused too.
        let isHarmless = !permit.isRetry && learnedPace.isMisled(isCertain: isCertain, at: now)
        let isFailure = permit.isProbe || !isHarmless && (isNews || !wasSlowed)
        if permit.isRetry { endRetry(.failure, at: now) }
        let change = judge(isFailure ? .failure : .neutral, of: permit, at: now, using: &random)
        guard change == nil, !isSlownessTold, let rate = learnedPace.rate(at: now) else { return change }
        return slow(to: rate)
    }

    mutating func park(for pause: Duration, at now: Duration) -> HostEvent.Change? {
        guard pause > .zero, now + pause > parkedUntil else { return nil }
        // Requests that were under way together are told the same.
        let isTold = parkedUntil > now && now + pause - parkedUntil < .seconds(1)
        parkedUntil = now + pause
        learnedPace.hold(until: parkedUntil, at: now)
        isTroubled = true
        if isTold { return nil }
        isStopTold = true
        return .parked(for: pause)
    }

    /// Ends the pause, so that one request may test the host now.
    mutating func allowProbe(at now: Duration) {
        parkedUntil = min(parkedUntil, now)
        breaker.allowProbe(at: now)
    }

    private mutating func slow(to rate: Double) -> HostEvent.Change {
        (isTroubled, isSlownessTold, isStopTold) = (true, true, false)
        return .slowed(requestsPerSecond: rate)
    }

    private mutating func recover(at now: Duration) -> HostEvent.Change? {
        (openSince, excusedFailures) = (nil, 0)
        guard isTroubled, parkedUntil <= now else { return nil }
        // It answers again, though slowly.
        if let rate = learnedPace.rate(at: now) { return isStopTold ? slow(to: rate) : nil }
        (isTroubled, isSlownessTold, isStopTold) = (false, false, false)
        return .resumed
    }

    func standing(of host: String, at now: Duration) -> HostStanding {
        HostStanding(
            host: host, pause: pause(at: now), isCircuitOpen: !breaker.state.isClosed, isGivenUp: isGivenUp(at: now),
            requestsPerSecond: learnedPace.rate(at: now),
            retriesTaken: budget.retries(at: now), retriesAllowed: budget.allowance(at: now))
    }
}

extension CircuitBreaker.State {
    fileprivate var isClosed: Bool { if case .closed = self { true } else { false } }

    fileprivate func isOpen(at now: Duration) -> Bool { if case .open = self { true } else { false } }
}
