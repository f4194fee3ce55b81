import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL

/// Fetches pictures over HTTP/1.1 and HTTP/2 with one shared client.
///
/// Redirects, limits and time-outs are its own; retries are the caller's business.
public final class ImageDownloader: DataDownloading {
    public let limits: DownloadLimits
    private let client: HTTPClient
    private let queue: AdmissionQueue
    private let userAgent: String
    private let now: @Sendable () -> Date

    public init(
        limits: DownloadLimits = DownloadLimits(), userAgent: String = "alcedo/0.1",
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.limits = limits
        self.userAgent = userAgent
        self.now = now
        queue = AdmissionQueue(limit: limits.concurrent, limitPerHost: limits.concurrentPerHost)
        client = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: Self.configuration(limits))
    }

    private static func configuration(_ limits: DownloadLimits) -> HTTPClient.Configuration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        var pool = HTTPClient.Configuration.ConnectionPool(
            idleTimeout: .seconds(60), concurrentHTTP1ConnectionsPerHostSoftLimit: limits.concurrentPerHost)
        // A refused connection is reported at once: retrying is decided in one place, the retry policy.
        pool.retryConnectionEstablishment = false
        return HTTPClient.Configuration(
            tlsConfiguration: tls, redirectConfiguration: .disallow,
            timeout: .init(connect: TimeAmount(limits.connect)), connectionPool: pool, decompression: .disabled)
    }

    deinit { client.shutdown { _ in } }

    /// Closes idle connections; running transfers fail.
    ///
    /// A downloader that nobody holds any more does so by itself.
    public func shutdown() async { try? await client.shutdown() }

    public func download(
        _ request: DownloadRequest, priority: Double = 0.5,
        onProgress: @escaping @Sendable (DownloadProgress) -> Void
    ) async throws(ImageError) -> Download {
        let started = MonotonicTime.now()
        let host = try Self.host(of: request.url)
        return try await queue.withPlace(host: host, priority: priority) { () async throws(ImageError) in
            let admitted = MonotonicTime.now()
            var download = try await self.fetch(request, onProgress: onProgress)
            download.metrics.queued = admitted - started
            download.metrics.total = MonotonicTime.now() - admitted
            return download
        }
    }

    private static func host(of url: URL) throws(ImageError) -> String {
        guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme) else {
            throw .request(.invalidURL("only http and https can be fetched"))
        }
        guard let host = url.host(), !host.isEmpty else { throw .request(.invalidURL("it names no host")) }
        return url.hostKey
    }

    private func fetch(
        _ first: DownloadRequest, onProgress: @escaping @Sendable (DownloadProgress) -> Void
    ) async throws(ImageError) -> Download {
        let started = MonotonicTime.now()
        let redirects = RedirectHandler(limits: limits)
        var request = first
        var followed = 0
        while true {
            let response = try await head(of: request)
            let code = Int(response.status.code)
            guard RedirectHandler.statusCodes.contains(code) else {
                var metrics = DownloadMetrics()
                metrics.firstByte = MonotonicTime.now() - started
                metrics.redirects = followed
                metrics.version = response.version.major == 2 ? "HTTP/2" : response.version.description
                return try await body(of: response, request: request, metrics: metrics, onProgress: onProgress)
            }
            request = try redirects.next(
                after: request, location: response.headers.first(name: "location"), redirectsSoFar: followed)
            followed += 1
        }
    }

    private func head(of request: DownloadRequest) async throws(ImageError) -> HTTPClientResponse {
        var outgoing = HTTPClientRequest(url: Self.withoutCredentials(request.url))
        outgoing.headers.add(name: "user-agent", value: userAgent)
        outgoing.headers.add(name: "accept", value: "image/webp,image/png,image/jpeg,image/gif,image/*;q=0.8,*/*;q=0.5")
        for header in request.headers { outgoing.headers.replaceOrAdd(name: header.name, value: header.value) }
        if let credentials = Self.basicCredentials(of: request.url), !outgoing.headers.contains(name: "authorization") {
            outgoing.headers.add(name: "authorization", value: credentials)
        }
        do {
            return try await client.execute(outgoing, timeout: TimeAmount(limits.connect + limits.head))
        } catch {
            throw await Self.explained(TransportErrors.imageError(from: error, stage: .head), request.url)
        }
    }

    /// A name that cannot be looked up now may be found later; one that does not exist will not.
    private static func explained(_ error: ImageError, _ url: URL) async -> ImageError {
        guard error == .response(.transport(.nameNotFound)), await !NameLookup.isUnknown(url.host() ?? "") else {
            return error
        }
        return .response(.transport(.nameLookupFailed))
    }

    /// `user:password@` in an address is sent as Basic credentials (RFC 7617).
    private static func basicCredentials(of url: URL) -> String? {
        guard let user = url.user(percentEncoded: false) else { return nil }
        let pair = "\(user):\(url.password(percentEncoded: false) ?? "")"
        return "Basic " + Data(pair.utf8).base64EncodedString()
    }

    private static func withoutCredentials(_ url: URL) -> String {
        guard url.user != nil || url.password != nil, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return url.absoluteString }
        parts.user = nil
        parts.password = nil
        return parts.string ?? url.absoluteString
    }

    private func body(
        of response: HTTPClientResponse, request: DownloadRequest, metrics: DownloadMetrics,
        onProgress: @escaping @Sendable (DownloadProgress) -> Void
    ) async throws(ImageError) -> Download {
        let check = ResponseCheck(
            status: response.status, version: response.version, headers: response.headers, limits: limits,
            now: Int64(now().timeIntervalSince1970))
        try check.checkHead()
        let reader = BodyReader(expected: check.expectedLength, limits: limits, onProgress: onProgress)
        let data = try await reader.read(response.body)
        var metrics = metrics
        metrics.bytes = data.count
        return Download(
            data: data, url: request.url, isProvenWhole: check.isFramed,
            etag: response.headers.first(name: "etag"),
            lastModified: response.headers.first(name: "last-modified"), metrics: metrics)
    }
}

extension TimeAmount {
    /// Clamped to what a time amount can hold.
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self = .nanoseconds(min(max(seconds, 0), 1_000_000_000) * 1_000_000_000 + max(attoseconds, 0) / 1_000_000_000)
    }
}
