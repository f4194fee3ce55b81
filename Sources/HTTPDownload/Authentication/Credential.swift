import Foundation

/// What proves who asks: the value of an `Authorization` or `Proxy-Authorization` field.
public enum Credential: Sendable, Hashable {
    /// User and password (RFC 7617).
    case basic(user: String, password: String)
    /// A token (RFC 6750).
    case bearer(token: String)
    /// The field's whole value, for any other scheme.
    case field(String)

    /// The field's value; a secret.
    var fieldValue: String {
        switch self {
        case .basic(let user, let password): "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
        case .bearer(let token): "Bearer " + token
        case .field(let value): value
        }
    }
}

extension Credential {
    /// The `user:password@` of an address, decoded; nil without a user.
    init?(userInfoOf url: URL) {
        guard let user = url.user(percentEncoded: false) else { return nil }
        self = .basic(user: user, password: url.password(percentEncoded: false) ?? "")
    }
}

/// However a credential is printed, its secret is not.
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
