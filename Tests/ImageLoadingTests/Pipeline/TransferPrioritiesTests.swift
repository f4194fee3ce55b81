import Foundation
import ImageTestSupport
import TestSupport
import Testing

@testable import ImageLoading

/// A transfer is as urgent as its most urgent waiter.
@Suite(.timeLimit(.minutes(1))) struct TransferPrioritiesTests {
    private let gate = Gate()
    private let downloader: FakeDownloader
    private let pipeline: ImagePipeline
    private let source: Source

    init() throws {
        downloader = FakeDownloader(try Pictures.png(), gate: gate)
        pipeline = ImagePipeline(cache: ImageCache(disk: nil), downloader: downloader)
        source = .network(try #require(URL(string: "http://h/a.png")))
    }

    private func load(_ priority: Double, _ processor: any ImageProcessor = DefaultImageProcessor()) -> Task<
        Void, any Error
    > {
        Task { [pipeline, source] in
            _ = try await pipeline.image(for: source, options: [.downloadPriority(priority), .processor(processor)])
        }
    }

    private func priorities(_ count: Int) async -> [Double] {
        await downloader.priorities.until(count: count)
        return downloader.priorities.all
    }

    @Test func `a waiter with higher priority raises the transfer, one with lower does not`() async throws {
        let first = load(0.25)
        await gate.untilArrived()
        #expect(downloader.priorities.all == [0.25])
        let urgent = load(1, BlackWhiteProcessor())
        #expect(await priorities(2) == [0.25, 1])
        let idle = load(0)
        let key = LoadRequest(source: source, options: [], cache: pipeline.cache)
        await until { pipeline.waiterCount(of: key) >= 2 }
        #expect(downloader.priorities.all == [0.25, 1])
        await gate.open()
        for load in [first, urgent, idle] { try await load.value }
    }

    @Test func `the priority is lowered when the urgent waiter leaves`() async throws {
        let first = load(0.25)
        await gate.untilArrived()
        let urgent = load(1, BlackWhiteProcessor())
        _ = await priorities(2)
        urgent.cancel()
        #expect(await priorities(3) == [0.25, 1, 0.25])
        await gate.open()
        try await first.value
    }

    @Test func `a prefetch that is wanted on screen is raised too`() async throws {
        let prefetch = Task { [pipeline, source] in
            try await pipeline.warm(source, options: [.downloadPriority(0)])
        }
        await gate.untilArrived()
        let shown = load(1)
        #expect(await priorities(2) == [0, 1])
        await gate.open()
        _ = try await prefetch.value
        try await shown.value
    }
}
