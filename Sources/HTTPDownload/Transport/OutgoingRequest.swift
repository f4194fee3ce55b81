import AlcedoHTTPRequests
import AlcedoSupport
import Foundation

/// The pure composition of a request: its address, fields, credentials and proxy.
struct OutgoingRequest: Sendable {
    /// The address without user, password and fragment, otherwise as it was written.
    let address: String
    /// The fields as lines of a head.
    let lines: [String]
    /// The fields for the proxy only.
    let proxyLines: [String]
    let proxy: ProxyServer?
    /// The user and password of a digest login, which the library makes; nil for all other kinds.
    let digest: UserPassword?
    /// Whether the proxy requested a digest login.
    let usesProxyDigest: Bool
    /// Whether a digest login is possible and not tried yet, with the server and with the proxy.
    let canTryDigest: (server: Bool, proxy: Bool)
    let isSecure: Bool
    /// The host and port, under which facts about the host are remembered.
    let host: String

    /// The challenges that the library answers itself, by their statuses.
    var answered: Set<Int> { Set((digest == nil ? [] : [401]) + (usesProxyDigest ? [407] : [])) }

    /// The key of a digest login: its nonce is valid only for this host, through this proxy.
    var loginKey: String { "\(isSecure) \(host) \(proxy.map { "\($0.kind) \($0.host) \($0.port)" } ?? "")" }

    /// A user and a password.
    struct UserPassword: Sendable, Hashable {
        var user: String
        var password: String
    }

    /// Composes a request.
    ///
    /// - Parameters:
    ///   - isOriginalOrigin: Whether the address still has the origin that the user requested, even after redirects.
    ///   - logins: The credentials from answered challenges, which take precedence over all others.
    ///   - cookies: The value of the `Cookie` field; nil if there are no cookies.
    ///   - part: The part of the body that an earlier attempt received.
    /// - Throws: `.environment` if a field cannot be sent, which says nothing about the address.
    init(
        _ request: DownloadRequest, configuration: DownloaderConfiguration, isOriginalOrigin: Bool, logins: Logins,
        cookies: String?, part: BodyPart?, proxy: ProxyServer?
    ) throws(DownloadError) {
        var fields = FieldList(configuration)
        for field in configuration.headers(for: request.url) { fields.set(field) }
        if let firstBytes = request.firstBytes {
            fields.set("range", "bytes=0-\(max(1, firstBytes) - 1)")
        }
        for field in request.headers + (request.validators?.conditions ?? []) + (part?.conditions ?? []) {
            fields.set(field)
        }
        if let cookies {
            fields.set("cookie", (fields["cookie"].map { "\($0); " } ?? "") + cookies)
        }
        let origin = Origin(request.url)
        let own =
            Credential(userInfoOf: request.url)
            ?? configuration.credentials.credential(for: request.url, isUsersOwn: isOriginalOrigin)
        let password = (logins[origin] ?? own)?.userPassword
        digest = logins.usesDigest(origin) && fields["authorization"] == nil ? password : nil
        if digest == nil {
            if let credential = logins[origin] {
                fields.set("authorization", credential.fieldValue)
            } else if fields["authorization"] == nil, let own {
                fields.set("authorization", own.fieldValue)
            }
        }
        lines = try fields.lines()
        address = Self.address(of: request.url)
        isSecure = request.url.isSecure
        host = request.url.hostKey
        var (proxy, proxyLines) = (proxy, [String]())
        if let learned = proxy.flatMap({ logins[Origin($0)] }) { proxy?.credential = learned }
        if let credential = proxy?.credential, credential.userPassword == nil {
            proxyLines = ["proxy-authorization: " + credential.fieldValue]
        }
        usesProxyDigest = proxy.map { logins.usesDigest(Origin($0)) } ?? false
        (self.proxy, self.proxyLines) = (proxy, proxyLines)
        let hasProxyPassword = proxy?.credential?.userPassword != nil
        canTryDigest = (password != nil && digest == nil, hasProxyPassword && !usesProxyDigest)
    }

    /// Returns the address without user, password and fragment.
    ///
    /// Works on the text, because an escape that is no UTF-8 (`/caf%E9.jpg`) has no path in `URLComponents`.
    static func address(of url: URL) -> String {
        let text = url.absoluteString
        let end = text.firstIndex(of: "#") ?? text.endIndex
        guard let colon = text.firstRange(of: "://") else { return String(text[..<end]) }
        let rest = text[colon.upperBound..<end]
        let authority = rest.prefix { !"/?".contains($0) }
        guard let at = authority.lastIndex(of: "@") else { return String(text[..<end]) }
        return String(text[..<colon.upperBound]) + rest[rest.index(after: at)...]
    }
}

extension Credential {
    /// The user and password of a basic credential.
    fileprivate var userPassword: OutgoingRequest.UserPassword? {
        if case .basic(let user, let password) = self { .init(user: user, password: password) } else { nil }
    }
}

/// The credentials from answered challenges, and the origins that requested a digest login.
struct Logins: Sendable {
    private var credentials: [Origin: Credential] = [:]
    private var digests: Set<Origin> = []

    subscript(origin: Origin) -> Credential? {
        get { credentials[origin] }
        set { credentials[origin] = newValue }
    }

    func usesDigest(_ origin: Origin) -> Bool { digests.contains(origin) }

    mutating func useDigest(_ origin: Origin) { digests.insert(origin) }

    mutating func merge(_ other: Set<Origin>) { digests.formUnion(other) }
}

/// The fields of a request, each name once.
private struct FieldList {
    private var fields: [HeaderField]

    init(_ configuration: DownloaderConfiguration) {
        fields = [
            HeaderField(name: "user-agent", value: configuration.userAgent),
            HeaderField(
                name: "accept", value: "image/webp,image/png,image/jpeg,image/gif,image/*;q=0.8,*/*;q=0.5"),
            // Without this field a server may choose any coding (RFC 9110, section 12.5.3).
            HeaderField(name: "accept-encoding", value: "identity"),
        ]
    }

    subscript(name: String) -> String? { fields.first { $0.isNamed(name) }?.value }

    mutating func set(_ field: HeaderField) {
        fields.removeAll { $0.isNamed(field.name.lowercased()) }
        fields.append(field)
    }

    mutating func set(_ name: String, _ value: String) { set(HeaderField(name: name, value: value)) }

    /// Returns the lines in the form of libcurl: a semicolon after a name without a value.
    func lines() throws(DownloadError) -> [String] {
        var lines: [String] = []
        for field in fields {
            guard !field.name.isEmpty, field.name.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x3A }),
                field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
            else { throw .response(.transport(.environment("a header field holds a character that cannot be sent"))) }
            lines.append(field.value.isEmpty ? field.name + ";" : "\(field.name): \(field.value)")
        }
        return lines
    }
}
