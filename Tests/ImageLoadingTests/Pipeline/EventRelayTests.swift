import Dispatch
import Foundation
import ImageTestSupport
import TestSupport
import Testing

@testable import ImageLoading

/// Where event handlers run, and in which order.
@Suite(.timeLimit(.minutes(1))) struct EventRelayTests {
    /// Known by its queue: once the main thread has given itself up, any thread may run what is the main actor's.
    private static let mark = {
        let mark = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: mark, value: true)
        return mark
    }()

    private static var isMain: Bool { DispatchQueue.getSpecific(key: mark) == true }

    private static func progress(_ count: Int) -> LoadEvent { .progress(DownloadProgress(received: count, total: nil)) }

    private static func received(_ event: LoadEvent) -> Int? {
        if case .progress(let progress) = event { return progress.received }
        return nil
    }

    @Test func `by default handlers run on the main thread in order, before the load returns`() async throws {
        let picture = try Pictures.png()
        let downloader = ChattyDownloader(picture: picture, events: 100)
        let pipeline = ImagePipeline(cache: ImageCache(disk: nil), downloader: downloader)
        let heard = Recorder<(isMain: Bool, received: Int?)>()
        let url = try #require(URL(string: "http://h/a.png"))
        _ = try await pipeline.image(for: .network(url)) { heard.add((Self.isMain, Self.received($0))) }
        #expect(!heard.all.contains { !$0.isMain })
        #expect(heard.all.compactMap(\.received) == Array(1...100))
    }

    @Test func `with untouch handlers run on the thread of the event`() async throws {
        let downloader = ChattyDownloader(picture: try Pictures.png(), events: 3)
        let pipeline = ImagePipeline(cache: ImageCache(disk: nil), downloader: downloader)
        let heard = Recorder<Bool>()
        let url = try #require(URL(string: "http://h/a.png"))
        _ = try await pipeline.image(for: .network(url), options: [.callbackQueue(.untouch)]) { _ in
            heard.add(Self.isMain)
        }
        // The start, three times bytes, and that they are there.
        #expect(heard.all == [false, false, false, false, false])
    }

    @Test(arguments: [CallbackQueue.main, .untouch]) func `after finish nothing is sent`(queue: CallbackQueue) async {
        let heard = Recorder<Int>()
        let relay = EventRelay(queue, direct: { heard.add(Self.received($0) ?? 0) })
        relay.send(Self.progress(1))
        await relay.finish()
        relay.send(Self.progress(2))
        await relay.finish()
        #expect(heard.all == [1])
    }

    @Test func `events from many threads are handled exactly once`() async {
        let heard = Recorder<Int>()
        let relay = EventRelay(.main) { heard.add(Self.received($0) ?? 0) }
        await withTaskGroup { group in
            for start in 0..<8 {
                group.addTask { for step in 0..<200 { relay.send(Self.progress(start * 200 + step)) } }
            }
        }
        await relay.finish()
        #expect(heard.all.sorted() == Array(0..<1600))
    }
}

private struct ChattyDownloader: DataDownloading {
    let picture: Data
    let events: Int

    func download(
        _ request: DownloadRequest, priority: Double, onProgress: @escaping @Sendable (DownloadProgress) -> Void
    ) async throws(DownloadError) -> Download {
        for count in 1...events { onProgress(DownloadProgress(received: count, total: nil)) }
        return .of(picture, from: request.url)
    }
}
