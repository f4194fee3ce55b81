import AlcedoHTTPRequests
import AlcedoSupport
import FoundationEssentials

/// The pure rules that derive the next request from a redirect or refuse it.
enum RedirectRules {
    static let statusCodes: Set<Int> = [301, 302, 303, 307, 308]

    static func next(
        after request: DownloadRequest, location: String?, redirectsSoFar: Int, limits: DownloadLimits
    ) throws(DownloadError) -> DownloadRequest {
        guard redirectsSoFar < limits.redirects else { throw .response(.redirect(.tooMany(limit: limits.redirects))) }
        guard let location, let target = WebAddress.url(location, relativeTo: request.url)?.absoluteURL else {
            throw .response(.redirect(.missingLocation))
        }
        try check(target, from: request.url, limits: limits)
        let isSameOrigin = Origin(request.url) == Origin(target)
        var next = request
        next.url = withCredentials(of: isSameOrigin ? request.url : nil, target)
        if !isSameOrigin { next.headers = [] }
        return next
    }

    /// Refuses targets that are not http or https, have no host, or would downgrade https to http.
    static func check(_ target: URL, from url: URL, limits: DownloadLimits) throws(DownloadError) {
        guard let scheme = target.scheme?.lowercased() else { throw .response(.redirect(.missingLocation)) }
        guard ["http", "https"].contains(scheme) else { throw .response(.redirect(.toScheme(scheme))) }
        guard let host = target.host(), !host.isEmpty else { throw .response(.redirect(.missingLocation)) }
        if url.scheme?.lowercased() == "https", scheme == "http", !limits.allowsDowngrade {
            throw .response(.redirect(.toInsecure))
        }
    }

    /// Replaces the user and password that a server put into the target by our own, within the same origin only.
    private static func withCredentials(of original: URL?, _ target: URL) -> URL {
        guard var parts = URLComponents(url: target, resolvingAgainstBaseURL: true) else { return target }
        let own = original.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
        parts.percentEncodedUser = own?.percentEncodedUser
        parts.percentEncodedPassword = own?.percentEncodedPassword
        return parts.url ?? target
    }
}
