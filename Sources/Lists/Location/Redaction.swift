import Foundation

/// A location as it may be shown or written down: without credentials and secret query values.
public enum Redaction {
    /// The location without `user:password@`, with `…` for the value of every query or fragment key that names a
    /// secret (token, signature, key, password and the like), and with the payload of a `data` URL left out.
    public static func display(_ location: String) -> String {
        guard let parts = URLParts(location[...]) else { return location }
        if parts.scheme.lowercased() == "data" { return data(location) }
        guard parts.authority != nil else { return location }
        let query = parts.query.map { "?" + values($0) } ?? ""
        let fragment = parts.fragment.map { "#" + values($0) } ?? ""
        return "\(parts.scheme)://\(parts.hostAndPort)\(parts.path)\(query)\(fragment)"
    }

    /// The longest part of a `data` URL's head that is shown, in characters.
    private static let headLimit = 64

    private static func data(_ location: String) -> String {
        let head = location.prefix(headLimit).prefix { $0 != "," }
        return "\(head),… (\(location.utf8.count) characters)"
    }

    private static func values(_ query: Substring) -> String {
        query.split(separator: "&", omittingEmptySubsequences: false).map(value).joined(separator: "&")
    }

    private static func value(_ pair: Substring) -> String {
        guard let equals = pair.firstIndex(of: "="), isSecret(pair[..<equals]) else { return String(pair) }
        return pair[...equals] + "…"
    }

    private static let secrets: Set<String> = [
        "key", "sig", "auth", "authorization", "pass", "passwd", "pwd", "passphrase", "code", "session", "sessionid",
        "sid", "jwt", "bearer", "hmac", "policy", "hdnea", "hdnts", "oh", "oauth",
    ]

    private static let secretEndings = [
        "token", "signature", "secret", "password", "credential", "credentials", "apikey", "accesskey", "keyid",
        "keypairid", "privatekey",
    ]

    /// Whether the key names a secret, whatever its case, dashes, underscores and percent escapes.
    private static func isSecret(_ key: Substring) -> Bool {
        let plain = (String(key).removingPercentEncoding ?? String(key)).lowercased()
        let name = plain.filter { $0.isLetter || $0.isNumber }
        return secrets.contains(name) || secretEndings.contains { name.hasSuffix($0) }
    }
}
