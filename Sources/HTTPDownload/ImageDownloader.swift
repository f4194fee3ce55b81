import AlcedoHTTPRequests
import AlcedoSupport
import FoundationEssentials
import Retrying
import Synchronization

/// A downloader of pictures over HTTP/1.1 and HTTP/2.
///
/// It handles redirects, proxies, credentials, limits and time-outs. Retries are the caller's responsibility.
public final class ImageDownloader: DataDownloading {
    /// The configuration that the downloader was created with.
    package let configuration: DownloaderConfiguration
    let transport: HTTPTransport
    let queue: AdmissionQueue
    let clock: RunClock
    /// The bandwidth limit; nil if there is none.
    let bandwidth: Bandwidth?
    let cookies: CookieJar
    /// The parts of bodies that the next transfers resume.
    let parts: Mutex<PartialBodies>
    /// The origins that requested a digest login.
    let digestOrigins = Mutex(Set<Origin>())
    /// The current date, for `Retry-After` dates and the expiry of cookies.
    let date: @Sendable () -> Date

    /// The number of body bytes received so far, also of refused, cancelled and discarded transfers.
    ///
    /// The bodies of error responses are not read.
    public var receivedByteCount: Int { transport.receivedBytes.load(ordering: .relaxed) }

    /// Creates an idle downloader.
    ///
    /// - Parameters:
    ///   - configuration: The settings of all transfers.
    ///   - clock: The clock for all time-outs except the one for connecting.
    ///   - now: The current date, for `Retry-After` dates and the expiry of cookies.
    public init(
        configuration: DownloaderConfiguration = DownloaderConfiguration(),
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() }
    ) {
        let (limits, clock) = (configuration.limits, RunClock(clock))
        (self.configuration, self.clock, date) = (configuration, clock, now)
        transport = HTTPTransport(configuration)
        queue = AdmissionQueue(limits: limits)
        cookies = CookieJar(configuration.cookies)
        parts = Mutex(PartialBodies(limit: configuration.resumableBytes))
        bandwidth = limits.bytesPerSecond.map { Bandwidth(bytesPerSecond: $0, clock: clock) }
    }

    deinit { shutdown() }

    /// Creates an idle downloader with these limits and otherwise default settings.
    public convenience init(limits: DownloadLimits) {
        var configuration = DownloaderConfiguration()
        configuration.limits = limits
        self.init(configuration: configuration)
    }

    /// Closes all connections without waiting for them; running transfers fail.
    ///
    /// A downloader does this on deinitialization too.
    public func shutdown() { transport.shutdown() }

    /// Prevents further transfers from starting.
    ///
    /// A transfer that waits for a response or has one continues. Any other transfer fails as cancelled, at once or
    /// when the queue admits it.
    package func drain() { transport.drain() }

    public func removePartialBodies() { parts.withLock { $0.removeAll() } }

    public func setPriority(_ priority: Double, of id: DownloadRequest.ID) async {
        queue.setPriority(priority, of: id)
    }

    public func download(
        _ request: DownloadRequest, priority: Double = 0.5,
        onProgress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws(DownloadError) -> Download {
        let requested = clock.now()
        let request = try await Self.modified(request)
        let host = try Self.host(of: request.url)
        return try await queue.withPlace(
            for: request.id, host: host, isSecure: request.url.isSecure, priority: priority
        ) { place async throws(DownloadError) in
            let admitted = self.clock.now()
            var download = try await self.transfer(request, at: place, onProgress: onProgress)
            download.metrics.queued = admitted - requested
            download.metrics.total = self.clock.now() - admitted
            return download
        }
    }

    /// Runs one transfer between the hooks `willDownload` and `didFinish`.
    private func transfer(
        _ request: DownloadRequest, at place: AdmissionQueue.Place,
        onProgress: @escaping @Sendable (DownloadProgress) -> Void
    ) async throws(DownloadError) -> Download {
        let hooks = request.hooks ?? configuration.hooks ?? NoHooks()
        await hooks.willDownload(request)
        let result: Result<Download, DownloadError>
        do throws(DownloadError) {
            var session = DownloadSession(request, hooks: hooks, at: place, by: self, onProgress: onProgress)
            result = .success(try await session.run())
        } catch {
            result = .failure(error)
        }
        await hooks.didFinish(request, result)
        return try result.get()
    }

    private static func modified(_ request: DownloadRequest) async throws(DownloadError) -> DownloadRequest {
        guard let modifier = request.modifier else { return request }
        guard let modified = await modifier.modified(request) else { throw .request(.emptyRequest) }
        return modified
    }

    private static func host(of url: URL) throws(DownloadError) -> String {
        guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme) else {
            throw .request(.invalidURL("only http and https can be fetched"))
        }
        guard let host = url.host(), !host.isEmpty else { throw .request(.invalidURL("it names no host")) }
        return url.key(ofHost: host)
    }
}

extension ImageDownloader {
    @available(*, unavailable, message: "make one downloader and hand it on: ImageDownloader()")
    public static var `default`: ImageDownloader { ImageDownloader() }

    @available(*, unavailable, renamed: "download(_:)")
    public func downloadImage(
        with url: URL, completionHandler: ((Result<Download, DownloadError>) -> Void)? = nil
    ) {}
}

/// Hooks that change nothing.
private struct NoHooks: DownloadHooks {}
