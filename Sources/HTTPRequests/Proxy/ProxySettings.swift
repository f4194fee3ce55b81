import FoundationEssentials
import Glibc

/// The proxies for http and https addresses.
public struct ProxySettings: Sendable, Hashable {
    /// A proxy for a scheme, or the reason why its setting cannot be used.
    enum Entry: Sendable, Hashable {
        case server(ProxyServer)
        /// An invalid setting, which fails transfers: they must not bypass a proxy that the user wanted.
        case unusable(variable: String, ProxyProblem)
    }

    private(set) var http: Entry?
    private(set) var https: Entry?
    /// The hosts that are reached without a proxy.
    public var exceptions = NoProxyRules()

    /// The settings without a proxy; the default.
    public static let none = ProxySettings()

    private init() {}

    /// Creates settings with one proxy for every address but the exceptions.
    public init(_ server: ProxyServer, exceptions: NoProxyRules = NoProxyRules()) {
        (http, https) = (.server(server), .server(server))
        self.exceptions = exceptions
    }

    /// Reads the proxies from the environment: `http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`, as in curl.
    ///
    /// Lower-case names take precedence over upper-case ones. `HTTP_PROXY` is ignored, because a web server may set
    /// it from a client's `Proxy` field (CVE-2016-5385). An empty value means no proxy.
    public init(environment: [String: String]) {
        func entry(_ names: String...) -> Entry? {
            for name in names {
                guard let address = environment[name], !address.isEmpty else { continue }
                do throws(ProxyProblem) {
                    return .server(try ProxyServer(address))
                } catch {
                    return .unusable(variable: name, error)
                }
            }
            return nil
        }
        http = entry("http_proxy", "all_proxy", "ALL_PROXY")
        https = entry("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
        exceptions = NoProxyRules(environment["no_proxy"] ?? environment["NO_PROXY"] ?? "")
    }

    /// Why a setting of the environment cannot be used; nil if all can.
    package var problem: String? {
        for case .unusable(let variable, let problem)? in [http, https] {
            return Self.text(of: problem, in: variable)
        }
        return nil
    }

    private static func text(of problem: ProxyProblem, in variable: String) -> String {
        "the proxy of \(variable) cannot be used: \(problem)"
    }

    /// Returns the proxy for an address, or nil for a direct connection.
    package func server(for url: URL) throws(DownloadError) -> ProxyServer? {
        guard http != nil || https != nil else { return nil }
        let origin = Origin(url)
        guard let entry = origin.scheme == "https" ? https : http, !exceptions.contains(origin.host, port: origin.port)
        else { return nil }
        switch entry {
        case .server(let server): return server
        case .unusable(let variable, let problem):
            throw .response(.transport(.environment(Self.text(of: problem, in: variable))))
        }
    }
}

/// The reason why the address of a proxy cannot be used; it never contains the user or password.
public enum ProxyProblem: Error, Sendable, Hashable {
    /// The text is not an address.
    case notAnAddress
    /// The scheme is none of those in `ProxyServer.Kind`.
    case scheme(String)
}

extension ProxyProblem: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notAnAddress: "it is no address"
        case .scheme(let scheme): "proxies of the kind \(scheme): are not supported"
        }
    }
}

/// A proxy and the credential for it.
public struct ProxyServer: Sendable, Hashable {
    /// The protocol of a proxy.
    public enum Kind: String, Sendable, Hashable {
        /// An HTTP proxy, which forwards plain http requests and opens tunnels (`CONNECT`) for https.
        case http
        /// An HTTP proxy that is reached over TLS.
        case https
        /// A SOCKS5 proxy, which opens tunnels and resolves host names itself (RFC 1928).
        case socks5 = "socks5h"
        /// A SOCKS4 proxy; names are resolved here.
        case socks4
        /// A SOCKS4 proxy that resolves host names itself.
        case socks4a
    }

    /// The protocol; `.http` by default.
    package var kind: Kind
    /// The host name or IP address.
    package var host: String
    /// The port; 1080 by default, as in curl.
    package var port: Int
    /// The credential that is sent without a challenge; nil (none) by default.
    package var credential: Credential?

    /// Creates a proxy server.
    public init(kind: Kind = .http, host: String, port: Int = 1080, credential: Credential? = nil) {
        (self.kind, self.host, self.port, self.credential) = (kind, host, port, credential)
    }

    /// Parses an address such as `http://user:password@proxy:3128`, `proxy:3128` or `socks5://proxy`.
    public init(_ address: String) throws(ProxyProblem) {
        let whole = address.contains("://") ? address : "http://" + address
        guard let url = URL(string: whole), let scheme = url.scheme?.lowercased(), let host = url.host(),
            !host.isEmpty
        else { throw .notAnAddress }
        let credential = Credential(userInfoOf: url)
        let kind = try Self.kind(of: scheme)
        self.init(kind: kind, host: host, port: url.port ?? (kind == .https ? 443 : 1080), credential: credential)
    }

    private static func kind(of scheme: String) throws(ProxyProblem) -> Kind {
        if scheme == "socks5" || scheme == "socks" { return .socks5 }
        guard let kind = Kind(rawValue: scheme) else { throw .scheme(scheme) }
        return kind
    }
}

/// The hosts that are reached without a proxy, in the format of `no_proxy`.
///
/// Rules are separated by commas or spaces: `example.org` and `.example.org` (the host and its subdomains), either
/// with a `:port`, IP addresses, address blocks (`10.0.0.0/8`), and `*` for all hosts.
public struct NoProxyRules: Sendable, Hashable {
    private enum Rule: Sendable, Hashable {
        case everything
        case name(String, port: Int?)
        case address(IPAddress, port: Int?)
        case block(IPAddress, bits: Int)
    }

    private let rules: [Rule]

    /// Parses the rules and ignores invalid ones; there are none by default.
    public init(_ text: String = "") {
        rules = text.split { $0 == "," || $0.isWhitespace }.compactMap(Self.rule)
    }

    private static func rule(_ word: Substring) -> Rule? {
        if word == "*" { return .everything }
        if let slash = word.firstIndex(of: "/") {
            guard let address = IPAddress(bare(word[..<slash])), let bits = Int(word[word.index(after: slash)...]),
                (0...address.bytes.count * 8).contains(bits)
            else { return nil }
            return .block(address, bits: bits)
        }
        if let address = IPAddress(bare(word)) { return .address(address, port: nil) }
        let (host, port) = split(word)
        if let address = IPAddress(bare(host)) { return .address(address, port: port) }
        let name = host.drop { $0 == "." }
        return name.isEmpty ? nil : .name(normal(name), port: port)
    }

    /// Returns whether the host is reached without a proxy.
    func contains(_ host: String, port: Int) -> Bool {
        let name = Self.normal(host[...])
        let address = IPAddress(Self.bare(name[...]))
        return rules.contains { rule in
            switch rule {
            case .everything: true
            case .name(let suffix, let wanted):
                address == nil && Self.fits(wanted, port) && (name == suffix || name.hasSuffix("." + suffix))
            case .address(let one, let wanted): one == address && Self.fits(wanted, port)
            case .block(let network, let bits): address.map { $0.shares(bits: bits, with: network) } ?? false
            }
        }
    }

    private static func fits(_ wanted: Int?, _ port: Int) -> Bool { wanted == nil || wanted == port }

    private static func split(_ word: Substring) -> (host: Substring, port: Int?) {
        guard let colon = word.lastIndex(of: ":"), let port = Int(word[word.index(after: colon)...]) else {
            return (word, nil)
        }
        return (word[..<colon], port)
    }

    private static func normal(_ host: Substring) -> String {
        (host.hasSuffix(".") ? host.dropLast() : host).lowercased()
    }

    /// Returns the host without the brackets of an IPv6 address.
    private static func bare(_ host: Substring) -> Substring {
        host.hasPrefix("[") && host.hasSuffix("]") ? host.dropFirst().dropLast() : host
    }
}

/// An IPv4 or IPv6 address, parsed from text.
struct IPAddress: Sendable, Hashable {
    /// The address as 4 or 16 bytes, most significant byte first.
    let bytes: [UInt8]

    init?(_ text: some StringProtocol) {
        let text = String(text)
        if let bytes = Self.bytes(of: text, family: AF_INET, count: 4) {
            self.bytes = bytes
        } else if let bytes = Self.bytes(of: text, family: AF_INET6, count: 16) {
            self.bytes = bytes
        } else {
            return nil
        }
    }

    /// Returns whether both addresses have the same first bits; false for different families.
    func shares(bits: Int, with other: IPAddress) -> Bool {
        guard bytes.count == other.bytes.count else { return false }
        return zip(bytes, other.bytes).enumerated().allSatisfy { index, pair in
            let relevant = min(max(bits - index * 8, 0), 8)
            let mask = relevant == 0 ? 0 : UInt8.max << UInt8(8 - relevant)
            return pair.0 & mask == pair.1 & mask
        }
    }

    private static func bytes(of text: String, family: CInt, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }
}
