import FoundationEssentials

/// The names of values that are secret, such as `token`, `api_key`, `X-Amz-Signature` and `SAMLResponse`.
///
/// A name is secret if any of its words is secret. Words end at punctuation and before capitals. A compound without
/// either, such as `appkey`, is secret if it consists of known words only; so `monkey` and `design` are not secret.
enum SecretName {
    private static let words: Set<String> = [
        "key", "apikey", "token", "tok", "sig", "sign", "signed", "signature", "auth", "authorization",
        "authentication",
        "oauth", "sso", "pass", "passwd", "pwd", "password", "passphrase", "passcode", "secret", "cred", "creds",
        "credential", "credentials", "session", "sess", "sid", "ticket", "otp", "totp", "saml", "jwt", "bearer", "hmac",
        "policy", "login", "cookie", "csrf", "xsrf", "md5",
    ]

    /// Words that are secret only if they are the whole name.
    private static let wholeNames: Set<String> = ["code", "oh", "hdnea", "hdnts", "hdntl"]

    /// Words that may be joined with a secret word in a compound, such as `accesskey` and `jsessionid`.
    private static let companions: Set<String> = [
        "access", "account", "admin", "amz", "api", "app", "asp", "aws", "cdn", "client", "code", "data", "device",
        "file",
        "goog", "hash", "id", "image", "img", "j", "link", "magic", "master", "ms", "my", "net", "one", "pair", "php",
        "private", "public", "refresh", "request", "reset", "response", "security", "server", "service", "shared",
        "site",
        "storage", "subscription", "temp", "time", "url", "user", "value", "verify", "web", "x",
    ]

    private static let longestWord = 14

    /// Returns whether a name, percent-encoded or not, stands for a secret value.
    static func isOne(_ name: Substring) -> Bool {
        let text = name.utf8.contains(UInt8(ascii: "%")) ? AddressEncoder.decode(name) : String(name)
        if wholeNames.contains(text.lowercased()) { return true }
        return parts(of: text).contains { isSecret(compound: $0) }
    }

    /// Splits a name at every byte other than a letter or digit, and before capitals: `SAMLResponse` has two parts.
    private static func parts(of name: String) -> [String] {
        let bytes = Array(name.utf8)
        var parts: [[UInt8]] = [[]]
        for (place, byte) in bytes.enumerated() {
            guard byte.isLetter || byte.isDigit else {
                parts.append([])
                continue
            }
            if byte.isCapital, place > 0 {
                let isFollowedBySmall = place + 1 < bytes.count && bytes[place + 1].isSmall
                if bytes[place - 1].isSmall || bytes[place - 1].isCapital && isFollowedBySmall { parts.append([]) }
            }
            parts[parts.count - 1].append(byte.isCapital ? byte | 0x20 : byte)
        }
        return parts.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns whether a part consists of known words, one of them secret; digits at its end are ignored.
    private static func isSecret(compound part: String) -> Bool {
        if words.contains(part) { return true }
        let bytes = Array(part.utf8.reversed().drop { $0.isDigit }.reversed())
        guard bytes.count <= 40 else { return false }
        // For each number of bytes: nil if they are not made of known words, else whether one of the words is secret.
        var found: [Bool?] = [false] + Array(repeating: nil, count: bytes.count)
        for end in bytes.indices {
            for start in max(0, end + 1 - longestWord)...end {
                guard let before = found[start], found[end + 1] != true else { continue }
                let word = String(decoding: bytes[start...end], as: UTF8.self)
                if words.contains(word) {
                    found[end + 1] = true
                } else if companions.contains(word) {
                    found[end + 1] = before
                }
            }
        }
        return found[bytes.count] == true
    }
}

/// A value that looks secret whatever its name is.
enum SecretValue {
    /// The shortest value that can look like a secret.
    private static let shortest = 20

    /// The shortest secret whose digest is shown; the digest of a shorter one would help to guess it.
    private static let shortestDigested = 16

    /// Returns what is shown in place of a value: `…`, and for long ones 24 bits of a digest (FNV-1a).
    static func placeholder(_ value: Substring) -> String {
        guard value.utf8.count >= shortestDigested else { return "…" }
        let hash = value.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        let folded = (hash ^ hash >> 24 ^ hash >> 48) & 0xFF_FFFF
        let digits = String(folded, radix: 16)
        return "…" + String(repeating: "0", count: 6 - digits.count) + digits
    }

    /// Returns whether a value is a JSON web token, or has 20 or more characters of hexadecimal or base64 that change
    /// between letters, capitals and digits as often as random bytes do.
    static func isLikely(_ value: Substring) -> Bool {
        guard value.utf8.count >= shortest else { return false }
        let bytes = Array(
            (value.utf8.contains(UInt8(ascii: "%")) ? Substring(AddressEncoder.decode(value)) : value).utf8)
        if isJSONWebToken(bytes) { return true }
        let kinds = bytes.compactMap(Kind.init)
        let others = bytes.count { !$0.isLetter && !$0.isDigit }
        guard kinds.count >= shortest, bytes.allSatisfy({ $0.isBase64 }), kinds.contains(.digit),
            kinds.contains(where: { $0 != .digit }), others * 6 <= bytes.count
        else { return false }
        let changes = zip(kinds, kinds.dropFirst()).count { $0 != $1 }
        // The share of neighbours of different kinds is 0.47 in random hexadecimal and 0.6 in random base64. In names
        // it is below 0.2, or up to 0.4 if each word begins with a capital.
        let isMixed = kinds.contains(.small) && kinds.contains(.capital)
        return changes * 100 >= kinds.count * (isMixed ? 42 : 25)
    }

    private enum Kind {
        case small, capital, digit

        init?(_ byte: UInt8) {
            if byte.isSmall {
                self = .small
            } else if byte.isCapital {
                self = .capital
            } else if byte.isDigit {
                self = .digit
            } else {
                return nil
            }
        }
    }

    private static func isJSONWebToken(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: "eyJ".utf8) && bytes.count { $0 == UInt8(ascii: ".") } >= 2
            && bytes.allSatisfy { $0.isBase64 || $0 == UInt8(ascii: ".") }
    }
}

extension UInt8 {
    fileprivate var isSmall: Bool { (0x61...0x7A).contains(self) }
    fileprivate var isCapital: Bool { (0x41...0x5A).contains(self) }
    fileprivate var isLetter: Bool { isSmall || isCapital }
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
    fileprivate var isBase64: Bool { isLetter || isDigit || "+/=_-".utf8.contains(self) }
}
