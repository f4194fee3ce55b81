import Synchronization

/// The state of each host: its retry budget, circuit breaker, requested pause and rate limits.
///
/// Hosts are independent, so a failing one does not slow the others. As the table grows, it drops the hosts that have
/// no state worth keeping.
public final class HostHealth: Sendable {
    /// The permission for one request to a host, which is returned with its outcome.
    public struct Permit: Sendable, Equatable {
        /// The host of the request.
        public let host: String
        /// Whether this request is the probe that tests the host.
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

    /// Whether a configured pace limits the requests per second to each host.
    package let isPaced: Bool
    private let blank: HostRecord
    private let clock: RunClock
    private let table: Mutex<Table>

    /// Creates an empty table.
    ///
    /// - Parameters:
    ///   - budget: The initial retry budget of each host.
    ///   - breaker: The initial circuit breaker of each host.
    ///   - waitLimit: The time for which a circuit may be open without one success. After it, requests to the host
    ///     fail at once instead of waiting, while probes continue.
    ///   - pace: The limit of requests per second to each host; nil (no limit) by default.
    ///   - clock: The clock for all times.
    ///   - random: The source of randomness for jitter.
    public init(
        budget: RetryBudget = RetryBudget(), breaker: CircuitBreaker = CircuitBreaker(),
        waitLimit: HostWaitLimit = HostWaitLimit(), pace: TokenBucket? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        random: RandomSource = { SystemRandomNumberGenerator() }
    ) {
        blank = HostRecord(budget: budget, breaker: breaker, waitLimit: waitLimit, pace: pace)
        isPaced = pace != nil
        self.clock = RunClock(clock)
        table = Mutex(Table(generator: random()))
    }

    /// The number of hosts in the table.
    package var hostCount: Int { table.withLock { $0.records.count } }

    /// Returns a new stream of the changes of all hosts from now on.
    public func events() -> AsyncStream<HostEvent> {
        let (stream, sink) = AsyncStream<HostEvent>.makeStream()
        let observation = observe { sink.yield($0) }
        sink.onTermination = { _ in observation.cancel() }
        return stream
    }

    /// Calls the handler with each change, in order, before the method that caused the change returns.
    ///
    /// The handler must return quickly and must not call back into the table. It is removed with the observation.
    public func observe(_ handler: @escaping @Sendable (HostEvent) -> Void) -> Observation {
        let listener = table.withLock { table in
            table.lastListener += 1
            table.listeners[table.lastListener] = handler
            return table.lastListener
        }
        return Observation { [weak self] in self?.table.withLock { $0.listeners[listener] = nil } }
    }

    /// A registration of a handler until `cancel()` or deinitialization.
    public final class Observation: Sendable {
        private let remove: @Sendable () -> Void

        init(remove: @escaping @Sendable () -> Void) { self.remove = remove }

        deinit { remove() }

        /// Removes the handler; a second call does nothing.
        public func cancel() { remove() }
    }

    /// Returns the state of the troubled hosts, sorted by name: O(n log n).
    ///
    /// A host is troubled if it was parked or its circuit opened and it has not answered since, or if its rate is
    /// limited.
    public func troubledHosts() -> [HostState] {
        let now = clock.now()
        return table.withLock { table in
            table.records.compactMap { host, record in
                record.isTroubled ? record.state(of: host, at: now) : nil
            }
        }.sorted { $0.host < $1.host }
    }

    /// Admits a request to the host and counts it.
    ///
    /// The checks are, in order: the pause, the circuit breaker, the rate limits, and for a retry the budget. A
    /// rejected request costs nothing.
    ///
    /// - Parameter ignoresFailures: Whether failures of other requests, by an open circuit or a learned rate limit, do
    ///   not hold the request up; false by default.
    public func admit(
        _ host: String, isRetry: Bool = false, ignoresFailures: Bool = false
    ) throws(HostRejection) -> Permit {
        try change(host) { record, now, _ throws(HostRejection) in
            let breakerPermit = try record.admit(isRetry: isRetry, ignoresFailures: ignoresFailures, at: now)
            return Permit(host: host, breakerPermit: breakerPermit, isRetry: isRetry, moment: now)
        }
    }

    /// Waits until a request to the host may start, and counts it.
    ///
    /// A retry beyond the budget waits up to 2 s, because retries in progress may return to the budget. A change of the
    /// circuit breaker and `probe(_:)` end a wait early.
    ///
    /// - Parameters:
    ///   - host: The host, with its port if addresses contain one.
    ///   - isRetry: Whether the request is a retry.
    ///   - isPatient: False to wait only for a rate limit, not for a host in trouble.
    ///   - ignoresFailures: Whether failures of other requests, by an open circuit or a learned rate limit, do not
    ///     hold the request up; false by default.
    ///   - onWait: Called before each wait with its reason and length.
    ///   - isUrgent: Whether it comes first when a pause ends, asked then; true by default, others come a moment later.
    /// - Returns: The permission for the request.
    /// - Throws: A `HostRejection` if waiting does not help, or `CancellationError`.
    public func turn(
        at host: String, isRetry: Bool = false, isPatient: Bool = true, ignoresFailures: Bool = false,
        onWait: @Sendable (HostRejection) -> Void = { _ in }, isUrgent: @Sendable () -> Bool = { true }
    ) async throws -> Permit {
        var (isWaiting, budgetPauses) = (false, 0)
        func countWaiting(_ change: Int) {
            self.change(host) { record, _, _ in
                if isRetry { record.waitingRetries += change } else { record.waitingFirsts += change }
            }
        }
        defer { if isWaiting { countWaiting(-1) } }
        while true {
            try Task.checkCancellation()
            let news = change(host) { record, _, _ in record.changeCount }
            let seen = news.value
            do throws(HostRejection) {
                return try admit(host, isRetry: isRetry, ignoresFailures: ignoresFailures)
            } catch {
                // A retry in progress returns to the budget if the host answers it.
                if error == .retryBudgetExhausted, budgetPauses < Self.budgetPauseLimit,
                    change(host, { record, _, _ in record.retriesUnderWay > 0 })
                {
                    budgetPauses += 1
                    await wait(for: news, after: seen, atMost: Self.budgetPause)
                    continue
                }
                guard let delay = error.delay, isPatient || !error.isTrouble else { throw error }
                if !isWaiting {
                    countWaiting(1)
                    isWaiting = true
                }
                onWait(error)
                await wait(for: news, after: seen, atMost: delay)
                if error.isTrouble, !isUrgent() { await wait(for: news, after: news.value, atMost: Self.courtesy) }
            }
        }
    }

    /// How long others let an urgent request go first when a pause ends.
    private static let courtesy = Duration.milliseconds(50)

    /// How long a retry beyond the budget waits before it is tried again, and how often.
    private static let budgetPause = Duration.milliseconds(250)
    private static let budgetPauseLimit = 8

    /// Waits until the configured pace allows one more request of an admitted transfer, after a redirect to the
    /// host.
    public func pace(at host: String) async throws(CancellationError) {
        while isPaced, let delay = change(host, { record, now, _ in record.tryAcquirePace(at: now) }) {
            guard await clock.wait(until: clock.now() + delay) else { throw CancellationError() }
        }
    }

    private func wait(for news: ObservableValue<Int>, after seen: Int, atMost delay: Duration) async {
        let (clock, end) = (clock, clock.now() + delay)
        _ = await interruptible(by: [{ await clock.wait(until: end) ? .timedOut : nil }]) {
            await news.first { $0 != seen }
        }
    }

    /// Records the outcome of an admitted request.
    ///
    /// - Parameters:
    ///   - outcome: The outcome.
    ///   - permit: The permission for the request.
    ///   - isAnswer: Whether a failure is a response of the host: an error status, or a part of the body. Up to 64 such
    ///     failures in a row do not count in two cases: after failures and successes of first requests have alternated
    ///     four times, and while first requests fail but their retries succeed.
    public func record(_ outcome: CircuitBreaker.Outcome, of permit: Permit, isAnswer: Bool = false) {
        changeAndNotify(permit.host) { record, now, random in
            record.record(outcome, isAnswer: isAnswer, of: permit, at: now, using: &random)
        }
    }

    /// Records that the host refused a request because there were too many, and limits the rate to what the host seems
    /// to accept.
    ///
    /// A refusal is also a failure, but refusals of requests that were in progress together count as one. If
    /// limiting the rate does not reduce the refusals, the limit ends.
    ///
    /// - Parameters:
    ///   - permit: The permission for the request.
    ///   - isCertain: False if the refusal may have another reason. The first uncertain refusals limit the rate once
    ///     there are at least three of them, and at least one for ten answers.
    public func recordRefusal(of permit: Permit, isCertain: Bool = true) {
        changeAndNotify(permit.host) { record, now, random in
            record.recordRefusal(of: permit, isCertain: isCertain, at: now, using: &random)
        }
    }

    /// Stops requests to the host for the time; a longer pause in progress stays.
    public func park(_ host: String, for pause: Duration) {
        changeAndNotify(host) { record, now, _ in record.park(for: pause.clamped(), at: now) }
    }

    /// Ends a host's pause and lets one request test an open circuit at once; called at the user's request.
    ///
    /// Does nothing for a host that accepts requests.
    public func probe(_ host: String) {
        let now = clock.now()
        let news = table.withLock { table in
            table.records[host]?.allowProbe(at: now)
            return table.records[host]?.changeCount
        }
        news?.update { $0 &+= 1 }
    }

    /// Returns the time for which no request to the host is admitted; 0 if one may start.
    public func pause(of host: String) -> Duration {
        let now = clock.now()
        return table.withLock { $0.records[host] }?.pause(at: now) ?? .zero
    }

    /// Whether a change of the host has woken requests in `turn` that have not run yet.
    package func isWakingRequests(of host: String) -> Bool {
        guard let record = table.withLock({ $0.records[host] }) else { return false }
        return record.changeCount.waiterCount < record.waitingFirsts + record.waitingRetries
    }

    fileprivate typealias Change<Result, Failure: Error> = (
        inout HostRecord, _ now: Duration, inout any RandomNumberGenerator & Sendable
    ) throws(Failure) -> Result

    /// Changes a host's record, then notifies the listeners and the requests that wait for the host.
    private func changeAndNotify(_ host: String, _ body: Change<HostEvent.Change?, Never>) {
        let now = clock.now()
        let news = table.withLock { table -> ObservableValue<Int>? in
            let (change, news) = table.change(host, orNew: blank, at: now) { record, now, random in
                let before = record.breaker.state
                return (body(&record, now, &random), before == record.breaker.state ? nil : record.changeCount)
            }
            // Listeners are called under the lock, so that they receive the changes in order.
            if let change { table.listeners.values.forEach { $0(HostEvent(host: host, change: change)) } }
            return news
        }
        news?.update { $0 &+= 1 }
    }

    private func change<Result: Sendable, Failure: Error>(
        _ host: String, _ body: Change<Result, Failure>
    ) throws(Failure) -> Result {
        let now = clock.now()
        return try table.withLock { table throws(Failure) in
            try table.change(host, orNew: blank, at: now, body)
        }
    }
}

extension HostHealth.Table {
    fileprivate mutating func change<Result, Failure: Error>(
        _ host: String, orNew blank: HostRecord, at now: Duration, _ body: HostHealth.Change<Result, Failure>
    ) throws(Failure) -> Result {
        if records.count >= sweepCount {
            records = records.filter { !$0.value.isIdle(at: now) }
            // Doubling the threshold keeps the cost of sweeping at O(1) per request, however many hosts stay.
            sweepCount = max(256, records.count * 2)
        }
        return try body(&records[host, default: blank.fresh()], now, &generator)
    }
}
