import Support

/// Texts and locations without credentials and secret values, for display and logs.
package enum Redaction {
    /// Returns the location without `user:password@`, with `…` for the value of every query or fragment key that names
    /// a secret (token, signature, key, password and the like), and without the payload of a `data` URL.
    package static func display(_ location: String) -> String {
        guard let parts = URLParts(location[...]) else { return SecretRedactor.removeCredentials(from: location) }
        if parts.scheme.lowercased() == "data" {
            let head = location.prefix(headLimit).prefix { $0 != "," }
            return "\(head),… (\(location.utf8.count) characters)"
        }
        guard parts.authority != nil else { return SecretRedactor.removeCredentials(from: location) }
        let query = parts.query.map { "?" + SecretRedactor.redact(query: $0) } ?? ""
        let fragment = parts.fragment.map { "#" + SecretRedactor.redact(query: $0) } ?? ""
        let path = SecretRedactor.redact(path: parts.path)
        return SecretRedactor.removeCredentials(
            from: "\(parts.scheme)://\(parts.hostAndPort)\(path)\(query)\(fragment)")
    }

    /// Returns a text of a list, such as a title, without the credentials of addresses in it.
    package static func text(_ text: String) -> String { SecretRedactor.removeCredentials(from: text) }

    /// The maximum length of a `data` URL's head that is shown, in characters.
    private static let headLimit = 64
}
