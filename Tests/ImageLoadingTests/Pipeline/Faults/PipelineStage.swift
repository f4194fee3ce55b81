import FaultServer
import Foundation
import Retrying
import TestSupport
import Testing

@testable import ImageLoading

/// A scripted server, and a pipeline over a disk of its own, for one test; the waits of its retries take no time.
struct PipelineStage: Sendable {
    let server: FaultServer
    let pipeline: ImagePipeline
    let date: ManualDate
    private let place: TemporaryFolder

    /// Sets the stage, plays, and clears it whatever happens.
    static func play<Result>(
        _ scripts: [String: [FaultScript]], onAccept: FaultScript? = nil, hosts: HostHealth? = nil,
        limits limit: (inout DownloadLimits) -> Void = { _ in }, _ act: (PipelineStage) async throws -> Result
    ) async throws -> Result {
        var limits = DownloadLimits()
        limit(&limits)
        let (place, date) = (try TemporaryFolder(), ManualDate())
        let disk = try DiskStorage(folder: CacheFolder(path: place / "cache"), now: { date.now })
        let downloader = ImageDownloader(limits: limits)
        let pipeline = ImagePipeline(
            cache: ImageCache(disk: disk), downloader: downloader,
            hosts: hosts ?? HostHealth(clock: ManualClock(advancesItself: true)))
        let server = try await FaultServer.start(scripts, onAccept: onAccept)
        let stage = PipelineStage(server: server, pipeline: pipeline, date: date, place: place)
        do {
            let result = try await act(stage)
            downloader.shutdown()
            await server.stop()
            return result
        } catch {
            downloader.shutdown()
            await server.stop()
            throw error
        }
    }

    /// So many attempts in all, a second apart on a clock that waits for nobody.
    static func retrying(attempts: Int) -> ImageOptions {
        let retrier = withConstantDelay(.seconds(1)).giveUpAfter(maxAttempts: attempts)
        return [.retryStrategy(retrier.timed(by: ManualClock(advancesItself: true)))]
    }

    /// Loads a path of the server, or a whole address, into memory and onto the disk.
    func load(
        _ path: String = "/x", options: ImageOptions = PipelineStage.retrying(attempts: 3),
        onEvent: @escaping @Sendable (LoadEvent) -> Void = { _ in }
    ) async -> Result<ImageResult, ImageError> {
        do throws(ImageError) {
            guard let url = url(path) else { throw .request(.invalidURL(path)) }
            let options = options.applying([.callbackQueue(.untouch), .waitForCache])
            return .success(try await pipeline.image(for: .network(url), options: options, onEvent: onEvent))
        } catch {
            return .failure(error)
        }
    }

    /// What lies on disk under the path's address.
    func stored(_ path: String = "/x") async -> Data? {
        guard let url = url(path) else { return nil }
        return await pipeline.cache.disk?.data(for: CacheEntryKey(source: url.absoluteString))?.data
    }

    /// Every file among the contents, whole or not.
    var contents: [String] { place.files().filter { $0.contains("/blobs/") || $0.contains("/packs/") } }

    private func url(_ path: String) -> URL? { URL(string: path.contains("://") ? path : server.url(path)) }
}
