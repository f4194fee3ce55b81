/// A circuit breaker that stops requests to a failing host and tests the host with single probes.
///
/// While it is closed, all requests pass. After `threshold` consecutive failures that blame the host, it opens for
/// the delay of the policy; then one probe may pass. A successful probe closes it; a failed one opens it for the
/// policy's next delay. A host that still answers, if only with errors, may just have a few bad addresses in a row.
/// Such a host is tested again after at most 250 ms, and the policy's delay does not grow. A pure value; times are
/// counted from any fixed moment.
///
/// | state | event | next state |
/// |---|---|---|
/// | closed | failure number `threshold` in a row | open for the policy's delay |
/// | closed | the same, with an answer | open for 250 ms |
/// | open | its time is over, one request | half-open: this request is the probe |
/// | half-open | the probe fails without an answer | open for the next, longer delay |
/// | half-open | the probe is answered with an error | open for 250 ms |
/// | any | any success | closed |
public struct CircuitBreaker: Sendable {
    /// The state that decides whether requests pass.
    public enum State: Sendable, Equatable {
        /// All requests pass; `failures` counts the consecutive failures so far.
        case closed(failures: Int)
        /// No request passes before the time.
        case open(until: Duration)
        /// One probe is in progress; if it reports no outcome, another may start at the time.
        case halfOpen(until: Duration)
    }

    /// The outcome of a request that was admitted.
    public enum Outcome: Sendable, Equatable {
        /// The host answered as it should.
        case success
        /// The request failed in a way that blames the host.
        case failure
        /// The request shows nothing about the host: it was cancelled, or failed in a way that does not blame the
        /// host.
        case neutral
    }

    /// The permission for one request, which is returned with its outcome.
    public struct Permit: Sendable, Equatable {
        /// Whether this request is the probe that tests the host.
        public let isProbe: Bool
        /// The number of the probe; 0 for none.
        let probe: Int

        /// The permission for a request that is not a probe.
        static let passing = Permit(isProbe: false, probe: 0)
    }

    private struct HostFailed: Error {}

    /// The current state.
    public private(set) var state = State.closed(failures: 0)
    private let threshold: Int
    private let initialPolicy: any RetryPolicy
    private var policy: any RetryPolicy
    private var openings = 0
    private var probes = 0

    /// Creates a closed circuit breaker.
    ///
    /// If the policy stops retrying, the circuit stays open for 100 years.
    ///
    /// - Parameters:
    ///   - threshold: The number of consecutive failures that open the circuit; 5 by default.
    ///   - policy: The policy whose delays keep the circuit open; by default 1 s ± 50 % at first and at most 10 s,
    ///     so that a recovered host is soon used again.
    public init(
        threshold: Int = 5,
        policy: some RetryPolicy = .backOff(initial: .seconds(1), multiplier: 2, maxInterval: .seconds(10))
    ) {
        self.threshold = max(1, threshold)
        self.policy = policy
        initialPolicy = policy
    }

    /// Admits a request, or throws the time to wait until one is admitted.
    public mutating func admit(at now: Duration) throws(HostRejection) -> Permit {
        switch state {
        case .closed: return .passing
        case .open(let time), .halfOpen(let time):
            guard now >= time else { throw .circuitOpen(for: time - now) }
            probes += 1
            state = .halfOpen(until: now + .seconds(60))
            return Permit(isProbe: true, probe: probes)
        }
    }

    /// Records the outcome of a request.
    ///
    /// Any success closes the circuit. While it is not closed, only the failure of the newest probe counts.
    ///
    /// - Parameter isAnswer: Whether a failure is an answer of the host, such as a status 500; false by default.
    public mutating func record(
        _ outcome: Outcome, of permit: Permit, isAnswer: Bool = false, at now: Duration,
        using random: inout some RandomNumberGenerator
    ) {
        switch (outcome, state) {
        case (.success, _): (state, policy, openings) = (.closed(failures: 0), initialPolicy, 0)
        case (.failure, .closed(let failures)) where failures + 1 < threshold: state = .closed(failures: failures + 1)
        case (.failure, .closed): open(isAnswered: isAnswer, at: now, using: &random)
        case (.failure, .halfOpen) where permit.probe == probes:
            open(isAnswered: isAnswer, at: now, using: &random)
        case (.neutral, .halfOpen) where permit.probe == probes: state = .open(until: now)
        case (.failure, _), (.neutral, _): break
        }
    }

    /// Ends the delay of an open circuit, so that the next request is a probe; does not replace a probe in progress.
    public mutating func allowProbe(at now: Duration) {
        if case .open(let time) = state, time > now { state = .open(until: now) }
    }

    /// The longest delay until a host that answers is tested again.
    private static let answeredDelay = Duration.milliseconds(250)

    private mutating func open(
        isAnswered: Bool, at now: Duration, using random: inout some RandomNumberGenerator
    ) {
        let failure = AttemptFailure(index: openings, error: HostFailed())
        var delay = Duration.longestDelay
        if case .retry(let chosen) = policy.decision(after: failure, using: &random) { delay = chosen.clamped() }
        if isAnswered {
            delay = min(delay, Self.answeredDelay)
        } else {
            policy = policy.policy(after: failure, delay: delay)
            openings += 1
        }
        state = .open(until: now + delay)
    }
}
