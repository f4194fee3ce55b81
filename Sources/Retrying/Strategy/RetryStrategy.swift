/// A rule that chooses the retrier for the requests to a host.
///
/// A `Retrier` is the simplest strategy: it is the same for every host.
public protocol RetryStrategy: Sendable {
    /// Returns the retrier for one request to a host. The host includes the port if the address contains one.
    func retrier(for host: String) -> Retrier
}

extension Retrier: RetryStrategy {
    public func retrier(for host: String) -> Retrier { self }
}

/// A strategy with a fixed number of retries and fixed delays.
public struct DelayRetryStrategy: RetryStrategy {
    /// The maximum number of retries; 0 or less for none.
    public let maxRetryCount: Int
    /// The delays before the retries.
    public let retryInterval: DelaysPolicy.Interval

    /// Creates a strategy of up to `maxRetryCount` retries, 3 s apart by default.
    public init(maxRetryCount: Int, retryInterval: DelaysPolicy.Interval = .seconds(3)) {
        self.maxRetryCount = maxRetryCount
        self.retryInterval = retryInterval
    }

    public func retrier(for host: String) -> Retrier {
        Retrier(.delays(retryInterval, maxRetryCount: maxRetryCount))
    }
}
