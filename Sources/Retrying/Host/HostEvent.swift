/// A change in the state of a host.
public struct HostEvent: Sendable, Equatable {
    /// The kind of a change.
    public enum Change: Sendable, Equatable {
        /// The host requested a pause of this length.
        case parked(for: Duration)
        /// The host refuses requests as too many, so its rate is limited; the limit grows while the host accepts
        /// them.
        case slowed(requestsPerSecond: Double)
        /// Too many consecutive failures: no request passes before the time, then single probes do.
        case circuitOpened(for: Duration)
        /// The host failed for longer than its wait limit: requests fail at once until a probe succeeds.
        case givenUp
        /// The host answers again, and its rate is no longer limited.
        case resumed
    }

    /// The host, with its port if addresses contain one.
    public let host: String
    /// The kind of the change.
    public let change: Change

    package init(host: String, change: Change) {
        self.host = host
        self.change = change
    }
}

/// The state of a host at a moment.
public struct HostState: Sendable, Equatable {
    /// The host, with its port if addresses contain one.
    public let host: String
    /// The time for which no request passes; 0 if one may start.
    public let pause: Duration
    /// Whether the circuit breaker is open or tests the host with single probes.
    public let isCircuitOpen: Bool
    /// Whether requests fail at once instead of waiting.
    public let isGivenUp: Bool
    /// The learned limit of requests per second; nil if there is no limit.
    public let requestsPerSecond: Double?
    /// The number of retries in the budget's window.
    public let retriesUsed: Int
    /// The number of retries that the budget allows in its window now.
    public let retriesAllowed: Int

    package init(
        host: String, pause: Duration, isCircuitOpen: Bool, isGivenUp: Bool,
        requestsPerSecond: Double? = nil, retriesUsed: Int, retriesAllowed: Int
    ) {
        self.host = host
        self.pause = pause
        self.isCircuitOpen = isCircuitOpen
        self.isGivenUp = isGivenUp
        self.requestsPerSecond = requestsPerSecond
        self.retriesUsed = retriesUsed
        self.retriesAllowed = retriesAllowed
    }
}
