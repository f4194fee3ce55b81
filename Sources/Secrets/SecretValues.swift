import Foundation

/// Tells which values of an address are secrets, by their names.
public enum SecretValues {
    /// A query or fragment with `…` for every value whose name tells of a secret: token, signature, key, password and
    /// the like.
    public static func hidden(in query: Substring) -> String {
        query.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
            .map { hidden(pair: Substring($0)) }.joined(separator: "&")
    }

    private static func hidden(pair: Substring) -> String {
        guard let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")), isSecret(pair[..<equals]) else {
            return String(pair)
        }
        return pair[...equals] + "…"
    }

    private static let names: Set<String> = [
        "key", "sig", "auth", "authorization", "pass", "passwd", "pwd", "passphrase", "code", "session", "sessionid",
        "sid", "jwt", "bearer", "hmac", "policy", "hdnea", "hdnts", "oh", "oauth",
    ]

    private static let endings = [
        "token", "signature", "secret", "password", "credential", "credentials", "apikey", "accesskey", "keyid",
        "keypairid", "privatekey",
    ]

    /// Whether the key names a secret, whatever its case, dashes, underscores and percent escapes.
    private static func isSecret(_ key: Substring) -> Bool {
        let plain = (String(key).removingPercentEncoding ?? String(key)).lowercased()
        let name = plain.filter { $0.isLetter || $0.isNumber }
        return names.contains(name) || endings.contains { name.hasSuffix($0) }
    }
}
