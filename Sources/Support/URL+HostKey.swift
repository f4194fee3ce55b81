import Foundation

extension URL {
    /// The key for limits and records of a host: its name in lower case, with the port unless it is that of the scheme.
    package var hostKey: String { key(ofHost: host() ?? "") }

    package func key(ofHost name: String) -> String {
        let host = name.lowercased()
        guard let port, port != ["http": 80, "https": 443][scheme?.lowercased() ?? ""] else { return host }
        return "\(host):\(port)"
    }

    /// Whether the scheme is https.
    package var isSecure: Bool { scheme?.lowercased() == "https" }
}
