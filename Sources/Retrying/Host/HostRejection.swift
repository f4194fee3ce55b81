/// Why a request to a host may not start now.
public enum HostRejection: Error, Sendable, Equatable {
    /// The host's retries have used up their budget; the request fails.
    case retryBudgetExhausted
    /// Too many failures in a row; requests pass again after the time at the earliest.
    case circuitOpen(for: Duration)
    /// The host asked for a pause of which the time is left.
    case parked(for: Duration)
    /// The host's requests a second are used up for the time.
    case paced(for: Duration)
    /// The host takes no more requests a second, as it said itself, for the time.
    case slowed(for: Duration)
    /// The host has failed for so long that it is not waited for any more.
    case unavailable(since: Duration)

    /// How long to leave the host alone, or nil where waiting does not help.
    public var delay: Duration? {
        switch self {
        case .retryBudgetExhausted, .unavailable: nil
        case .circuitOpen(let delay), .parked(let delay), .paced(let delay), .slowed(let delay): delay
        }
    }

    /// Whether something is wrong with the host, rather than its pace kept.
    public var isTrouble: Bool {
        switch self {
        case .paced, .slowed: false
        case .retryBudgetExhausted, .circuitOpen, .parked, .unavailable: true
        }
    }
}
