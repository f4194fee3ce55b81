import Foundation
import Support

/// Fetches pictures over HTTP/1.1 and HTTP/2 with one shared client.
///
/// Redirects, proxies, credentials, limits and time-outs are its own; retries are the caller's business.
public final class ImageDownloader: DataDownloading {
    /// As it was made with.
    public let configuration: DownloaderConfiguration
    private let surroundings: DownloadSession.Surroundings

    /// How many bytes of bodies have come so far, with those of what was refused, cut off or not kept; bodies of error
    /// answers are not read.
    public var receivedByteCount: Int { surroundings.receivedBytes.total }

    /// Makes an idle downloader; `clock` measures its time-outs but that of connecting, `now` dates them.
    public init(
        configuration: DownloaderConfiguration = DownloaderConfiguration(),
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.configuration = configuration
        surroundings = DownloadSession.Surroundings(configuration, clock: TransferClock(clock), date: now)
    }

    /// Makes an idle downloader with other limits only.
    public convenience init(limits: DownloadLimits) {
        var configuration = DownloaderConfiguration()
        configuration.limits = limits
        self.init(configuration: configuration)
    }

    /// Closes all connections, without waiting until they are closed; running transfers fail.
    ///
    /// A downloader that nobody holds any more does so by itself.
    public func shutdown() { surroundings.transport.shutdown() }

    /// Lets no transfer begin any more: one that waits for an answer or has one goes on, any other ends as cancelled, at
    /// once or when its turn comes.
    public func drain() { surroundings.transport.drain() }

    public func setPriority(_ priority: Double, of id: DownloadRequest.ID) async {
        surroundings.queue.setPriority(priority, of: id)
    }

    public func download(
        _ request: DownloadRequest, priority: Double = 0.5,
        onProgress: @escaping @Sendable (DownloadProgress) -> Void
    ) async throws(DownloadError) -> Download {
        let asked = surroundings.clock.now()
        let request = try await Self.modified(request)
        let host = try Self.host(of: request.url)
        return try await surroundings.queue.withPlace(
            for: request.id, host: host, isSecure: request.url.isSecure, priority: priority
        ) { place async throws(DownloadError) in
            let admitted = self.surroundings.clock.now()
            var download = try await self.transfer(request, at: place, onProgress: onProgress)
            download.metrics.queued = admitted - asked
            download.metrics.total = self.surroundings.clock.now() - admitted
            return download
        }
    }

    /// Runs one transfer between its first and last hook.
    private func transfer(
        _ request: DownloadRequest, at place: AdmissionQueue.Place,
        onProgress: @escaping @Sendable (DownloadProgress) -> Void
    ) async throws(DownloadError) -> Download {
        let hooks = request.hooks ?? configuration.hooks ?? NoHooks()
        await hooks.willDownload(request)
        let result: Result<Download, DownloadError>
        let (surroundings, deadlines) = (surroundings, Deadlines())
        do throws(DownloadError) {
            let download = try await deadlines.run { () async throws(DownloadError) in
                var session = DownloadSession(
                    request, hooks: hooks, at: place, in: surroundings, until: deadlines, onProgress: onProgress)
                return try await session.run()
            }
            result = .success(download)
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
