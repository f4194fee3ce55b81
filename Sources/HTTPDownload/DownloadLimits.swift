/// Bounds on a transfer.
public struct DownloadLimits: Sendable, Hashable {
    /// Name look-up, connection and TLS; 10 s by default.
    public var connect: Duration = .seconds(10)
    /// From sending the request to the response's head; 15 s by default.
    public var head: Duration = .seconds(15)
    /// Without a single byte; 30 s by default.
    public var idle: Duration = .seconds(30)
    /// Bytes a second below which a transfer is given up, measured over `rateWindow`; 1 KiB/s over 30 s by default.
    public var minimumRate: Int = 1024
    /// Over how long `minimumRate` is measured; 30 s by default.
    public var rateWindow: Duration = .seconds(30)
    /// For the whole transfer, redirects included, from its place in the queue on; none by default.
    public var total: Duration?
    /// Bytes of a body, declared or received; 100 MiB by default.
    public var bytes: Int = 100 << 20
    /// 10 by default.
    public var redirects: Int = 10
    /// Whether a redirect may lead from https to http; refused by default.
    public var allowsDowngrade: Bool = false
    /// Transfers at a time; 32 by default.
    public var concurrent: Int = 32
    /// To one host on HTTP/1.1, each on a connection of its own; 6 by default.
    public var concurrentPerHost: Int = 6
    /// Bytes of bodies a second, of all transfers together; as many as come when nil, the default.
    public var bytesPerSecond: Int?
    /// To one host on HTTP/2; 32 by default.
    public var streamsPerHost: Int = 32
    /// Of them on one connection, before another one is opened; 4 by default.
    ///
    /// There are no more connections than `concurrentPerHost`; with that many, each carries its share.
    public var streamsPerConnection: Int = 4

    public init() {}

    var connectionsPerHost: Int { max(1, min(concurrent, concurrentPerHost)) }

    /// How many of so many transfers to a host are one connection's, which is numbered from 0.
    ///
    /// `streamsPerConnection`, or an even part where that would take too many connections; 1 at least.
    func share(of connection: Int, in total: Int) -> Int {
        let few = max(1, streamsPerConnection)
        let connections = max(1, concurrentPerHost)
        guard total > few * connections else { return min(few, max(1, total - few * connection)) }
        return total / connections + (connection < total % connections ? 1 : 0)
    }
}
