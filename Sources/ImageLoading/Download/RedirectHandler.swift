import Foundation

/// Decides about redirects, purely: the request to send next, or why there is none.
struct RedirectHandler: Sendable {
    let limits: DownloadLimits

    static let statusCodes: Set<Int> = [301, 302, 303, 307, 308]

    func next(
        after request: DownloadRequest, location: String?, redirectsSoFar: Int
    ) throws(ImageError) -> DownloadRequest {
        guard redirectsSoFar < limits.redirects else { throw .response(.redirect(.tooMany(limit: limits.redirects))) }
        guard let location, let target = URL(string: location, relativeTo: request.url)?.absoluteURL,
            let scheme = target.scheme?.lowercased(), target.host() != nil || !["http", "https"].contains(scheme)
        else { throw .response(.redirect(.missingLocation)) }
        guard ["http", "https"].contains(scheme) else { throw .response(.redirect(.toScheme(scheme))) }
        if request.url.scheme?.lowercased() == "https", scheme == "http", !limits.allowsDowngrade {
            throw .response(.redirect(.toInsecure))
        }
        let isSameOrigin = Origin(request.url) == Origin(target)
        return DownloadRequest(
            url: Self.withCredentials(of: isSameOrigin ? request.url : nil, target),
            headers: isSameOrigin ? request.headers : [])
    }

    /// A server's own choice of user and password is never taken; ours stay with our origin.
    private static func withCredentials(of original: URL?, _ target: URL) -> URL {
        guard var parts = URLComponents(url: target, resolvingAgainstBaseURL: true) else { return target }
        let own = original.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
        parts.percentEncodedUser = own?.percentEncodedUser
        parts.percentEncodedPassword = own?.percentEncodedPassword
        return parts.url ?? target
    }
}

/// Scheme, host and port; what credentials belong to (RFC 6454).
struct Origin: Hashable, Sendable {
    let scheme: String
    let host: String
    let port: Int

    init(_ url: URL) {
        scheme = url.scheme?.lowercased() ?? ""
        host = url.host()?.lowercased() ?? ""
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }
}
