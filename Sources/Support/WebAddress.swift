import FoundationEssentials

/// The conversion of addresses from users, lists and servers to URLs.
package enum WebAddress {
    /// Returns the URL of an address after encoding it with `AddressEncoder`; nil if the text is not a URL.
    ///
    /// Foundation alone would escape existing escapes again if any other character is invalid: `a%2Fb[1]` would become
    /// `a%252Fb%5B1%5D`.
    package static func url(_ text: String, relativeTo base: URL? = nil) -> URL? {
        let address = AddressEncoder.encode(text)
        guard let base else { return URL(string: address) }
        // A relative address is resolved first, so that its dot segments are removed together with the base's.
        guard let whole = URL(string: address, relativeTo: base)?.absoluteString else { return nil }
        return URL(string: AddressEncoder.encode(whole))
    }
}

extension URL {
    /// The key for limits and records of a host: its name in lower case, with the port unless it is the scheme's own.
    package var hostKey: String { key(ofHost: host() ?? "") }

    package func key(ofHost name: String) -> String {
        let host = name.lowercased()
        guard let port, port != ["http": 80, "https": 443][scheme?.lowercased() ?? ""] else { return host }
        return "\(host):\(port)"
    }

    /// Whether the scheme is https.
    package var isSecure: Bool { scheme?.lowercased() == "https" }
}
