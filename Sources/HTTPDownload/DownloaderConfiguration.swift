import Foundation

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
    /// The hooks of every transfer without hooks of its own; none by default.
    public var hooks: (any DownloadHooks)?
    private var hostHeaders: [String: [HeaderField]] = [:]

    public init() {}

    /// Sets the fields that are sent to one host only.
    ///
    /// - Parameters:
    ///   - fields: The header fields.
    ///   - host: `example.org` for its standard ports, `example.org:8443` for another port.
    public mutating func setHeaders(_ fields: [HeaderField], forHost host: String) {
        hostHeaders[host.lowercased()] = fields
    }

    func headers(for url: URL) -> [HeaderField] {
        hostHeaders.isEmpty ? [] : Origin(url).keys.lazy.compactMap { hostHeaders[$0] }.first ?? []
    }
}
