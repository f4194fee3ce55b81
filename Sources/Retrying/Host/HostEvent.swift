/// A change in how a host stands.
public struct HostEvent: Sendable, Equatable {
    /// What changed.
    public enum Change: Sendable, Equatable {
        /// The host asked to be left alone for the time.
        case parked(for: Duration)
        /// It refuses requests as too many: it gets so many a second, and more again as it takes them.
        case slowed(requestsPerSecond: Double)
        /// Too many failures in a row: no request passes before the time, then single probes.
        case circuitOpened(for: Duration)
        /// It has failed for longer than is worth waiting: requests fail at once until a probe succeeds.
        case givenUp
        /// It answers again, and is slowed down no more.
        case resumed
    }

    /// The host, with its port where addresses name one.
    public let host: String
    /// What changed.
    public let change: Change

    public init(host: String, change: Change) {
        self.host = host
        self.change = change
    }
}

/// How a host stands at a moment.
public struct HostStanding: Sendable, Equatable {
    /// The host, with its port where addresses name one.
    public let host: String
    /// How long no request passes, 0 where one may start.
    public let pause: Duration
    /// Whether the circuit breaker is open, or tests the host by single probes.
    public let isCircuitOpen: Bool
    /// Whether requests fail at once instead of waiting.
    public let isGivenUp: Bool
    /// The requests a second that the host takes; nil for as many as come.
    public let requestsPerSecond: Double?
    /// The retries of the budget's window, and how many it allows.
    public let retriesTaken: Int
    /// How many retries the budget allows in its window now.
    public let retriesAllowed: Int

    public init(
        host: String, pause: Duration, isCircuitOpen: Bool, isGivenUp: Bool,
        requestsPerSecond: Double? = nil, retriesTaken: Int, retriesAllowed: Int
    ) {
        self.host = host
        self.pause = pause
        self.isCircuitOpen = isCircuitOpen
        self.isGivenUp = isGivenUp
        self.requestsPerSecond = requestsPerSecond
        self.retriesTaken = retriesTaken
        self.retriesAllowed = retriesAllowed
    }
}
