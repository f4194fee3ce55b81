import Synchronization

/// What is known of each host: its retry budget, its circuit breaker, the pause it asked for and the pace it takes.
///
/// Each host is judged alone, so one that fails does not slow the others. The table forgets hosts of which nothing is
/// worth remembering as it grows.
public final class HostHealth: Sendable {
    /// The leave to make one request to a host, to be handed back with its outcome.
    public struct Permit: Sendable, Equatable {
        /// The host the request goes to.
        public let host: String
        /// Whether this request alone tests the host.
        public var isProbe: Bool { breakerPermit.isProbe }
        let breakerPermit: CircuitBreaker.Permit
        let isRetry: Bool
        let moment: Duration
    }

    fileprivate struct Table {
        var records: [String: HostRecord] = [:]
        var listeners: [Int: @Sendable (HostEvent) -> Void] = [:]
        var lastListener = 0
        var generator: any RandomNumberGenerator & Sendable
        var sweepCount = 256
    }

    /// Whether hosts get so many requests a second only.
    public let isPaced: Bool
    private let blank: HostRecord
    private let clock: RunClock
    private let table: Mutex<Table>

    /// A table of no hosts; each host met starts with a copy of `budget` and `breaker`.
    ///
    /// A host whose circuit has been open for `patience` without one success is given up: requests to it fail at once
    /// instead of waiting, while probes go on. No host gets more requests a second than `pace` gives; as many as come
    /// when nil, the default.
    public init(
        budget: RetryBudget = RetryBudget(), breaker: CircuitBreaker = CircuitBreaker(),
        patience: HostPatience = HostPatience(), pace: TokenBucket? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        random: RandomSource = { SystemRandomNumberGenerator() }
    ) {
        blank = HostRecord(budget: budget, breaker: breaker, patience: patience, pace: pace)
        isPaced = pace != nil
        self.clock = RunClock(clock)
        table = Mutex(Table(generator: random()))
    }

    /// How many hosts are remembered.
    public var hostCount: Int { table.withLock { $0.records.count } }

    /// What changes from now on, of all hosts; a stream of its own for each call.
    public func events() -> AsyncStream<HostEvent> {
        let (stream, sink) = AsyncStream<HostEvent>.makeStream()
        let observation = observe { sink.yield($0) }
        sink.onTermination = { _ in observation.end() }
        return stream
    }

    /// Calls the handler with each change, in order, before what led to it returns.
    ///
    /// It must return quickly and must not call back. It ends with the observation.
    public func observe(_ handler: @escaping @Sendable (HostEvent) -> Void) -> Observation {
        let listener = table.withLock { table in
            table.lastListener += 1
            table.listeners[table.lastListener] = handler
            return table.lastListener
        }
        return Observation { [weak self] in self?.table.withLock { $0.listeners[listener] = nil } }
    }

    /// Keeps a handler in its place until `end()`, or until nobody holds it.
    public final class Observation: Sendable {
        private let remove: @Sendable () -> Void

        init(remove: @escaping @Sendable () -> Void) { self.remove = remove }

        deinit { remove() }

        /// The handler is not called any more; harmless a second time.
        public func end() { remove() }
    }

    /// How the hosts stand, by name, that were parked or opened their circuit and did not answer since, or are slowed
    /// down: O(n log n).
    public func troubledHosts() -> [HostStanding] {
        let now = clock.now()
        return table.withLock { table in
            table.records.compactMap { host, record in
                record.isTroubled ? record.standing(of: host, at: now) : nil
            }
        }.sorted { $0.host < $1.host }
    }

    /// Lets a request to the host through and counts it.
    ///
    /// The pause is looked at first, then the circuit breaker, then the paces, then for a retry the budget; a rejected
    /// request costs nothing.
    public func admit(_ host: String, isRetry: Bool = false) throws(HostRejection) -> Permit {
        let now = clock.now()
        return try change(host) { record, _ throws(HostRejection) in
            Permit(
                host: host, breakerPermit: try record.admit(isRetry: isRetry, at: now), isRetry: isRetry, moment: now)
        }
    }

    /// Waits until a request to the host may start, and counts it.
    ///
    /// A retry beyond the budget waits for the outcome of those under way, for 2 s at most.
    /// Tells `onWait` each time why and how long it is going to wait; news of the host end a wait early. `isPatient` false
    /// waits for a host's pace only, not for one that is in trouble.
    /// - Throws: a `HostRejection` when nothing is waited for, or `CancellationError`.
    public func turn(
        at host: String, isRetry: Bool = false, isPatient: Bool = true,
        onWait: @Sendable (HostRejection) -> Void = { _ in }
    ) async throws -> Permit {
        var (isWaiting, budgetPauses) = (false, 0)
        defer { if isWaiting { change(host) { record, _ in record.waitingRetries -= 1 } } }
        while true {
            try Task.checkCancellation()
            let news = change(host) { record, _ in record.news }
            let seen = news.value
            do throws(HostRejection) {
                return try admit(host, isRetry: isRetry)
            } catch {
                // Retries under way may be answered, and then are no burden.
                if error == .retryBudgetExhausted, budgetPauses < Self.budgetPauseLimit,
                    change(host, { record, _ in record.retriesUnderWay > 0 })
                {
                    budgetPauses += 1
                    await wait(for: news, after: seen, atMost: Self.budgetPause)
                    continue
                }
                guard let delay = error.delay, isPatient || !error.isTrouble else { throw error }
                if isRetry, !isWaiting {
                    change(host) { record, _ in record.waitingRetries += 1 }
                    isWaiting = true
                }
                onWait(error)
                await wait(for: news, after: seen, atMost: delay)
            }
        }
    }

    /// When a retry beyond the budget asks again whether others have been answered, and how often: its host stands still
    /// meanwhile.
    private static let budgetPause = Duration.milliseconds(250)
    private static let budgetPauseLimit = 8

    /// Waits until one more request of a transfer that has its permit may go to the host: one that a redirect leads to.
    public func pace(at host: String) async throws(CancellationError) {
        while isPaced, let delay = change(host, { record, _ in record.takePace(at: clock.now()) }) {
            guard await clock.wait(until: clock.now() + delay) else { throw CancellationError() }
        }
    }

    private func wait(for news: Signal<Int>, after seen: Int, atMost delay: Duration) async {
        let (clock, end) = (clock, clock.now() + delay)
        _ = await interruptible(by: [{ await clock.wait(until: end) ? .timedOut : nil }]) {
            await news.first { $0 != seen }
        }
    }

    /// Takes in the outcome of a request that was let through.
    ///
    /// `isAnswer` says of a failure that the host answered, with an error: while its retries are answered, up to 64 such
    /// first requests in a row open no circuit.
    public func record(_ outcome: CircuitBreaker.Outcome, of permit: Permit, isAnswer: Bool = false) {
        let now = clock.now()
        tell(permit.host) { record, random in
            record.take(outcome, isAnswer: isAnswer, of: permit, at: now, using: &random)
        }
    }

    /// Takes in that the host refused a request as one too many: that is a failure, and from now on the host gets as many
    /// requests a second as it seems to take.
    ///
    /// Refusals that may have another reason (`isCertain` false) slow the host down once they are three, and a tenth of
    /// its answers. Where slowing down does not reduce the refusals, it ends. Requests that were under way together are
    /// one failure.
    public func recordRefusal(of permit: Permit, isCertain: Bool = true) {
        let now = clock.now()
        tell(permit.host) { record, random in
            record.takeRefusal(of: permit, isCertain: isCertain, at: now, using: &random)
        }
    }

    /// Lets no request to the host start for the time; a longer pause already begun stands.
    public func park(_ host: String, for pause: Duration) {
        let now = clock.now()
        tell(host) { record, _ in record.park(for: pause.clamped(), at: now) }
    }

    /// Ends a host's pause and lets its open circuit be tested by one request at once, as a user asks for.
    ///
    /// Nothing changes for a host that takes requests.
    public func probe(_ host: String) {
        let now = clock.now()
        let news = table.withLock { table -> Signal<Int>? in
            guard table.records[host] != nil else { return nil }
            return table.change(host, orNew: blank, at: now) { record, _ in
                record.allowProbe(at: now)
                return record.news
            }
        }
        news?.update { $0 &+= 1 }
    }

    /// How long no request to the host will be let through, 0 where one may start.
    public func pause(of host: String) -> Duration {
        let now = clock.now()
        return table.withLock { $0.records[host] }?.pause(at: now) ?? .zero
    }

    /// Changes a host's record and tells those who listen, and those who wait for the host.
    private func tell(
        _ host: String,
        _ body: @Sendable (inout HostRecord, inout any RandomNumberGenerator & Sendable) -> HostEvent.Change?
    ) {
        let now = clock.now()
        let news = table.withLock { table -> Signal<Int>? in
            let (change, news) = table.change(host, orNew: blank, at: now) { record, random in
                let before = record.breaker.state
                return (body(&record, &random), before == record.breaker.state ? nil : record.news)
            }
            // Told under the lock, so that everybody hears the changes in their order.
            if let change { table.listeners.values.forEach { $0(HostEvent(host: host, change: change)) } }
            return news
        }
        news?.update { $0 &+= 1 }
    }

    private func change<Result: Sendable, Failure: Error>(
        _ host: String,
        _ body: (inout HostRecord, inout any RandomNumberGenerator & Sendable) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let now = clock.now()
        return try table.withLock { table throws(Failure) in
            try table.change(host, orNew: blank, at: now, body)
        }
    }
}

extension HostHealth.Table {
    fileprivate mutating func change<Result, Failure: Error>(
        _ host: String, orNew blank: HostRecord, at now: Duration,
        _ body: (inout HostRecord, inout any RandomNumberGenerator & Sendable) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if records.count >= sweepCount { sweep(at: now) }
        return try body(&records[host, default: blank.fresh()], &generator)
    }

    private mutating func sweep(at now: Duration) {
        records = records.filter { !$0.value.isIdle(at: now) }
        // Doubling the mark keeps the cost of sweeping O(1) a request, however many hosts stay.
        sweepCount = max(256, records.count * 2)
    }
}
