import ImageLoading
import Retrying

/// How the program tries failed transfers again, and when it leaves a host alone.
public struct RetrySettings: Sendable, Equatable {
    /// Attempts after the first; 3 by default.
    public var retries = 3
    /// The first delay, doubled each time up to the longest; 0.5 s and 30 s by default.
    public var delay = Duration.milliseconds(500)
    public var maximumDelay = Duration.seconds(30)
    /// Full by default: each delay is drawn evenly from 0 to what the doubling gives.
    public var jitter = Jitter.full
    /// The longest pause a server may ask for and gets; 60 s by default.
    public var serverDelayLimit = Duration.seconds(60)
    /// Retries to a host, as a part of its requests in the last 2 minutes and a number besides; 10 % and 10 by default.
    public var budgetRatio = 0.1
    public var budgetReserve = 10
    /// So many failures in a row close a host to all but single probes; 5 by default.
    public var hostFailures = 5
    /// So long a failing host is waited for before its items fail at once; nil, the default, for as long as it was known
    /// before, from 20 s to 3 minutes.
    public var hostPatience: Duration?

    public init() {}

    /// Sets the jitter by name; false when there is no such one.
    public mutating func setJitter(_ name: String) -> Bool {
        guard let chosen = Self.jitters.first(where: { $0.name == name }) else { return false }
        jitter = chosen.jitter
        return true
    }

    /// The names that ``setJitter(_:)`` knows.
    public static var jitterNames: [String] { jitters.map(\.name) }

    private static let jitters: [(name: String, jitter: Jitter)] = [
        ("full", .full), ("none", .none), ("decorrelated", .decorrelated()),
    ]

    var retrier: Retrier {
        withExponentialBackoff(timeSlot: delay, maxDelay: maximumDelay, jitter: jitter)
            .giveUpAfter(maxAttempts: retries + 1)
    }

    /// The hosts' records; none gets more requests a second than the pace gives.
    func hosts(pace: TokenBucket? = nil) -> HostHealth {
        HostHealth(
            budget: RetryBudget(ratio: budgetRatio, reserve: budgetReserve),
            breaker: CircuitBreaker(threshold: hostFailures),
            patience: hostPatience.map(HostPatience.exactly) ?? HostPatience(),
            pace: pace)
    }
}
