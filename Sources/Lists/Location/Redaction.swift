import Secrets

/// A location as it may be shown or written down: without credentials and secret query values.
public enum Redaction {
    /// The location without `user:password@`, with `…` for the value of every query or fragment key that names a
    /// secret (token, signature, key, password and the like), and with the payload of a `data` URL left out.
    public static func display(_ location: String) -> String {
        guard let parts = URLParts(location[...]) else { return SecretValues.withoutCredentials(location) }
        if parts.scheme.lowercased() == "data" { return data(location) }
        guard parts.authority != nil else { return SecretValues.withoutCredentials(location) }
        let query = parts.query.map { "?" + SecretValues.hidden(in: $0) } ?? ""
        let fragment = parts.fragment.map { "#" + SecretValues.hidden(in: $0) } ?? ""
        let path = SecretValues.hidden(inPath: parts.path)
        return SecretValues.withoutCredentials("\(parts.scheme)://\(parts.hostAndPort)\(path)\(query)\(fragment)")
    }

    /// A text of a list, as a title is, in which an address may stand.
    public static func text(_ text: String) -> String { SecretValues.withoutCredentials(text) }

    /// The longest part of a `data` URL's head that is shown, in characters.
    private static let headLimit = 64

    private static func data(_ location: String) -> String {
        let head = location.prefix(headLimit).prefix { $0 != "," }
        return "\(head),… (\(location.utf8.count) characters)"
    }
}
