/// A strategy that makes attempts only while the machine has a network link.
///
/// A failure is followed by another attempt at once when the link is there, or as soon as it is back; a link that is
/// lost cuts a running attempt short, which counts. Requests to the machine itself need no link.
public struct NetworkRetryStrategy: RetryStrategy {
    /// How often an attempt is repeated at most; 0 or less is never.
    public let maxRetryCount: Int
    /// How long a link is waited for at a time; without limit when nil.
    public let timeout: Duration?
    private let monitor: any LinkMonitor
    private let clock: any Clock<Duration>

    /// Up to `maxRetryCount` (3) further attempts; a link that stays away for `timeout` ends the run with
    /// `RetrierError.conditionEnded`.
    public init(
        maxRetryCount: Int = 3, timeout: Duration? = nil, monitor: any LinkMonitor = NetlinkMonitor(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.maxRetryCount = maxRetryCount
        self.timeout = timeout
        self.monitor = monitor
        self.clock = clock
    }

    public func retrier(for host: String) -> Retrier {
        let (attempts, isTooMany) = max(0, maxRetryCount).addingReportingOverflow(1)
        let retrier = withNoDelay().giveUpAfter(maxAttempts: isTooMany ? .max : attempts).timed(by: clock)
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
    /// The link's states, ended when it has been down for the time-out.
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
