/// A token bucket: so many tokens a second, saved up to a capacity; pure, its time comes from outside.
///
/// Who takes at once what is not there yet goes into debt and waits until it is paid off, so that all wait in the order
/// in which they took.
public struct TokenBucket: Sendable, Hashable {
    /// Tokens a second, more than 0.
    public let rate: Double
    /// The most that is saved up, and what there is at first.
    public let capacity: Double
    private var tokens: Double
    private var moment = Duration.zero
    /// How long it was in debt, or will have been when what is taken so far is paid off.
    private var debtTime = Duration.zero

    /// A full bucket; a tenth of a second's tokens are saved up by default, and one at least.
    ///
    /// A rate that is not positive is the least there is: one token in 1,000 s.
    public init(rate: Double, capacity: Double? = nil) {
        self.rate = rate.isFinite ? max(rate, 0.001) : .greatestFiniteMagnitude.squareRoot()
        self.capacity = max(1, capacity ?? self.rate / 10)
        tokens = self.capacity
    }

    /// Takes a token that is there; answers how long to wait where none is, and takes nothing then.
    public mutating func takeOne(at now: Duration) -> Duration? {
        fill(at: now)
        guard tokens < 1 else {
            tokens -= 1
            return nil
        }
        return Self.time(of: 1 - tokens, at: rate)
    }

    /// Takes so many tokens, whether they are there or not; answers how long to wait before going on.
    public mutating func take(_ count: Int, at now: Duration) -> Duration {
        fill(at: now)
        let before = debt
        tokens -= Double(max(0, count))
        debtTime += debt - before
        return debt
    }

    /// How long it has been in debt until now.
    public func debtTime(at now: Duration) -> Duration {
        var bucket = self
        bucket.fill(at: now)
        return debtTime - bucket.debt
    }

    /// Whether nothing was taken that has not come back.
    public func isFull(at now: Duration) -> Bool {
        var bucket = self
        bucket.fill(at: now)
        return bucket.tokens >= capacity
    }

    private var debt: Duration { tokens < 0 ? Self.time(of: -tokens, at: rate) : .zero }

    /// A time before one that was given is that one.
    private mutating func fill(at now: Duration) {
        guard now > moment else { return }
        tokens = min(capacity, tokens + (now - moment) / .seconds(1) * rate)
        moment = now
    }

    /// Rounded up to a microsecond, so that who waited finds its token; a year at most.
    private static func time(of tokens: Double, at rate: Double) -> Duration {
        .microseconds(Int64(min((tokens / rate * 1e6).rounded(.up), 31_536_000e6)))
    }
}
