import Foundation

/// The scheme, host and port of an address, to which credentials belong (RFC 6454).
package struct Origin: Hashable, Sendable {
    let scheme: String
    let host: String
    let port: Int

    /// The names of the origin's host in settings, the most exact first: with port, then without a standard port.
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
