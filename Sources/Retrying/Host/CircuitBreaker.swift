/// A switch that stops requests to a host that keeps failing, and tries it again with single probes.
///
/// Closed it lets everything through. After `threshold` blaming failures in a row it opens for the policy's delay;
/// then one probe may pass. Its success closes the switch; its failure opens it for the policy's next delay. A pure
/// value; times are counted from any fixed moment.
public struct CircuitBreaker: Sendable {
    /// Whether requests pass.
    public enum State: Sendable, Equatable {
        /// All requests pass; so many failures in a row have been seen.
        case closed(failures: Int)
        /// None passes before the time.
        case open(until: Duration)
        /// One probe is under way; if nothing is heard of it, another may start at the time.
        case halfOpen(until: Duration)
    }

    /// How a request that was let through ended.
    public enum Outcome: Sendable, Equatable {
        case success
        /// It failed in a way that blames the host.
        case failure
        /// Nothing was learned: cancelled, or failed in a way that does not blame the host.
        case neutral
    }

    /// The leave to make one request, to be handed back with its outcome.
    public struct Permit: Sendable, Equatable {
        /// Whether this request alone tests the host.
        public let isProbe: Bool
        let probe: Int
    }

    private struct HostFailed: Error {}

    /// Whether requests pass, as last decided.
    public private(set) var state = State.closed(failures: 0)
    private let threshold: Int
    private let initialPolicy: any RetryPolicy
    private var policy: any RetryPolicy
    private var openings = 0
    private var probes = 0

    /// A closed switch that opens after `threshold` (5) failures in a row, at first for 5 s ± 50 %, at most for 20 s,
    /// so that a host that is well again is soon back at its speed.
    ///
    /// Where the policy gives up the switch stays open for 100 years.
    public init(
        threshold: Int = 5,
        policy: some RetryPolicy = .backOff(initial: .seconds(5), multiplier: 2, maxInterval: .seconds(20))
    ) {
        self.threshold = max(1, threshold)
        self.policy = policy
        initialPolicy = policy
    }

    /// Lets a request through, or says how long none will be.
    public mutating func admit(at now: Duration) throws(HostRejection) -> Permit {
        switch state {
        case .closed: return Permit(isProbe: false, probe: 0)
        case .open(let time), .halfOpen(let time):
            guard now >= time else { throw .circuitOpen(for: time - now) }
            probes += 1
            state = .halfOpen(until: now + .seconds(60))
            return Permit(isProbe: true, probe: probes)
        }
    }

    /// Takes in the outcome of a request.
    ///
    /// Any success closes the switch. While it is not closed, only the newest probe's failure counts.
    public mutating func record(
        _ outcome: Outcome, of permit: Permit, at now: Duration, using random: inout some RandomNumberGenerator
    ) {
        switch (outcome, state) {
        case (.success, _): close()
        case (.failure, .closed(let failures)) where failures + 1 < threshold: state = .closed(failures: failures + 1)
        case (.failure, .closed): open(at: now, using: &random)
        case (.failure, .halfOpen) where permit.isNewestProbe(probes): open(at: now, using: &random)
        case (.neutral, .halfOpen) where permit.isNewestProbe(probes): state = .open(until: now)
        case (.failure, _), (.neutral, _): break
        }
    }

    /// Lets a probe pass at once where the switch is open; one that is under way is waited for.
    public mutating func allowProbe(at now: Duration) {
        if case .open(let time) = state, time > now { state = .open(until: now) }
    }

    private mutating func close() {
        state = .closed(failures: 0)
        policy = initialPolicy
        openings = 0
    }

    private mutating func open(at now: Duration, using random: inout some RandomNumberGenerator) {
        let failure = AttemptFailure(index: openings, error: HostFailed())
        var delay = Duration.longestDelay
        if case .retry(let chosen) = policy.decision(after: failure, using: &random) { delay = chosen.clamped() }
        policy = policy.policy(after: failure, delay: delay)
        openings += 1
        state = .open(until: now + delay)
    }
}

extension CircuitBreaker.Permit {
    fileprivate func isNewestProbe(_ newest: Int) -> Bool { isProbe && probe == newest }
}
