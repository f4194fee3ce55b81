import Foundation

/// The reason why the address of a proxy cannot be used; it never contains the user or password.
public enum ProxyProblem: Error, Sendable, Hashable {
    /// The text is not an address.
    case notAnAddress
    /// The scheme is none of `http:`, `socks5:` and `socks5h:`.
    case scheme(String)
    /// A SOCKS address has a user and password, which is not supported.
    case credentialsForSOCKS
}

extension ProxyProblem: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notAnAddress: "it is no address"
        case .scheme(let scheme): "proxies of the kind \(scheme): are not supported"
        case .credentialsForSOCKS: "a SOCKS proxy with a password is not supported"
        }
    }
}

/// A proxy and the credential for it.
public struct ProxyServer: Sendable, Hashable {
    /// The protocol of a proxy.
    public enum Kind: Sendable, Hashable {
        /// An HTTP proxy, which forwards plain http requests and opens tunnels (`CONNECT`) for https.
        case http
        /// A SOCKS5 proxy, which opens tunnels and resolves host names itself (RFC 1928).
        case socks5
    }

    /// The protocol; `.http` by default.
    public var kind: Kind
    /// The host name or IP address.
    public var host: String
    /// The port; 1080 by default, as in curl.
    public var port: Int
    /// The credential that is sent without a challenge; nil (none) by default.
    public var credential: Credential?

    public init(kind: Kind = .http, host: String, port: Int = 1080, credential: Credential? = nil) {
        self.kind = kind
        self.host = host
        self.port = port
        self.credential = credential
    }

    /// Parses an address such as `http://user:password@proxy:3128`, `proxy:3128` or `socks5://proxy`.
    public init(_ address: String) throws(ProxyProblem) {
        let whole = address.contains("://") ? address : "http://" + address
        guard let url = URL(string: whole), let scheme = url.scheme?.lowercased(), let host = url.host(),
            !host.isEmpty
        else { throw .notAnAddress }
        let credential = Credential(userInfoOf: url)
        let kind = try Self.kind(of: scheme)
        guard kind == .http || credential == nil else { throw .credentialsForSOCKS }
        self.init(kind: kind, host: host, port: url.port ?? 1080, credential: credential)
    }

    private static func kind(of scheme: String) throws(ProxyProblem) -> Kind {
        switch scheme {
        case "http": return .http
        case "socks5", "socks5h": return .socks5
        default: throw .scheme(scheme)
        }
    }
}
