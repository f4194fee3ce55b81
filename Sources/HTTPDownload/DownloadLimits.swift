/// The limits of each transfer, and of how many transfers run at a time.
public struct DownloadLimits: Sendable, Hashable {
    /// The time for name lookup, connection and TLS handshake; 10 s by default.
    public var connect: Duration = .seconds(10)
    /// The time from sending the request to receiving the response's head; 15 s by default.
    public var head: Duration = .seconds(15)
    /// The longest time without a received byte; 30 s by default.
    public var idle: Duration = .seconds(30)
    /// The minimum rate in bytes per second, averaged over `rateWindow`; 1024 by default.
    public var minimumRate: Int = 1024
    /// The period over which `minimumRate` is measured; 30 s by default.
    public var rateWindow: Duration = .seconds(30)
    /// The time for the whole transfer after the queue, redirects included; no limit by default.
    public var total: Duration?
    /// The maximum length of a body in bytes, declared or received; 100 MiB by default.
    public var bytes: Int = 100 << 20
    /// The maximum number of redirects; 10 by default.
    public var redirects: Int = 10
    /// Whether redirects from https to http are followed; false by default.
    public var allowsDowngrade: Bool = false
    /// The maximum number of concurrent transfers; 32 by default.
    public var concurrent: Int = 32
    /// The maximum number of connections to one host on HTTP/1.1, each with one transfer at a time; 6 by default.
    public var concurrentPerHost: Int = 6
    /// The maximum rate of all transfers together in bytes per second; nil (no limit) by default.
    public var bytesPerSecond: Int?
    /// The maximum number of concurrent transfers to one host on HTTP/2; 32 by default.
    public var streamsPerHost: Int = 32
    /// The number of HTTP/2 transfers on one connection before another connection is opened; 4 by default.
    ///
    /// At most `concurrentPerHost` connections are opened. If they are not enough, the transfers are spread evenly
    /// over them.
    public var streamsPerConnection: Int = 4

    public init() {}

    var connectionsPerHost: Int { max(1, min(concurrent, concurrentPerHost)) }
}
