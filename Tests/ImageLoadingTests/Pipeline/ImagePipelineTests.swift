import Foundation
import ImageTestSupport
import Raster
import Retrying
import Synchronization
import TestSupport
import Testing

@testable import ImageLoading

@Suite(.timeLimit(.minutes(1))) struct ImagePipelineTests {
    private let place: TemporaryFolder
    private let picture: Data
    private let source: Source

    init() throws {
        place = try TemporaryFolder()
        picture = try Pictures.png(width: 24, height: 18)
        source = .network(try #require(URL(string: "http://ann:secret@example.org/a.png?size=1")))
    }

    /// A pipeline as a new process would make it: an empty memory over the same folder.
    private func pipeline(_ downloader: FakeDownloader, withDisk: Bool = true) throws -> ImagePipeline {
        let configuration = DiskStorage.Configuration()
        let folder = CacheFolder(path: place / "cache")
        let disk = withDisk ? try DiskStorage(folder: folder, configuration: configuration) : nil
        return ImagePipeline(cache: ImageCache(disk: disk), downloader: downloader)
    }

    private func stored(in pipeline: ImagePipeline) async throws -> [CacheEntry] {
        try await pipeline.cache.disk?.entries(CacheEntryQuery()).entries ?? []
    }

    @Test func `a picture is fetched once, then found in memory, then on disk by another process`() async throws {
        let downloader = FakeDownloader(picture)
        let first = try pipeline(downloader)
        let fetched = try await first.image(for: source)
        #expect(fetched.cacheType == .none)
        #expect(fetched.image.size == PixelSize(width: 24, height: 18))
        #expect(fetched.metrics != nil)
        #expect(try await first.image(for: source).cacheType == .memory)
        let second = try pipeline(.failing())
        let found = try await second.image(for: source)
        #expect(found.cacheType == .disk)
        #expect(found.image == fetched.image)
        #expect(downloader.requests.all.count == 1)
    }

    @Test func `the stored address contains no credentials`() async throws {
        let pipeline = try pipeline(FakeDownloader(picture))
        _ = try await pipeline.image(for: source)
        let entry = try #require(try await stored(in: pipeline).first)
        #expect(entry.facts.url == "http://example.org/a.png?size=1")
        #expect(entry.facts.host == "example.org")
        #expect(entry.facts.format == .png)
        #expect(entry.facts.size == PixelSize(width: 24, height: 18))
        #expect(entry.facts.etag == "\"1\"")
    }

    @Test func `forceRefresh uses the network and stores the result`() async throws {
        let other = try Pictures.png(width: 5, height: 5)
        let downloader = FakeDownloader { [picture] url, attempt in .of(attempt == 1 ? picture : other, from: url) }
        let pipeline = try pipeline(downloader)
        _ = try await pipeline.image(for: source)
        let fresh = try await pipeline.image(for: source, options: [.forceRefresh, .onlyFromCache])
        #expect(fresh.cacheType == .none)
        #expect(fresh.image.size == PixelSize(width: 5, height: 5))
        #expect(try await pipeline.image(for: source).image == fresh.image)
        #expect(try await self.pipeline(.failing()).image(for: source).image == fresh.image)
    }

    @Test func `with onlyFromCache a miss is an error without a request`() async throws {
        let downloader = FakeDownloader(picture)
        let pipeline = try pipeline(downloader)
        await #expect(throws: ImageError.cache(.imageNotExisting(key: source.cacheKey))) {
            try await pipeline.image(for: source, options: [.onlyFromCache])
        }
        #expect(downloader.requests.all.isEmpty)
        _ = try await pipeline.image(for: source)
        #expect(try await self.pipeline(downloader).image(for: source, options: [.onlyFromCache]).cacheType == .disk)
    }

    @Test(arguments: ["<html>not a picture</html>", "", "GIF89a and no more"])
    func `data that is not a picture is not cached`(text: String) async throws {
        let pipeline = try pipeline(FakeDownloader(Data(text.utf8)))
        await #expect(throws: ImageError.self) { try await pipeline.image(for: source) }
        await #expect(throws: ImageError.self) { try await pipeline.warm(source) }
        #expect(try await stored(in: pipeline).isEmpty)
        #expect(pipeline.cache.memory.count == 0)
    }

    @Test func `a picture over the limits is not cached`() async throws {
        let pipeline = try pipeline(FakeDownloader(picture))
        let options: ImageOptions = [.decodeLimits(DecodeLimits(pixels: 20))]
        await #expect(throws: ImageError.self) { try await pipeline.warm(source, options: options) }
        #expect(try await stored(in: pipeline).isEmpty)
    }

    @Test func `a body without length is stored if its file has its end`() async throws {
        let pipeline = try pipeline(FakeDownloader(picture, isProvenWhole: false))
        #expect(try await pipeline.warm(source).byteCount == picture.count)
        #expect(try await stored(in: pipeline).count == 1)
    }

    @Test(arguments: [true, false])
    func `a truncated file is not stored whatever its length says`(isProvenWhole: Bool) async throws {
        let pipeline = try pipeline(FakeDownloader(picture.dropLast(20), isProvenWhole: isProvenWhole))
        await #expect {
            try await pipeline.warm(source)
        } throws: {
            ($0 as? ImageError).map { if case .processor(.damaged) = $0 { true } else { false } } ?? false
        }
        #expect(try await stored(in: pipeline).isEmpty)
    }

    @Test func `without a disk the pipeline works from memory`() async throws {
        let downloader = FakeDownloader(picture)
        let pipeline = try pipeline(downloader, withDisk: false)
        #expect(try await pipeline.image(for: source).cacheType == .none)
        #expect(try await pipeline.image(for: source).cacheType == .memory)
        #expect(try await pipeline.warm(source).byteCount == picture.count)
    }

    @Test func `a failing disk does not affect the load`() async throws {
        let pipeline = try pipeline(FakeDownloader(picture))
        try FileManager.default.removeItem(atPath: place / "cache/v3/blobs")
        try Data().write(to: URL(filePath: place / "cache/v3/blobs"))
        #expect(try await pipeline.image(for: source).cacheType == .none)
        #expect(try await pipeline.image(for: source).cacheType == .memory)
    }

    @Test func `damaged content is fetched again`() async throws {
        let downloader = FakeDownloader(picture)
        _ = try await pipeline(downloader).image(for: source)
        let blob = try #require(place.files().first { $0.contains("/blobs/") })
        var bytes = picture
        bytes[40] ^= 1
        try bytes.write(to: URL(filePath: place / blob))
        #expect(try await pipeline(downloader).image(for: source).cacheType == .none)
        #expect(try await pipeline(.failing()).image(for: source).cacheType == .disk)
    }

    @Test func `a processed picture is stored, and its original only when requested`() async throws {
        let options: ImageOptions = [.processor(DownsamplingImageProcessor(size: PixelSize(width: 8, height: 8)))]
        let first = try pipeline(FakeDownloader(picture))
        let result = try await first.image(for: source, options: options)
        #expect(result.image.size == PixelSize(width: 8, height: 6))
        await first.finishStores()
        #expect(try await stored(in: first).map(\.key.kind) == [.processed])
        let found = try await pipeline(.failing()).image(for: source, options: options)
        #expect(found.cacheType == .disk)
        #expect(found.image.pixels == result.image.pixels)
        var both = options
        both.apply(.cacheOriginalImage)
        both.apply(.forceRefresh)
        _ = try await first.image(for: source, options: both)
        await first.finishStores()
        #expect(Set(try await stored(in: first).map(\.key.kind)) == [.original, .processed])
    }

    @Test func `pictures with different processors are cached separately`() async throws {
        let pipeline = try pipeline(FakeDownloader(picture))
        let plain = try await pipeline.image(for: source)
        let grey = try await pipeline.image(for: source, options: [.processor(BlackWhiteProcessor())])
        #expect(plain.image != grey.image)
        #expect(grey.cacheType == .disk)
        #expect(try await pipeline.image(for: source).image == plain.image)
    }

    @Test func `concurrent equal loads share one transfer`() async throws {
        let gate = Gate()
        let downloader = FakeDownloader(picture, gate: gate)
        let pipeline = try pipeline(downloader)
        let tasks = (0..<20).map { _ in Task { [source] in try await pipeline.image(for: source).image } }
        let other = Task { [source] in
            try await pipeline.image(for: source, options: [.processor(BlackWhiteProcessor()), .cacheOriginalImage])
                .image
        }
        await gate.untilArrived()
        await gate.open()
        let images = try await withThrowingTaskGroup(of: Image.self) { group in
            for task in tasks { group.addTask { try await task.value } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        _ = try await other.value
        #expect(images.count == 1)
        #expect(downloader.requests.all.count == 1)
    }

    @Test func `a cancelled load cancels its transfer and fails as cancelled`() async throws {
        let gate = Gate()
        let downloader = FakeDownloader(picture, gate: gate)
        let pipeline = try pipeline(downloader)
        let task = Task { [source] in try await pipeline.image(for: source) }
        await gate.untilArrived()
        task.cancel()
        let outcome = await task.result
        #expect(throws: ImageError.cancelled) { try outcome.get() }
        await gate.open()
        await downloader.cancelled.until(count: 1)
        #expect(try await stored(in: pipeline).isEmpty)
    }

    @Test func `a request that failed before its host was given up throws its own error`() async throws {
        let error = DownloadError.response(.invalidHTTPStatusCode(502, retryAfter: nil))
        let clock = ManualClock(advancesItself: true)
        let hosts = HostHealth(
            breaker: CircuitBreaker(threshold: 1), waitLimit: .exactly(.seconds(1)), clock: clock)
        let pipeline = ImagePipeline(
            cache: ImageCache(disk: nil), downloader: FakeDownloader.failing(error), hosts: hosts)
        let retrier = withConstantDelay(.seconds(2)).timed(by: clock)
        let thrown = await #expect(throws: ImageError.self) {
            try await pipeline.image(for: source, options: [.retryStrategy(retrier)])
        }
        guard case .response(.hostUnavailable(_, _, after: error)) = thrown else {
            Issue.record("\(String(describing: thrown))")
            return
        }
        #expect(hosts.troubledHosts().first?.isGivenUp == true)
    }

    @Test func `the metrics of a transfer include all attempts`() async throws {
        // Given a picture that comes at the third attempt, and a second between any two looks at the time
        let downloader = FakeDownloader { [picture] url, attempt throws(DownloadError) in
            if attempt < 3 { throw .response(.transport(.reset)) }
            return .of(picture, from: url)
        }
        let seconds = Mutex(0)
        let pipeline = ImagePipeline(cache: ImageCache(disk: nil), downloader: downloader) {
            .seconds(
                seconds.withLock { seconds in
                    seconds += 1
                    return seconds
                })
        }
        let retrier = withConstantDelay(.seconds(2)).timed(by: ManualClock(advancesItself: true))
        let metrics = try await pipeline.image(for: source, options: [.retryStrategy(retrier)]).metrics
        #expect(try #require(metrics).total >= .seconds(2))
        #expect(metrics?.firstByte == metrics?.total)
    }

    @Test func `failed transfers are retried by the strategy and each retry is reported`() async throws {
        let downloader = FakeDownloader { [picture] url, attempt throws(DownloadError) in
            if attempt < 3 { throw .response(.invalidHTTPStatusCode(503, retryAfter: nil)) }
            return .of(picture, from: url)
        }
        let events = Recorder<String>()
        let retrier = withConstantDelay(.seconds(2)).timed(by: ManualClock(advancesItself: true))
        _ = try await pipeline(downloader).image(for: source, options: [.retryStrategy(retrier)]) { event in
            switch event {
            case .started: events.add("started")
            case .progress(let progress): events.add("\(progress.received)")
            case .received(let byteCount): events.add("received \(byteCount)")
            case .partial: events.add("partial")
            case .answered(let code, _): events.add("answered \(code)")
            case .refused(let result): events.add("refused \(result.byteCount)")
            case .retrying(let attempt, let error, let delay): events.add("\(attempt) \(error.title) \(delay)")
            case .parked(let rejection): events.add("\(rejection)")
            }
        }
        #expect(
            events.all == [
                "started", "2 503 Service Unavailable 2.0 seconds", "started", "3 503 Service Unavailable 2.0 seconds",
                "started", "\(picture.count)", "received \(picture.count)",
            ])
    }

    @Test(arguments: [
        DownloadError.response(.invalidHTTPStatusCode(404, retryAfter: nil)), .response(.notAnImage("HTML")),
        .cancelled,
    ])
    func `a permanent error is not retried`(error: DownloadError) async throws {
        let downloader = FakeDownloader.failing(error)
        let retrier = withNoDelay().timed(by: ManualClock(advancesItself: true))
        let pipeline = try pipeline(downloader)
        await #expect(throws: ImageError(error)) {
            try await pipeline.image(for: source, options: [.retryStrategy(retrier)])
        }
        #expect(downloader.requests.all.count == 1)
    }

    @Test func `warm stores a picture once without loading it into memory`() async throws {
        let downloader = FakeDownloader(picture)
        let pipeline = try pipeline(downloader)
        #expect(try await pipeline.warm(source).cacheType == .none)
        #expect(pipeline.cache.memory.count == 0)
        let again = try await pipeline.warm(source)
        #expect(again.cacheType == .disk)
        #expect(again.byteCount == picture.count)
        #expect(downloader.requests.all.count == 1)
        #expect(try await pipeline.image(for: source).cacheType == .disk)
    }

    @Test func `a picture of a provider is loaded like any other`() async throws {
        let pipeline = try pipeline(.failing())
        let raw = Source.provider(RawImageDataProvider(data: picture, cacheKey: "raw"))
        #expect(try await pipeline.image(for: raw).image.size == PixelSize(width: 24, height: 18))
        #expect(try await stored(in: pipeline).map(\.key.source) == ["raw"])
        let file = place / "a.png"
        try picture.write(to: URL(filePath: file))
        #expect(try await pipeline.image(for: Source(url: URL(filePath: file))).image.byteCount == picture.count)
        #expect(try await stored(in: pipeline).count == 1)
    }

    @Test func `an address that ends like a processor does not match a processed picture`() async throws {
        let address = try #require(URL(string: "http://example.org/a@bw"))
        let plain = try #require(URL(string: "http://example.org/a"))
        let pipeline = try pipeline(FakeDownloader(picture))
        let first = try await pipeline.image(for: .network(address))
        let grey = try await pipeline.image(for: .network(plain), options: [.processor(BlackWhiteProcessor())])
        #expect(grey.image != first.image)
    }
}
