import AlcedoHTTPRequests
import AlcedoSupport
import FoundationEssentials

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
    let digest: Credential?
    /// Whether the proxy requested a digest login.
    let usesProxyDigest: Bool
    /// Whether a digest login is possible and not tried yet, with the server and with the proxy.
    let canTryDigest: (server: Bool, proxy: Bool)
    let isSecure: Bool
    /// The host and port, under which facts about the host are remembered.
    let host: String

    /// The challenges that the library answers itself, by their statuses.
    var answered: Set<Int> { Set((digest == nil ? [] : [401]) + (usesProxyDigest ? [407] : [])) }

    /// The key of a digest login, whose nonce is valid only for this host, through this proxy; "" without a login.
    var loginKey: String {
        digest == nil ? "" : "\(isSecure) \(host) \(proxy.map { "\($0.kind) \($0.host) \($0.port)" } ?? "")"
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
        var fields = [
            HeaderField(name: "user-agent", value: configuration.userAgent),
            HeaderField(name: "accept", value: "image/webp,image/png,image/jpeg,image/gif,image/*;q=0.8,*/*;q=0.5"),
            // Without this field a server may choose any coding (RFC 9110, section 12.5.3).
            HeaderField(name: "accept-encoding", value: "identity"),
        ]
        for field in configuration.headers(for: request.url) { fields.set(field.name, field.value) }
        if let firstBytes = request.firstBytes { fields.set("range", "bytes=0-\(max(1, firstBytes) - 1)") }
        for field in request.headers + (request.validators?.conditions ?? []) + (part?.conditions ?? []) {
            fields.set(field.name, field.value)
        }
        if let cookies { fields.set("cookie", (fields.first("cookie").map { "\($0); " } ?? "") + cookies) }
        let origin = Origin(request.url)
        let learned = logins.credentials[origin]
        let own =
            Credential(userInfoOf: request.url)
            ?? configuration.credentials.credential(for: request.url, isUsersOwn: isOriginalOrigin)
        let hasOwnField = fields.first("authorization") != nil
        let password = (learned ?? own).flatMap { $0.isPassword ? $0 : nil }
        digest = logins.digests.contains(origin) && !hasOwnField ? password : nil
        if digest == nil, let credential = learned ?? (hasOwnField ? nil : own) {
            fields.set("authorization", credential.fieldValue)
        }
        lines = try fields.map { field throws(DownloadError) in try field.line }
        address = Self.address(of: request.url)
        isSecure = request.url.isSecure
        host = request.url.hostKey
        var proxy = proxy
        if let learned = proxy.flatMap({ logins.credentials[Origin($0)] }) { proxy?.credential = learned }
        let hasProxyPassword = proxy?.credential?.isPassword == true
        proxyLines = proxy?.credential.map { hasProxyPassword ? [] : ["proxy-authorization: " + $0.fieldValue] } ?? []
        usesProxyDigest = proxy.map { logins.digests.contains(Origin($0)) } ?? false
        self.proxy = proxy
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
    fileprivate var isPassword: Bool { if case .basic = self { true } else { false } }
}

/// The credentials from answered challenges, and the origins that requested a digest login.
struct Logins: Sendable {
    var credentials: [Origin: Credential] = [:]
    var digests: Set<Origin> = []
}

extension [HeaderField] {
    /// Returns the first value of a field; `name` is in lower case.
    func first(_ name: String) -> String? { first { $0.isNamed(name) }?.value }

    /// Replaces all fields of the name.
    fileprivate mutating func set(_ name: String, _ value: String) {
        removeAll { $0.isNamed(name.lowercased()) }
        append(HeaderField(name: name, value: value))
    }
}

extension HeaderField {
    /// The line in the form of libcurl: a semicolon after a name without a value.
    fileprivate var line: String {
        get throws(DownloadError) {
            guard !name.isEmpty, name.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x3A }),
                value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
            else { throw .response(.transport(.environment("a header field holds a character that cannot be sent"))) }
            return value.isEmpty ? name + ";" : "\(name): \(value)"
        }
    }
}
