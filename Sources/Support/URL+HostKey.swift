import Foundation

extension URL {
    /// The host that limits and records are kept for: lower case, with the port where the address names one.
    package var hostKey: String { key(ofHost: host() ?? "") }

    package func key(ofHost name: String) -> String {
        let host = name.lowercased()
        return port.map { "\(host):\($0)" } ?? host
    }

    /// Whether its scheme is https.
    package var isSecure: Bool { scheme?.lowercased() == "https" }
}
