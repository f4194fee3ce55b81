import Foundation

/// The scheme, host and port of an address, to which credentials belong (RFC 6454).
package struct Origin: Hashable, Sendable {
    let scheme: String
    let host: String
    let port: Int

    package init(_ url: URL) {
        scheme = url.scheme?.lowercased() ?? ""
        host = url.host()?.lowercased() ?? ""
        port = url.port ?? Self.standardPort(scheme)
    }

    /// The names of the origin's host in settings, the most exact first: with port, then without a standard port.
    var keys: [String] { ["\(host):\(port)"] + (port == Self.standardPort(scheme) ? [host] : []) }

    private static func standardPort(_ scheme: String) -> Int { scheme == "https" ? 443 : 80 }
}
