import Foundation
import ImageTestSupport
import Synchronization
import TestSupport
import Testing

@testable import AlcedoDiskCache
@testable import ImageLoading

@Suite(.timeLimit(.minutes(1))) struct ImagePrefetcherTests {
    private let place: TemporaryFolder
    private let picture: Data
    private let gate = Gate()

    init() throws {
        place = try TemporaryFolder()
        picture = try Pictures.png()
    }

    /// A prefetcher whose transfers wait at the gate; addresses with "bad" fail.
    private func prefetcher(
        limit: Int = 2, backlog: Int = 300, downloader: FakeDownloader? = nil
    ) throws -> (ImagePrefetcher, FakeDownloader) {
        let downloader =
            downloader
            ?? FakeDownloader(gate: gate) { [picture] url, _ throws(DownloadError) in
                if url.path().contains("bad") { throw .response(.invalidHTTPStatusCode(404, retryAfter: nil)) }
                return .of(picture, from: url)
            }
        let disk = try DiskStorage(folder: CacheFolder(path: place / "cache"))
        let pipeline = ImagePipeline(cache: ImageCache(disk: disk), downloader: downloader)
        return (ImagePrefetcher(pipeline: pipeline, maxConcurrentDownloads: limit, backlogLimit: backlog), downloader)
    }

    private func item(_ id: Int, _ name: String? = nil) throws -> PrefetchItem {
        PrefetchItem(id: id, source: .network(try #require(URL(string: "http://h/\(name ?? "\(id)")"))))
    }

    /// How each item ended, in order, when the events have ended.
    private func ends(of prefetcher: ImagePrefetcher) async -> [String] {
        var ends: [String] = []
        for await event in prefetcher.events {
            switch event {
            case .finished(let id, let result): ends.append("\(id) \(result.cacheType.rawValue)")
            case .failed(let id, let error): ends.append("\(id) \(error.title)")
            case .load, .hostChanged: continue
            }
        }
        return ends
    }

    @Test func `a finished item with unread events is not loaded again by a new backlog`() async throws {
        // Given items that have finished, whose events wait
        let (prefetcher, downloader) = try prefetcher()
        await gate.open()
        let finished = Recorder<Int>()
        await prefetcher.onFinish { finished.add($0) }
        let items = try (0..<4).map { try item($0, $0 == 3 ? "bad3" : nil) }
        await prefetcher.replaceBacklog(with: items)
        await finished.until(count: 4)
        // When the list, which knows none of that, orders them again with a new one
        await prefetcher.replaceBacklog(with: items + [try item(4)]) { finished.all.contains($0) }
        await finished.until(count: 5)
        await prefetcher.finish()
        // Then each has been loaded once
        #expect(downloader.requests.all.count == 5)
        #expect(await ends(of: prefetcher).count == 5)
    }

    @Test func `every item ends exactly once, and then the events end`() async throws {
        let (prefetcher, _) = try prefetcher()
        await gate.open()
        for id in 0..<20 { await prefetcher.add(try item(id, id % 5 == 3 ? "bad\(id)" : nil)) }
        await prefetcher.finish()
        let ends = await ends(of: prefetcher)
        #expect(ends.sorted() == (0..<20).map { $0 % 5 == 3 ? "\($0) 404 Not Found" : "\($0) none" }.sorted())
    }

    @Test(arguments: [true, false]) func `transfers are reported only if they are followed`(_ isFollowed: Bool)
        async throws
    {
        let downloader = FakeDownloader { [picture] url, _ in .of(picture, from: url) }
        let cache = ImageCache(disk: try DiskStorage(folder: CacheFolder(path: place / "cache")))
        let prefetcher = ImagePrefetcher(
            pipeline: ImagePipeline(cache: cache, downloader: downloader), followsTransfers: isFollowed)
        for id in 0..<3 { await prefetcher.add(try item(id)) }
        await prefetcher.finish()
        var (starts, ends) = (0, 0)
        for await event in prefetcher.events {
            if case .load(_, .started) = event { starts += 1 }
            if case .finished = event { ends += 1 }
        }
        #expect(starts == (isFollowed ? 3 : 0) && ends == 3)
    }

    @Test func `a miss counts even if its fetch fails`() async throws {
        // Given a prefetch of one picture that is lost
        let disk = try DiskStorage(folder: CacheFolder(path: place / "cache"))
        let prefetcher = ImagePrefetcher(
            pipeline: ImagePipeline(cache: ImageCache(disk: disk), downloader: FakeDownloader.failing()))
        await prefetcher.add(try item(0))
        await prefetcher.finish()
        _ = await ends(of: prefetcher)
        // Then its miss is among those of this run and of all
        await disk.flush()
        let (tally, statistics) = (disk.run.withLock(\.self), try await disk.statistics())
        #expect(tally.misses == 1 && statistics.life.misses == 1)
    }

    @Test func `a cached item is not fetched`() async throws {
        let (first, _) = try prefetcher()
        await gate.open()
        await first.add(try item(1))
        await first.finish()
        #expect(await ends(of: first) == ["1 none"])
        let (second, downloader) = try prefetcher(downloader: .failing())
        await second.add(try item(1))
        await second.finish()
        #expect(await ends(of: second) == ["1 disk"])
        #expect(downloader.requests.all.isEmpty)
    }

    @Test func `a source listed twice is fetched once`() async throws {
        let (prefetcher, downloader) = try prefetcher(limit: 1)
        for (id, name) in [(0, "a"), (1, "b"), (2, "a")] { await prefetcher.add(try item(id, name)) }
        await gate.open()
        await prefetcher.finish()
        let ends = await ends(of: prefetcher).sorted()
        // The third finds what the first has kept, or joins it while it is being kept.
        #expect(ends == ["0 none", "1 none", "2 disk"] || ends == ["0 none", "1 none", "2 none"])
        #expect(downloader.requests.all == ["http://h/a", "http://h/b"])
    }

    @Test func `a missing item counts as one miss, a cached one as one hit`() async throws {
        let (first, _) = try prefetcher()
        await gate.open()
        for id in 0..<100 { await first.add(try item(id)) }
        await first.finish()
        #expect(await ends(of: first).count == 100)
        let disk = try DiskStorage(folder: CacheFolder(path: place / "cache"))
        let second = ImagePrefetcher(
            pipeline: ImagePipeline(
                cache: ImageCache(disk: disk),
                downloader: FakeDownloader { [picture] url, _ in .of(picture, from: url) }))
        for id in 50..<150 { await second.add(try item(id)) }
        await second.finish()
        let ends = await ends(of: second)
        #expect(ends.count { $0.hasSuffix("disk") } == 50)
        let tally = disk.run.withLock(\.self)
        #expect(tally.diskHits == 50 && tally.misses == 50)
        #expect(tally.bytesSaved == 50 * picture.count)
    }

    @Test func `an item can be raised or cancelled before its look-up`() async throws {
        let (prefetcher, downloader) = try prefetcher(limit: 1)
        await prefetcher.pause()
        for id in 0..<200 { await prefetcher.add(try item(id)) }
        await prefetcher.cancel(199)
        await prefetcher.setPriority(1, of: 198)
        await until { await prefetcher.lookAhead.count == 0 }
        await prefetcher.resume()
        await gate.untilArrived()
        await prefetcher.stop()
        await gate.open()
        #expect(await ends(of: prefetcher).first == "199 cancelled")
        #expect(downloader.requests.all == ["http://h/198"])
    }

    // MARK: A list given at the start

    /// A prefetcher of addresses; those with "bad" fail.
    private func listed(_ names: [String], limit: Int = 2) throws -> (ImagePrefetcher, ImagePipeline, FakeDownloader) {
        let downloader = FakeDownloader(gate: gate) { [picture] url, _ throws(DownloadError) in
            if url.path().contains("bad") { throw .response(.invalidHTTPStatusCode(404, retryAfter: nil)) }
            return .of(picture, from: url)
        }
        let disk = try DiskStorage(folder: CacheFolder(path: place / "cache"))
        let pipeline = ImagePipeline(cache: ImageCache(disk: disk), downloader: downloader)
        let sources = try names.map { try item(0, $0).source }
        let prefetcher = ImagePrefetcher(sources: sources, pipeline: pipeline, maxConcurrentDownloads: limit)
        return (prefetcher, pipeline, downloader)
    }

    @Test func `every item of a list is in exactly one result, in list order`() async throws {
        let (prefetcher, pipeline, _) = try listed(["a", "bad1", "known", "b", "bad2", "c"])
        await gate.open()
        _ = try await pipeline.warm(try item(0, "known").source)
        for await _ in await prefetcher.start() {}
        let results = await prefetcher.results
        #expect(results.completed.map(\.id) == [0, 3, 5])
        #expect(results.skipped.map(\.id) == [2])
        #expect(results.failed.map(\.item.id) == [1, 4])
        #expect(results.failed.allSatisfy { $0.error.isInvalidResponseStatusCode(404) })
        #expect(results.unfinished.isEmpty)
    }

    @Test(arguments: [(ImageOptions?.none, 0.25), (ImageOptions([.downloadPriority(1)]), 0.5)])
    func `the transfers of a list yield to loads`(options: ImageOptions?, priority: Double) async throws {
        let downloader = FakeDownloader(picture)
        let pipeline = ImagePipeline(cache: ImageCache(disk: nil), downloader: downloader)
        let prefetcher = ImagePrefetcher(sources: [try item(0).source], options: options, pipeline: pipeline)
        for await _ in await prefetcher.start() {}
        _ = try await pipeline.image(for: try item(1).source)
        #expect(downloader.priorities.all == [priority, 0.5])
    }

    @Test func `stop ends waiting items as cancelled`() async throws {
        let names = (0..<600).map(String.init)
        let (prefetcher, _, downloader) = try listed(names, limit: 1)
        let events = await prefetcher.start()
        await gate.untilArrived()
        await prefetcher.stop()
        await gate.open()
        var ends = 0
        for await event in events { if case .failed(_, .cancelled) = event { ends += 1 } }
        let results = await prefetcher.results
        #expect(ends == 600)
        #expect(results.failed.map(\.item.id) == Array(0..<600))
        #expect(downloader.requests.all.count == 1)
    }

    @Test func `items can be added to a running list and raised`() async throws {
        let (prefetcher, _, downloader) = try listed(["a", "b", "c"], limit: 1)
        let events = await prefetcher.start()
        await gate.untilArrived()
        await until { await prefetcher.results.unfinished.count >= 3 }
        await prefetcher.add(PrefetchItem(id: 9, source: try item(9).source, priority: 1))
        await until { await prefetcher.lookAhead.count == 0 }
        await prefetcher.setPriority(0.75, of: 2)
        await gate.open()
        for await _ in events {}
        #expect(downloader.requests.all.map { $0.suffix(1) } == ["a", "9", "c", "b"])
        #expect(await prefetcher.results.completed.map(\.id) == [0, 1, 2, 9])
    }

    @Test func `an item that is resumed is looked up again`() async throws {
        // Given an item that the cache did not have, and has since
        let (prefetcher, pipeline, downloader) = try listed([])
        await gate.open()
        await prefetcher.pause()
        await prefetcher.add(try item(1))
        await until { await prefetcher.lookAhead.count == 0 }
        _ = try await pipeline.warm(try item(1).source)
        // When it is taken over, then it is not fetched again
        #expect(await prefetcher.takeOver(try item(1)))
        await prefetcher.finish()
        #expect(await ends(of: prefetcher) == ["1 disk"])
        #expect(downloader.requests.all == ["http://h/1"])
    }

    @Test func `a list without items ends`() async throws {
        let (prefetcher, _, _) = try listed([])
        for await _ in await prefetcher.start() { Issue.record("an event of nothing") }
        #expect(await prefetcher.results.unfinished.isEmpty)
    }

    // MARK: Items one by one

    @Test func `finishing without items ends the events at once`() async throws {
        let (prefetcher, _) = try prefetcher()
        await prefetcher.finish()
        #expect(await ends(of: prefetcher) == [])
    }

    @Test func `the number of running items is limited`() async throws {
        let (prefetcher, downloader) = try prefetcher(limit: 3)
        for id in 0..<10 { await prefetcher.add(try item(id)) }
        await gate.untilArrived(3)
        #expect(Set(downloader.requests.all) == ["http://h/0", "http://h/1", "http://h/2"])
        await gate.open()
        await prefetcher.finish()
        #expect(await ends(of: prefetcher).count == 10)
    }

    @Test func `a waiting and a running item can be cancelled`() async throws {
        let (prefetcher, downloader) = try prefetcher(limit: 1)
        for id in 0..<3 { await prefetcher.add(try item(id)) }
        await gate.untilArrived()
        await prefetcher.cancel(1)
        await prefetcher.cancel(0)
        await prefetcher.cancel(99)
        await gate.open()
        await prefetcher.finish()
        #expect(await ends(of: prefetcher).sorted() == ["0 cancelled", "1 cancelled", "2 none"])
        #expect(!downloader.requests.all.contains("http://h/1"))
    }

    @Test func `cancelling the last waiting item ends the events`() async throws {
        let (prefetcher, _) = try prefetcher()
        await prefetcher.pause()
        await prefetcher.add(try item(1))
        await prefetcher.finish()
        await prefetcher.cancel(1)
        #expect(await ends(of: prefetcher) == ["1 cancelled"])
    }

    @Test func `stop cancels everything, including running items`() async throws {
        let (prefetcher, _) = try prefetcher(limit: 1)
        for id in 0..<4 { await prefetcher.add(try item(id)) }
        await gate.untilArrived()
        await prefetcher.stop()
        await prefetcher.replaceBacklog(with: [try item(7)])
        await prefetcher.resume()
        await gate.open()
        #expect(await ends(of: prefetcher).sorted() == (0..<4).map { "\($0) cancelled" })
    }

    @Test func `a paused prefetcher starts nothing until it resumes`() async throws {
        let (prefetcher, downloader) = try prefetcher()
        await gate.open()
        await prefetcher.pause()
        for id in 0..<3 { await prefetcher.add(try item(id)) }
        #expect(downloader.requests.all.isEmpty)
        await prefetcher.resume()
        await prefetcher.finish()
        #expect(await ends(of: prefetcher).count == 3)
    }

    @Test func `a full backlog suspends the feeder until there is room`() async throws {
        let (prefetcher, _) = try prefetcher(limit: 1, backlog: 2)
        let items = try (0..<50).map { try item($0) }
        let added = Recorder<Int>()
        let feed = Task {
            for item in items {
                await prefetcher.add(item)
                added.add(item.id)
            }
            await prefetcher.finish()
        }
        await gate.untilArrived()
        // The third may have come before the first had begun, and waited for that.
        await added.until(count: 3)
        await until { await prefetcher.arrivingCount > 0 }
        #expect(added.all == [0, 1, 2])
        await gate.open()
        let ends = await ends(of: prefetcher)
        await feed.value
        #expect(ends.count == 50)
        #expect(Set(ends).count == 50)
    }

    @Test func `stop while the feeder waits for room cancels its item`() async throws {
        let (prefetcher, _) = try prefetcher(limit: 1, backlog: 1)
        let items = try (0..<3).map { try item($0) }
        let added = Recorder<Int>()
        let feed = Task {
            for item in items {
                await prefetcher.add(item)
                added.add(item.id)
            }
        }
        await gate.untilArrived()
        // The second may have waited until the first had begun.
        await added.until(count: 2)
        await until { await prefetcher.arrivingCount > 0 }
        await prefetcher.stop()
        await gate.open()
        #expect(await ends(of: prefetcher).sorted() == ["0 cancelled", "1 cancelled", "2 cancelled"])
        await feed.value
    }

    @Test func `the events end only after waiting feeders`() async throws {
        let (prefetcher, _) = try prefetcher(backlog: 1)
        await prefetcher.pause()
        let items = try (0..<2).map { try item($0) }
        let feed = Task { for item in items { await prefetcher.add(item) } }
        await until { await prefetcher.arrivingCount > 0 }
        await prefetcher.stop()
        #expect(await ends(of: prefetcher) == ["0 cancelled", "1 cancelled"])
        await feed.value
    }

    @Test func `a cancelled feeder stops waiting for room`() async throws {
        let (prefetcher, _) = try prefetcher(backlog: 1)
        await prefetcher.pause()
        let items = try (0..<2).map { try item($0) }
        let feed = Task { for item in items { await prefetcher.add(item) } }
        await until { await prefetcher.arrivingCount > 0 }
        feed.cancel()
        await feed.value
        await prefetcher.stop()
        #expect(await ends(of: prefetcher).sorted() == ["0 cancelled", "1 cancelled"])
    }

    @Test func `a replaced backlog is followed in its order`() async throws {
        let (prefetcher, downloader) = try prefetcher(limit: 1)
        for id in 0..<4 { await prefetcher.add(try item(id)) }
        await gate.untilArrived()
        await prefetcher.replaceBacklog(with: [try item(3), try item(0), try item(9), try item(1)])
        await gate.open()
        await prefetcher.finish()
        // An item is kept while the next one is fetched already, and may end after it.
        #expect(await ends(of: prefetcher).sorted() == ["0 none", "1 none", "3 none", "9 none"])
        #expect(downloader.requests.all == [0, 3, 9, 1].map { "http://h/\($0)" })
    }

    @Test func `a known item is not added twice`() async throws {
        let (prefetcher, _) = try prefetcher(limit: 1)
        for id in [0, 1, 0, 1] { await prefetcher.add(try item(id)) }
        await gate.open()
        await prefetcher.finish()
        let ends = await ends(of: prefetcher)
        #expect(Set(ends.map { $0.prefix(1) }) == ["0", "1"])
        #expect(ends.count <= 4)
    }
}
