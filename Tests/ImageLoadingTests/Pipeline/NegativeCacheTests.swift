import Foundation
import ImageTestSupport
import TestSupport
import Testing

@testable import ImageLoading

/// What is not there is not asked for again at once.
@Suite(.timeLimit(.minutes(1))) struct NegativeCacheTests {
    private let place: TemporaryFolder
    private let time = ManualTime()
    private let source: Source

    init() throws {
        place = try TemporaryFolder()
        source = .network(try #require(URL(string: "http://h/a.png")))
    }

    private func pipeline(_ downloader: FakeDownloader, date: ManualDate = ManualDate()) throws -> ImagePipeline {
        let disk = try DiskStorage(folder: CacheFolder(path: place / "cache"), now: { date.now })
        return ImagePipeline(
            cache: ImageCache(disk: disk), downloader: downloader, goneLifetime: .seconds(30),
            now: time.read)
    }

    private func failure(_ code: Int) -> DownloadError { .response(.invalidHTTPStatusCode(code, retryAfter: nil)) }

    private func status(_ code: Int) -> ImageError { ImageError(failure(code)) }

    @Test(arguments: [(404, 1), (410, 1), (403, 2), (451, 2), (500, 2)])
    func `404 and 410 are remembered, other statuses are not`(code: Int, requests: Int) async throws {
        let downloader = FakeDownloader.failing(failure(code))
        let pipeline = try pipeline(downloader)
        for _ in 0..<2 {
            await #expect(throws: status(code)) { try await pipeline.image(for: source) }
        }
        #expect(downloader.requests.all.count == requests)
    }

    @Test func `clearing the cache forgets missing pictures`() async throws {
        let downloader = FakeDownloader.failing(failure(404))
        let pipeline = try pipeline(downloader)
        await #expect(throws: status(404)) { try await pipeline.image(for: source) }
        pipeline.cache.clearMemoryCache()
        await #expect(throws: status(404)) { try await pipeline.image(for: source) }
        try await pipeline.cache.clearDiskCache()
        await #expect(throws: status(404)) { try await pipeline.image(for: source) }
        await #expect(throws: status(404)) { try await pipeline.image(for: source) }
        #expect(downloader.requests.all.count == 3)
    }

    @Test func `a gone picture is requested again after a while and on a forced refresh`() async throws {
        let picture = try Pictures.png()
        let downloader = FakeDownloader { [self] url, attempt throws(DownloadError) in
            if attempt < 3 { throw failure(404) }
            return .of(picture, from: url)
        }
        let pipeline = try pipeline(downloader)
        await #expect(throws: status(404)) { try await pipeline.image(for: source) }
        time.advance(by: .seconds(31))
        await #expect(throws: status(404)) { try await pipeline.image(for: source) }
        _ = try await pipeline.image(for: source, options: [.forceRefresh, .memoryCacheExpiration(.expired)])
        #expect(downloader.requests.all.count == 3)
        #expect(try await pipeline.image(for: source).cacheType == .disk)
    }

    @Test func `410 removes the cached picture, 404 does not`() async throws {
        for (code, isLeft) in [(404, true), (410, false)] {
            let (date, picture) = (ManualDate(), try Pictures.png())
            let downloader = FakeDownloader { [self] url, attempt throws(DownloadError) in
                if attempt > 1 { throw failure(code) }
                return .of(picture, from: url)
            }
            let pipeline = try pipeline(downloader, date: date)
            _ = try await pipeline.warm(source, options: [.diskCacheExpiration(.seconds(60)), .forceRefresh])
            date.advance(bySeconds: 61)
            await #expect(throws: status(code)) { try await pipeline.warm(source) }
            let key = CacheEntryKey(source: source.cacheKey)
            #expect((await pipeline.cache.disk?.entry(for: key) != nil) == isLeft)
        }
    }

    @Test func `the number of remembered failures is limited`() {
        let gone = NegativeCache(lifetime: .seconds(30), limit: 10, now: time.read)
        for number in 0..<1000 { gone.record(status(404), for: "\(number)") }
        let known = (0..<1000).count { gone.error(for: "\($0)") != nil }
        #expect((1...10).contains(known))
        #expect(gone.error(for: "999") == status(404))
    }
}
