import Foundation

/// Scheme, host and port; what credentials belong to (RFC 6454).
package struct Origin: Hashable, Sendable {
    let scheme: String
    let host: String
    let port: Int

    package init(_ url: URL) {
        scheme = url.scheme?.lowercased() ?? ""
        host = url.host()?.lowercased() ?? ""
        port = url.port ?? Self.standardPort(scheme)
    }

    /// How settings name the origin's host, the most exact first: with its port, and without a standard one.
    var keys: [String] { ["\(host):\(port)"] + (port == Self.standardPort(scheme) ? [host] : []) }

    private static func standardPort(_ scheme: String) -> Int { scheme == "https" ? 443 : 80 }
}
