import Synchronization

/// What is known of each host: its retry budget, its circuit breaker and the pause it asked for.
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
    }

    private struct Entry {
        var budget: RetryBudget
        var breaker: CircuitBreaker
        var parkedUntil = Duration.zero

        func isIdle(at now: Duration) -> Bool {
            parkedUntil <= now && breaker.state == .closed(failures: 0) && budget.isIdle(at: now)
        }
    }

    private struct Table {
        var entries: [String: Entry] = [:]
        var generator: any RandomNumberGenerator & Sendable
        var sweepCount = 256
    }

    private let budget: RetryBudget
    private let breaker: CircuitBreaker
    private let clock: RunClock
    private let table: Mutex<Table>

    /// A table of no hosts; each host met starts with a copy of `budget` and `breaker`.
    public init(
        budget: RetryBudget = RetryBudget(), breaker: CircuitBreaker = CircuitBreaker(),
        clock: any Clock<Duration> = ContinuousClock(),
        random: RandomSource = { SystemRandomNumberGenerator() }
    ) {
        self.budget = budget
        self.breaker = breaker
        self.clock = RunClock(clock)
        table = Mutex(Table(generator: random()))
    }

    /// How many hosts are remembered.
    public var hostCount: Int { table.withLock { $0.entries.count } }

    /// Lets a request to the host through and counts it.
    ///
    /// The pause is looked at first, then the circuit breaker, then for a retry the budget; a rejected request costs
    /// nothing.
    public func admit(_ host: String, isRetry: Bool = false) throws(HostRejection) -> Permit {
        let now = clock.now()
        return try change(host) { entry, _ throws(HostRejection) in
            if entry.parkedUntil > now { throw .parked(for: entry.parkedUntil - now) }
            let breakerBefore = entry.breaker
            let permit = try entry.breaker.admit(at: now)
            if isRetry, !entry.budget.takeRetry(at: now) {
                entry.breaker = breakerBefore
                throw .retryBudgetExhausted
            }
            if !isRetry { entry.budget.recordRequest(at: now) }
            return Permit(host: host, breakerPermit: permit)
        }
    }

    /// Takes in the outcome of a request that was let through.
    public func record(_ outcome: CircuitBreaker.Outcome, of permit: Permit) {
        let now = clock.now()
        change(permit.host) { entry, random in
            entry.breaker.record(outcome, of: permit.breakerPermit, at: now, using: &random)
        }
    }

    /// Lets no request to the host start for the time; a longer pause already begun stands.
    public func park(_ host: String, for pause: Duration) {
        let end = clock.now() + pause.clamped()
        change(host) { entry, _ in entry.parkedUntil = max(entry.parkedUntil, end) }
    }

    /// How long no request to the host will be let through, 0 where one may start.
    public func pause(of host: String) -> Duration {
        let now = clock.now()
        guard let entry = table.withLock({ $0.entries[host] }) else { return .zero }
        switch entry.breaker.state {
        case .closed: return max(entry.parkedUntil - now, .zero)
        case .open(let time), .halfOpen(let time): return max(entry.parkedUntil - now, time - now, .zero)
        }
    }

    private func change<Result: Sendable, Failure: Error>(
        _ host: String,
        _ body: (inout Entry, inout any RandomNumberGenerator & Sendable) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let now = clock.now()
        return try table.withLock { table throws(Failure) in
            if table.entries.count >= table.sweepCount { sweep(&table, at: now) }
            return try body(&table.entries[host, default: Entry(budget: budget, breaker: breaker)], &table.generator)
        }
    }

    private func sweep(_ table: inout Table, at now: Duration) {
        table.entries = table.entries.filter { !$0.value.isIdle(at: now) }
        // Doubling the mark keeps the cost of sweeping O(1) a request, however many hosts stay.
        table.sweepCount = max(256, table.entries.count * 2)
    }
}
