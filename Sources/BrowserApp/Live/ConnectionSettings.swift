import ImageLoading

/// The connection options of one command; they hold secrets, so the config file has none of them.
package struct ConnectionSettings: Sendable, Equatable {
    /// Extra headers for the host of each address, never sent across a redirect to another host; none by default.
    package var headers: [HeaderField] = []
    /// User names and passwords by host; none by default.
    package var netrc: NetrcFile?
    /// Cookies to send to their own hosts; none by default.
    package var cookies: CookieFile?
    /// The proxies to use; nil, the default, takes them from the environment.
    package var proxy: ProxySettings?
    /// Accepts any TLS certificate; false by default.
    package var isInsecure = false
    /// Follows redirects from https to http; false by default.
    package var allowsDowngrade = false

    package init() {}
}
