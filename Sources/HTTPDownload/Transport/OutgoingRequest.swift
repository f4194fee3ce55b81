import AsyncHTTPClient
import Foundation
import NIOHTTP1

/// The pure composition of a request's address, fields and credentials for a route.
struct OutgoingRequest {
    let request: DownloadRequest
    let configuration: DownloaderConfiguration
    /// Whether the address has the origin that the user requested, and is not a redirect target elsewhere.
    let isUsersOwn: Bool
    /// The credentials from answered challenges, which take precedence over all others.
    let learned: [Origin: Credential]
    /// The value of the `Cookie` field; nil if there are no cookies.
    var cookies: String?
    let part: BodyPart?
    let route: HTTPTransport.Route

    /// The request for the HTTP client; a forwarded request is addressed to the proxy.
    var message: HTTPClientRequest {
        var message = HTTPClientRequest(url: address)
        message.headers = headers
        if case .forward(let proxy) = route {
            message.headers.replaceOrAdd(name: "host", value: headers.first(name: "host") ?? authority)
            if let field = (learned[Origin(proxy)] ?? proxy.credential)?.fieldValue {
                message.headers.replaceOrAdd(name: "proxy-authorization", value: field)
            }
        }
        return message
    }

    /// The absolute target for the request line of a forwarded request; nil for other routes.
    var absoluteTarget: String? {
        guard case .forward = route else { return nil }
        return "http://\(authority)\(pathAndQuery)"
    }

    private var address: String {
        guard case .forward(let proxy) = route else { return Self.withoutUserInfo(request.url) }
        let host = proxy.host.contains(":") && !proxy.host.hasPrefix("[") ? "[\(proxy.host)]" : proxy.host
        return "http://\(host):\(proxy.port)\(pathAndQuery)"
    }

    private var headers: HTTPHeaders {
        var headers: HTTPHeaders = [
            "user-agent": configuration.userAgent,
            "accept": "image/webp,image/png,image/jpeg,image/gif,image/*;q=0.8,*/*;q=0.5",
            // Without this field a server may choose any coding (RFC 9110, section 12.5.3).
            "accept-encoding": "identity",
        ]
        for field in configuration.headers(for: request.url) {
            headers.replaceOrAdd(name: field.name, value: field.value)
        }
        if let firstBytes = request.firstBytes {
            headers.add(name: "range", value: "bytes=0-\(max(1, firstBytes) - 1)")
        }
        for field in request.headers + (request.validators?.conditions ?? []) + (part?.conditions ?? []) {
            headers.replaceOrAdd(name: field.name, value: field.value)
        }
        if let field = cookies {
            let own = headers.first(name: "cookie").map { "\($0); " } ?? ""
            headers.replaceOrAdd(name: "cookie", value: own + field)
        }
        if !learned.isEmpty, let credential = learned[Origin(request.url)] {
            headers.replaceOrAdd(name: "authorization", value: credential.fieldValue)
        } else if !headers.contains(name: "authorization"), let credential = unaskedCredential {
            headers.add(name: "authorization", value: credential.fieldValue)
        }
        return headers
    }

    private var unaskedCredential: Credential? {
        Credential(userInfoOf: request.url)
            ?? configuration.credentials.credential(for: request.url, isUsersOwn: isUsersOwn)
    }

    private var authority: String {
        guard let parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true) else { return "" }
        return (parts.encodedHost ?? "") + (parts.port.map { ":\($0)" } ?? "")
    }

    private var pathAndQuery: String {
        let parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true)
        let path = parts?.percentEncodedPath ?? ""
        return (path.isEmpty ? "/" : path) + (parts?.percentEncodedQuery.map { "?" + $0 } ?? "")
    }

    static func withoutUserInfo(_ url: URL) -> String {
        guard url.user != nil || url.password != nil, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return url.absoluteString }
        parts.user = nil
        parts.password = nil
        return parts.string ?? url.absoluteString
    }
}
