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
        (self.maxRetryCount, self.retryInterval) = (maxRetryCount, retryInterval)
    }

    public func retrier(for host: String) -> Retrier {
        Retrier(.delays(retryInterval, maxRetryCount: maxRetryCount))
    }
}

/// A strategy that makes attempts only while the machine has a network link.
///
/// After a failure, the next attempt starts at once if there is a link, otherwise when the link returns. A lost link
/// cancels a running attempt; the attempt counts all the same. Requests to the machine itself need no link.
public struct NetworkRetryStrategy: RetryStrategy {
    /// The maximum number of retries; 0 or less for none.
    public let maxRetryCount: Int
    /// The longest wait for a link; nil for no limit.
    public let timeout: Duration?
    private let monitor: any LinkMonitor
    private let clock: any Clock<Duration>

    /// Creates a strategy of up to `maxRetryCount` (3) retries.
    ///
    /// A link that is down for `timeout` ends the run with `RetrierError.conditionEnded`.
    public init(
        maxRetryCount: Int = 3, timeout: Duration? = nil, monitor: any LinkMonitor = NetlinkMonitor(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.maxRetryCount, self.timeout, self.monitor, self.clock) = (maxRetryCount, timeout, monitor, clock)
    }

    public func retrier(for host: String) -> Retrier {
        let (attempts, isTooMany) = max(0, maxRetryCount).addingReportingOverflow(1)
        let retrier = withNoDelay().limited(toAttempts: isTooMany ? .max : attempts).timed(by: clock)
        guard !Self.isLoopback(host) else { return retrier }
        return retrier.onlyWhen(monitor.updates(endingAfter: timeout, clock: clock))
    }

    private static func isLoopback(_ host: String) -> Bool {
        let port = host.lastIndex(of: ":").flatMap { host[..<$0].contains(":") ? nil : $0 }
        let name = host[..<(port ?? host.endIndex)].lowercased()
        return name == "localhost" || name.hasSuffix(".localhost") || name.hasPrefix("127.")
            || name.hasPrefix("[::1]") || name == "::1"
    }
}

extension LinkMonitor {
    /// Returns a sequence of the link's states, which ends when the link has been down for the time-out.
    func updates(endingAfter timeout: Duration?, clock: any Clock<Duration>) -> AsyncStream<Bool> {
        guard let timeout = timeout?.clamped() else { return updates() }
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let following = Task {
                var timer: Task<Void, Never>?
                for await isUp in updates() {
                    timer?.cancel()
                    continuation.yield(isUp)
                    guard !isUp else { continue }
                    timer = Task { if await RunClock(clock).wait(until: timeout) { continuation.finish() } }
                }
                timer?.cancel()
                continuation.finish()
            }
            continuation.onTermination = { _ in following.cancel() }
        }
    }
}
