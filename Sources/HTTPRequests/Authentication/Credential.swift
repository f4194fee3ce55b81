import FoundationEssentials

/// The value of an `Authorization` or `Proxy-Authorization` field.
public enum Credential: Sendable, Hashable {
    /// A user and a password (RFC 7617).
    case basic(user: String, password: String)
    /// A bearer token (RFC 6750).
    case bearer(token: String)
    /// The complete field value, for any other scheme.
    case field(String)

    /// The field's value, which is secret.
    package var fieldValue: String {
        switch self {
        case .basic(let user, let password): "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
        case .bearer(let token): "Bearer " + token
        case .field(let value): value
        }
    }
}

extension Credential {
    /// Creates a credential from the decoded `user:password@` of an address; nil if the address has no user.
    package init?(userInfoOf url: URL) {
        guard let user = url.user(percentEncoded: false) else { return nil }
        self = .basic(user: user, password: url.password(percentEncoded: false) ?? "")
    }
}

/// Descriptions that never contain the secret.
extension Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        switch self {
        case .basic: "basic credentials"
        case .bearer: "a bearer token"
        case .field: "credentials"
        }
    }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: []) }
}
