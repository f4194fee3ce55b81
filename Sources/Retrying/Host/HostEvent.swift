/// A change in how a host stands.
public struct HostEvent: Sendable, Equatable {
    /// What changed.
    public enum Change: Sendable, Equatable {
        /// The host asked to be left alone for the time.
        case parked(for: Duration)
        /// Too many failures in a row: no request passes before the time, then single probes.
        case circuitOpened(for: Duration)
        /// It has failed for longer than is worth waiting: requests fail at once until a probe succeeds.
        case givenUp
        /// It answers again.
        case resumed
    }

    public let host: String
    public let change: Change

    public init(host: String, change: Change) {
        self.host = host
        self.change = change
    }
}

/// How a host stands at a moment.
public struct HostStanding: Sendable, Equatable {
    public let host: String
    /// How long no request passes, 0 where one may start.
    public let pause: Duration
    public let isCircuitOpen: Bool
    /// Whether requests fail at once instead of waiting.
    public let isGivenUp: Bool
    /// The retries of the budget's window, and how many it allows.
    public let retriesTaken: Int
    public let retriesAllowed: Int

    public init(
        host: String, pause: Duration, isCircuitOpen: Bool, isGivenUp: Bool, retriesTaken: Int, retriesAllowed: Int
    ) {
        self.host = host
        self.pause = pause
        self.isCircuitOpen = isCircuitOpen
        self.isGivenUp = isGivenUp
        self.retriesTaken = retriesTaken
        self.retriesAllowed = retriesAllowed
    }
}
