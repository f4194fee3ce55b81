import ImageLoading

/// How hosts are spoken to, as one command says it: nothing of this belongs in a file that is kept.
public struct ConnectionSettings: Sendable, Equatable {
    /// Sent to every address' own host, never across a redirect to another; none by default.
    public var headers: [HeaderField] = []
    /// Whose users and passwords are sent, each to its own host; nobody's by default.
    public var netrc: NetrcFile?
    /// Cookies that are sent, each to its own hosts; none by default.
    public var cookies: CookieFile?
    /// The environment's when nil, the default.
    public var proxy: ProxySettings?
    /// Takes any certificate from anyone; false by default.
    public var isInsecure = false
    /// Follows redirects from https to http; false by default.
    public var allowsDowngrade = false

    public init() {}
}
