/// The reason why a request to a host may not start now.
public enum HostRejection: Error, Sendable, Equatable {
    /// The retry budget of the host is used up; the request fails.
    case retryBudgetExhausted
    /// The circuit is open after too many consecutive failures; requests may pass after the time.
    case circuitOpen(for: Duration)
    /// The host requested a pause, of which this time is left.
    case parked(for: Duration)
    /// The configured rate limit is used up for the time.
    case paced(for: Duration)
    /// The rate limit learned from the host's refusals is used up for the time.
    case slowed(for: Duration)
    /// The host has failed for so long, since this time, that requests no longer wait for it.
    case unavailable(since: Duration)

    /// The time to wait before another attempt; nil if waiting does not help.
    public var delay: Duration? {
        switch self {
        case .retryBudgetExhausted, .unavailable: nil
        case .circuitOpen(let delay), .parked(let delay), .paced(let delay), .slowed(let delay): delay
        }
    }

    /// Whether the host is in trouble, in contrast to a rate limit.
    public var isTrouble: Bool {
        switch self {
        case .paced, .slowed: false
        case .retryBudgetExhausted, .circuitOpen, .parked, .unavailable: true
        }
    }
}
