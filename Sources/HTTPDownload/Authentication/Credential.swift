import Foundation

/// The value of an `Authorization` or `Proxy-Authorization` field.
public enum Credential: Sendable, Hashable {
    /// A user and a password (RFC 7617).
    case basic(user: String, password: String)
    /// A bearer token (RFC 6750).
    case bearer(token: String)
    /// The complete field value, for any other scheme.
    case field(String)

    /// The field's value, which is secret.
    var fieldValue: String {
        switch self {
        case .basic(let user, let password): "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
        case .bearer(let token): "Bearer " + token
        case .field(let value): value
        }
    }
}

extension Credential {
    /// Creates a credential from the decoded `user:password@` of an address; nil if the address has no user.
    init?(userInfoOf url: URL) {
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

/// Credentials that are sent without a challenge, each to its own host only.
public struct HostCredentials: Sendable, Hashable {
    private var hosts: [String: Credential] = [:]
    /// The netrc file that is used for hosts without a credential of their own; nil (off) by default.
    public var netrc: NetrcFile?

    public init() {}

    /// The credential of a host: `example.org` for its standard ports, `example.org:8443` for another port.
    public subscript(host: String) -> Credential? {
        get { hosts[host.lowercased()] }
        set { hosts[host.lowercased()] = newValue }
    }

    /// Returns the credential to send to an address, or nil.
    ///
    /// The `default` entry of the netrc file applies only to addresses that the user named, not to redirect
    /// targets.
    func credential(for url: URL, isUsersOwn: Bool) -> Credential? {
        guard !hosts.isEmpty || netrc != nil else { return nil }
        let origin = Origin(url)
        if let named = origin.keys.lazy.compactMap({ hosts[$0] }).first { return named }
        return netrc?.credential(for: origin.host) ?? (isUsersOwn ? netrc?.defaultCredential : nil)
    }
}

/// The credentials that answered challenges in one transfer, by origin or proxy.
struct LearnedCredentials {
    private var origins: [Origin: Credential] = [:]
    private var proxies: [ProxyAddress: Credential] = [:]

    private struct ProxyAddress: Hashable {
        let host: String
        let port: Int
    }

    subscript(url: URL) -> Credential? {
        get { origins.isEmpty ? nil : origins[Origin(url)] }
        set { origins[Origin(url)] = newValue }
    }

    subscript(proxy: ProxyServer) -> Credential? {
        get { proxies[ProxyAddress(host: proxy.host, port: proxy.port)] }
        set { proxies[ProxyAddress(host: proxy.host, port: proxy.port)] = newValue }
    }
}
