import FaultServer
import Foundation
import ImageTestSupport
import TestSupport
import Testing

@testable import ImageLoading

/// Many who want the same at the same time, through the pipeline.
@Suite(.timeLimit(.minutes(1))) struct JoinedDownloadTests {
    @Test func `fifty concurrent loads of one address cause one transfer`() async throws {
        let picture = Array(try Pictures.png())
        let gate = FaultGate()
        let server = try await FaultServer.start(["/x": .pauseInBody(picture, after: 30, until: gate)])
        let downloader = ImageDownloader()
        let pipeline = ImagePipeline(cache: ImageCache(disk: nil), downloader: downloader)
        let source = Source.network(try #require(URL(string: server.url("/x"))))
        let joined = Gate()
        await joined.open()
        // Those who come later hear at once where the transfer stands.
        let tasks = (0..<50).map { _ in
            Task { try await pipeline.image(for: source) { _ in Task { await joined.pass() } } }
        }
        await joined.untilArrived(50)
        gate.open()
        for task in tasks { _ = try await task.value }
        #expect(await server.count(of: "/x") == 1)
        downloader.shutdown()
        await server.stop()
    }
}
