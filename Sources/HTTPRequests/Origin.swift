import FoundationEssentials

/// The scheme, host and port of an address, to which credentials belong (RFC 6454).
package struct Origin: Hashable, Sendable {
    let scheme: String
    let host: String
    let port: Int

    /// The names under which settings may refer to the host: with the port, and without it if it is the standard port.
    package var keys: [String] { ["\(host):\(port)"] + (port == Self.standardPort(scheme) ? [host] : []) }

    private static func standardPort(_ scheme: String) -> Int { scheme == "https" ? 443 : 80 }
}

extension Origin {
    package init(_ url: URL) {
        let scheme = url.scheme?.lowercased() ?? ""
        self.init(scheme: scheme, host: url.host()?.lowercased() ?? "", port: url.port ?? Self.standardPort(scheme))
    }

    package init(_ proxy: ProxyServer) { self.init(scheme: "proxy", host: proxy.host, port: proxy.port) }
}
