import FaultServer
import Foundation
import ImageTestSupport
import TestSupport
import Testing

@testable import ImageLoading

/// Loads that the program cancels without their tasks.
@Suite(.timeLimit(.minutes(1))) struct CancellationTests {
    private static func isCancelled(_ task: Task<ImageResult, any Error>) async -> Bool {
        if case .failure(let error) = await task.result {
            (error as? ImageError)?.isTaskCancelled == true
        } else {
            false
        }
    }

    @Test func `one address or all loads are cancelled, and later loads succeed`() async throws {
        let picture = Array(try Pictures.png())
        let gate = FaultGate()
        let paths = ["/a", "/b", "/c"]
        let server = try await FaultServer.start(
            Dictionary(uniqueKeysWithValues: paths.map { ($0, .pauseInBody(picture, after: 30, until: gate)) }))
        let downloader = ImageDownloader()
        let pipeline = ImagePipeline(cache: ImageCache(disk: nil), downloader: downloader)
        let urls = try paths.map { try #require(URL(string: server.url($0))) }
        let joined = Gate()
        await joined.open()
        // Two wait for the first address.
        let tasks = ([urls[0]] + urls).map { url in
            Task<ImageResult, any Error> {
                try await pipeline.image(for: .network(url)) { event in
                    if case .progress = event { Task { await joined.pass() } }
                }
            }
        }
        await joined.untilArrived(4)

        pipeline.cancel(url: urls[0])
        #expect(await Self.isCancelled(tasks[0]))
        #expect(await Self.isCancelled(tasks[1]))

        pipeline.cancelAll()
        #expect(await Self.isCancelled(tasks[2]))
        #expect(await Self.isCancelled(tasks[3]))

        gate.open()
        let result = try await pipeline.image(for: .network(urls[0]))
        #expect(result.source?.url == urls[0] && result.fetched.map(Array.init) == picture)
        let again = try await pipeline.image(for: .network(urls[0]))
        #expect(again.cacheType == .memory && again.source?.url == urls[0] && again.fetched == nil)
        downloader.shutdown()
        await server.stop()
    }

    @Test func `the result names the alternative that had the image, and the disk lists what it holds`() async throws {
        let server = try await FaultServer.start(["/b": .picture(Array(try Pictures.png()))])
        let folder = try TemporaryFolder()
        let disk = try DiskStorage(folder: CacheFolder(path: folder.path))
        let pipeline = ImagePipeline(cache: ImageCache(disk: disk))
        let (gone, there) = (
            try #require(URL(string: server.url("/gone"))), try #require(URL(string: server.url("/b")))
        )

        let result = try await pipeline.image(
            for: .network(gone), options: [.alternativeSources([.network(there)]), .waitForCache])

        #expect(result.source?.url == there)
        let listed = try await disk.entries()
        #expect(listed.count == 1 && listed.entries.map(\.sourceKey) == [there.absoluteString])
        #expect(listed.entries.first?.length == result.fetched?.count)
        #expect(try await disk.entries(from: 1).entries.isEmpty)
        await server.stop()
    }
}
