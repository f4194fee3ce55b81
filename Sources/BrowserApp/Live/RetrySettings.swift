import ImageLoading
import Retrying

/// The settings for retries and for hosts that fail.
package struct RetrySettings: Sendable, Equatable {
    /// Attempts after the first one; 3 by default.
    package var retries = 3
    /// The first delay and the longest one; the delay doubles with each attempt.
    ///
    /// 0.5 s and 30 s by default.
    package var delay = Duration.milliseconds(500)
    package var maximumDelay = Duration.seconds(30)
    /// Full by default: each delay is drawn evenly from 0 to the doubled delay.
    package var jitter = Jitter.full
    /// The longest Retry-After delay that is honoured; 60 s by default.
    package var serverDelayLimit = Duration.seconds(60)
    /// The retry budget of a host: a share of its requests in the last 2 minutes, plus a constant.
    ///
    /// 10 % and 10 by default.
    package var budgetRatio = 0.1
    package var budgetReserve = 10
    /// The number of failures in a row that opens a host's circuit breaker; 5 by default.
    package var hostFailures = 5
    /// How long a failing host is waited for before its items fail at once.
    ///
    /// Nil, the default, waits as long as the host has been known, between 20 s and 3 minutes.
    package var hostPatience: Duration?

    package init() {}

    /// Sets the jitter by its name; returns false for an unknown name.
    package mutating func setJitter(_ name: String) -> Bool {
        guard let chosen = Self.jitters.first(where: { $0.name == name }) else { return false }
        jitter = chosen.jitter
        return true
    }

    private static let jitters: [(name: String, jitter: Jitter)] = [
        ("full", .full), ("none", .none), ("decorrelated", .decorrelated()),
    ]

    var retrier: Retrier {
        withExponentialBackoff(timeSlot: delay, maxDelay: maximumDelay, jitter: jitter)
            .giveUpAfter(maxAttempts: retries + 1)
    }

    /// Creates the host records.
    ///
    /// `pace` limits the requests a second to each host.
    func hosts(pace: TokenBucket? = nil) -> HostHealth {
        HostHealth(
            budget: RetryBudget(ratio: budgetRatio, reserve: budgetReserve),
            breaker: CircuitBreaker(threshold: hostFailures),
            waitLimit: hostPatience.map(HostWaitLimit.exactly) ?? HostWaitLimit(),
            pace: pace)
    }
}

extension RetrySettings {
    /// Creates the settings from a configuration.
    package init(_ configuration: Configuration) {
        self.init()
        retries = configuration[.retries]
        delay = configuration[.retryDelay]
        maximumDelay = configuration[.retryMaximumDelay]
        _ = setJitter(configuration[.retryJitter])
        serverDelayLimit = configuration[.serverDelayLimit]
        budgetRatio = configuration[.retryBudget]
        budgetReserve = configuration[.retryReserve]
        hostFailures = configuration[.hostFailures]
        hostPatience = configuration[.hostPatience] > .zero ? configuration[.hostPatience] : nil
    }
}
