/// A strategy of a fixed number of further attempts with plain delays.
public struct DelayRetryStrategy: RetryStrategy {
    /// How often an attempt is repeated at most; 0 or less is never.
    public let maxRetryCount: Int
    /// The delay before each further attempt.
    public let retryInterval: DelaysPolicy.Interval

    /// Up to `maxRetryCount` further attempts, 3 s apart unless said otherwise.
    public init(maxRetryCount: Int, retryInterval: DelaysPolicy.Interval = .seconds(.seconds(3))) {
        self.maxRetryCount = maxRetryCount
        self.retryInterval = retryInterval
    }

    public func retrier(for host: String) -> Retrier {
        Retrier(.delays(retryInterval, maxRetryCount: maxRetryCount))
    }
}
