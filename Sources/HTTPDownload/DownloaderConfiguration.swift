import Foundation

/// What all transfers of a downloader share.
public struct DownloaderConfiguration: Sendable {
    /// Bounds on each transfer, and on how many there are; the defaults are theirs.
    public var limits = DownloadLimits()
    /// `alcedo/0.1` by default.
    public var userAgent = "alcedo/0.1"
    /// None by default; `ProxySettings(environment:)` takes the environment's.
    public var proxies = ProxySettings.none
    /// The system's roots, TLS 1.2 or newer, by default.
    public var tls = TLSSettings()
    /// Sent unasked, each to its own host; none by default.
    public var credentials = HostCredentials()
    /// Cookies that are sent, each to its own hosts; none by default.
    ///
    /// The cookies that servers set are kept beside them until the downloader's end.
    public var cookies: CookieFile?
    /// Answers 401 and 407; none by default.
    ///
    /// To open a tunnel through a proxy, only basic and bearer can be sent.
    public var challengeResponder: (any AuthenticationChallengeResponder)?
    /// Watches every transfer that has no hooks of its own; none by default.
    public var hooks: (any DownloadHooks)?
    private var hostHeaders: [String: [HeaderField]] = [:]

    public init() {}

    /// Fields sent to one host only: `example.org` for its standard ports, `example.org:8443` for another.
    public mutating func setHeaders(_ fields: [HeaderField], forHost host: String) {
        hostHeaders[host.lowercased()] = fields
    }

    func headers(for url: URL) -> [HeaderField] {
        hostHeaders.isEmpty ? [] : Origin(url).keys.lazy.compactMap { hostHeaders[$0] }.first ?? []
    }
}
