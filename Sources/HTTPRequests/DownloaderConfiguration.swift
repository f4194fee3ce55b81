import FoundationEssentials

/// The settings that all transfers of a downloader share.
public struct DownloaderConfiguration: Sendable {
    /// The limits of each transfer and of the number of transfers; see `DownloadLimits` for the defaults.
    public var limits = DownloadLimits()
    /// The `User-Agent` field; the name of the program's file by default.
    public var userAgent = ProcessInfo.processInfo.processName
    /// The proxies; none by default, and `ProxySettings(environment:)` reads those of the environment.
    public var proxies = ProxySettings.none
    /// The TLS settings; by default the system's trusted roots and TLS 1.2 or newer.
    public var tls = TLSSettings()
    /// The credentials that are sent without a challenge, each to its own host; none by default.
    public var credentials = HostCredentials()
    /// The cookies that are sent, each to its own hosts; none by default.
    ///
    /// The downloader also keeps the cookies that servers set, until it is destroyed.
    public var cookies: CookieFile?
    /// The responder to 401 and 407 challenges; none by default.
    ///
    /// To open a tunnel through a proxy, only basic and bearer credentials can be sent.
    public var challengeResponder: (any AuthenticationChallengeResponder)?
    /// The maximum number of bytes that broken and cancelled transfers leave in memory; 32 MiB by default, 0 keeps none.
    ///
    /// The next equal request, of the same address and with the same header fields, asks only for the rest. If the
    /// parts of more than one body exceed the limit, the oldest are removed.
    public var resumableBytes = 32 << 20
    /// Whether HTTP/2 is never used; false by default.
    public var isHTTP1Only = false
    /// The network interface, address or host name that connections leave from, as curl's `--interface`; the system's
    /// choice by default.
    public var interface: String?
    /// The addresses of hosts in place of name lookup, each `HOST:PORT:ADDRESS`, as curl's `--resolve`; none by
    /// default.
    public var addresses: [String] = []
    /// The hooks of every transfer without hooks of its own; none by default.
    public var hooks: (any DownloadHooks)?
    private var hostHeaders: [String: [HeaderField]] = [:]

    /// Creates the default configuration.
    public init() {}

    /// Sets the fields that are sent to one host only.
    ///
    /// - Parameters:
    ///   - fields: The header fields.
    ///   - host: `example.org` for its standard ports, `example.org:8443` for another port.
    public mutating func setHeaders(_ fields: [HeaderField], forHost host: String) {
        hostHeaders[host.lowercased()] = fields
    }

    package func headers(for url: URL) -> [HeaderField] {
        hostHeaders.isEmpty ? [] : Origin(url).keys.lazy.compactMap { hostHeaders[$0] }.first ?? []
    }
}

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

    /// Creates the default limits.
    public init() {}

    package var connectionsPerHost: Int { max(1, min(concurrent, concurrentPerHost)) }
}
