import AlcedoHTTPRequests
import FaultServer
import Foundation
import ImageTestSupport
import Synchronization
import TestSupport
import Testing

@testable import ImageLoading

/// A cancelled load leaves its bytes for the next load of the address, until the memory is cleared.
@Suite(.timeLimit(.minutes(1))) struct ResumedLoadTests {
    private let picture: [UInt8]
    private let cut = 200

    init() throws { picture = Array(try Pictures.png(width: 40, height: 30)) }

    /// Cancels a load in the middle of the body, acts, and loads again; returns the range of the second request.
    private func rangeAfterCancel(
        _ answer: FaultScript, _ act: (PipelineStage) -> Void = { _ in }
    ) async throws -> [String] {
        let fields = [("Content-Length", "\(picture.count)"), ("Accept-Ranges", "bytes"), ("ETag", "\"1\"")]
        let first = FaultScript([.send(FaultScript.head(200, fields)), .send(Array(picture.prefix(cut))), .stall])
        return try await PipelineStage.play(["/x": [first, answer]]) { stage in
            let arrived = Gate()
            await arrived.open()
            let task = Task { [cut] in
                await stage.load(options: [.callbackQueue(.untouch)]) { event in
                    if case .progress(let progress) = event, progress.received == cut { Task { await arrived.pass() } }
                }
            }
            await arrived.untilArrived()
            task.cancel()
            #expect(await task.value.error?.isTaskCancelled == true)
            act(stage)
            #expect(await stage.load().error == nil)
            #expect(await stage.stored() == Data(picture))
            return try #require(await stage.server.requests.last).values(of: "Range")
        }
    }

    @Test func `a cancelled load is continued by the next one`() async throws {
        let rest = FaultScript.partial(
            Array(picture.dropFirst(cut)), range: "bytes \(cut)-\(picture.count - 1)/\(picture.count)",
            validator: "\"1\"")
        #expect(try await rangeAfterCancel(rest) == ["bytes=\(cut)-"])
    }

    @Test func `clearing the memory removes the bytes of cancelled loads`() async throws {
        let range = try await rangeAfterCancel(.picture(picture)) { $0.pipeline.cache.clearMemoryCache() }
        #expect(range == [])
    }

    @Test func `a pipeline that is gone is not told of its cache, and one with a downloader of its own is`() {
        let (cache, downloader) = (ImageCache(disk: nil), Downloader())
        do {
            let pipeline = ImagePipeline(cache: cache, downloader: downloader)
            pipeline.cache.clearMemoryCache()
            #expect(downloader.removals.load(ordering: .relaxed) == 1)
        }
        cache.clearMemoryCache()
        #expect(downloader.removals.load(ordering: .relaxed) == 1)
    }

    private final class Downloader: DataDownloading {
        let removals = Atomic(0)

        func download(
            _ request: DownloadRequest, priority: Double, onProgress: @escaping @Sendable (DownloadProgress) -> Void
        ) async throws(DownloadError) -> Download { throw .cancelled }

        func removePartialBodies() { removals.add(1, ordering: .relaxed) }
    }
}
