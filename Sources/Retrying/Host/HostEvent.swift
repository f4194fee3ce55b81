/// A change in the state of a host.
public struct HostEvent: Sendable, Equatable {
    /// The kind of a change.
    public enum Change: Sendable, Equatable {
        /// The host requested a pause of this length.
        case parked(for: Duration)
        /// The host refuses requests because there are too many, so their rate is limited; the limit grows while the
        /// host accepts them.
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

    package init(host: String, change: Change) { (self.host, self.change) = (host, change) }
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
        (self.host, self.pause, self.isCircuitOpen, self.isGivenUp) = (host, pause, isCircuitOpen, isGivenUp)
        (self.requestsPerSecond, self.retriesUsed) = (requestsPerSecond, retriesUsed)
        self.retriesAllowed = retriesAllowed
    }
}

/// The reason why a request to a host may not start now.
public enum HostRejection: Error, Sendable, Equatable {
    /// The retry budget of the host is used up; the request fails.
    case retryBudgetExhausted
    /// The circuit is open after too many consecutive failures; requests may pass after the time.
    case circuitOpen(for: Duration)
    /// The host requested a pause, of which this time is left.
    case parked(for: Duration)
    /// The configured rate limit allows no request for this time.
    case paced(for: Duration)
    /// The rate limit learned from the host's refusals allows no request for this time.
    case slowed(for: Duration)
    /// The host has failed for this time, which is so long that requests no longer wait for it.
    case unavailable(since: Duration)

    /// The time to wait before another attempt; nil if waiting does not help.
    public var delay: Duration? {
        switch self {
        case .retryBudgetExhausted, .unavailable: nil
        case .circuitOpen(let delay), .parked(let delay), .paced(let delay), .slowed(let delay): delay
        }
    }

    /// Whether the host is in trouble; false if only its rate is limited.
    public var isTrouble: Bool {
        switch self {
        case .paced, .slowed: false
        case .retryBudgetExhausted, .circuitOpen, .parked, .unavailable: true
        }
    }
}

/// The time for which requests wait for a failing host before they fail at once.
///
/// It is as long as the host had been known when its circuit opened, within the bounds: a host that worked for an hour
/// is worth a wait of minutes, a host that never answered is not.
public struct HostWaitLimit: Sendable, Equatable {
    private let bounds: ClosedRange<Duration>

    /// Creates a limit between 20 s and 3 minutes by default; an upper bound below the lower bound is raised to it.
    public init(atLeast shortest: Duration = .seconds(20), atMost longest: Duration = .seconds(180)) {
        let shortest = shortest.clamped()
        bounds = shortest...max(shortest, longest.clamped())
    }

    /// Returns a limit that is the same for every host.
    public static func exactly(_ limit: Duration) -> HostWaitLimit {
        HostWaitLimit(atLeast: limit, atMost: limit)
    }

    func limit(forHostKnownFor time: Duration) -> Duration { min(max(time, bounds.lowerBound), bounds.upperBound) }
}
