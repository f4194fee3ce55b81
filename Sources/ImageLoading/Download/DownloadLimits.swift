/// Bounds on a transfer.
public struct DownloadLimits: Sendable, Hashable {
    /// 10 s by default.
    public var connect: Duration = .seconds(10)
    /// From sending the request to the response's head; 15 s by default.
    public var head: Duration = .seconds(15)
    /// Without a single byte; 30 s by default.
    public var idle: Duration = .seconds(30)
    /// Bytes a second below which a transfer is given up, measured over `rateWindow`; 1 KiB/s over 30 s by default.
    public var minimumRate: Int = 1024
    public var rateWindow: Duration = .seconds(30)
    /// For the whole transfer; none by default.
    public var total: Duration?
    /// Bytes of a body, declared or received; 64 MiB by default, what the decoder accepts.
    public var bytes: Int = 64 << 20
    /// 10 by default.
    public var redirects: Int = 10
    /// Refused by default.
    public var allowsDowngrade: Bool = false
    /// Transfers at a time, 32 by default, and to one host, 6 by default.
    public var concurrent: Int = 32
    public var concurrentPerHost: Int = 6

    public init() {}
}
