/// A token bucket that fills at a rate up to a capacity; a pure value, with times as parameters.
///
/// Tokens may be reserved before they exist. The caller then waits until the debt is paid off, so that callers wait in
/// the order of their calls.
public struct TokenBucket: Sendable, Hashable {
    /// The tokens per second, more than 0.
    public let rate: Double
    /// The maximum and initial number of saved tokens.
    public let capacity: Double
    private var tokens: Double
    private var moment = Duration.zero
    /// The total time in debt, including the future time until the current debt is paid off.
    private var debtTime = Duration.zero

    /// Creates a full bucket.
    ///
    /// - Parameters:
    ///   - rate: The tokens per second; at least 0.001.
    ///   - capacity: The maximum number of saved tokens; by default those of a tenth of a second, and at least 1.
    public init(rate: Double, capacity: Double? = nil) {
        self.rate = rate.isFinite ? max(rate, 0.001) : .greatestFiniteMagnitude.squareRoot()
        self.capacity = max(1, capacity ?? self.rate / 10)
        tokens = self.capacity
    }

    /// Acquires a token if there is one.
    ///
    /// - Returns: The time to wait if there is none, or nil.
    public mutating func tryAcquire(at now: Duration) -> Duration? {
        fill(at: now)
        guard tokens < 1 else {
            tokens -= 1
            return nil
        }
        return Self.time(of: 1 - tokens, at: rate)
    }

    /// Reserves tokens, even if there are not enough yet.
    ///
    /// - Returns: The time to wait before going on.
    public mutating func reserve(_ count: Int, at now: Duration) -> Duration {
        fill(at: now)
        let before = debt
        tokens -= Double(max(0, count))
        debtTime += debt - before
        return debt
    }

    /// Returns the total time in debt until now.
    public func debtTime(at now: Duration) -> Duration {
        var bucket = self
        bucket.fill(at: now)
        return debtTime - bucket.debt
    }

    /// Returns whether the bucket is full.
    public func isFull(at now: Duration) -> Bool {
        var bucket = self
        bucket.fill(at: now)
        return bucket.tokens >= capacity
    }

    private var debt: Duration { tokens < 0 ? Self.time(of: -tokens, at: rate) : .zero }

    /// Adds the tokens since the last call; ignores a time before that.
    private mutating func fill(at now: Duration) {
        guard now > moment else { return }
        tokens = min(capacity, tokens + (now - moment) / .seconds(1) * rate)
        moment = now
    }

    /// Returns the time in which so many tokens are added, at most a year; rounded up to a microsecond, so that the
    /// token exists afterwards.
    private static func time(of tokens: Double, at rate: Double) -> Duration {
        .microseconds(Int64(min((tokens / rate * 1e6).rounded(.up), 31_536_000e6)))
    }
}
