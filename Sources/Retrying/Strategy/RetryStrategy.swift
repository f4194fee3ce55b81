/// How requests to a host are tried again: a retrier for each.
///
/// A `Retrier` is the simplest strategy, the same for every host.
public protocol RetryStrategy: Sendable {
    /// The retrier of one request to a host, given with its port where the address names one.
    func retrier(for host: String) -> Retrier
}

extension Retrier: RetryStrategy {
    public func retrier(for host: String) -> Retrier { self }
}
