import Foundation

extension URL {
    /// The key for limits and records of a host: its name in lower case, with the port if the address has one.
    package var hostKey: String { key(ofHost: host() ?? "") }

    package func key(ofHost name: String) -> String {
        let host = name.lowercased()
        return port.map { "\(host):\($0)" } ?? host
    }

    /// Whether the scheme is https.
    package var isSecure: Bool { scheme?.lowercased() == "https" }
}
