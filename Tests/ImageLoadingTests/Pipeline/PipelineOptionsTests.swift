import Foundation
import ImageTestSupport
import Raster
import Retrying
import Synchronization
import TestSupport
import Testing

@testable import AlcedoDiskCache
@testable import ImageLoading

/// What each option changes, and which wins where two meet.
@Suite(.timeLimit(.minutes(1))) struct PipelineOptionsTests {
    private let place: TemporaryFolder
    private let picture: Data
    private let source: Source
    private let bw = BlackWhiteProcessor()

    init() throws {
        place = try TemporaryFolder()
        picture = try Pictures.png(width: 24, height: 18)
        source = try Self.source("main")
    }

    private static func source(_ name: String) throws -> Source {
        .network(try #require(URL(string: "http://example.org/\(name).png")))
    }

    private func cache(_ name: String = "cache", memory: MemoryStorage<Image> = MemoryStorage()) throws -> ImageCache {
        ImageCache(memory: memory, disk: try DiskStorage(folder: CacheFolder(path: place / name)))
    }

    private func kinds(in cache: ImageCache) async throws -> [CacheEntryKind] {
        try await cache.disk?.entries(CacheEntryQuery()).entries.map(\.key.kind) ?? []
    }

    // MARK: Caches

    @Test func `the target cache stores the processed picture, the original cache the bytes`() async throws {
        let (own, target, originals) = (try cache("own"), try cache("target"), try cache("originals"))
        let pipeline = ImagePipeline(cache: own, downloader: FakeDownloader(picture))
        _ = try await pipeline.image(
            for: source,
            options: [
                .targetCache(target), .originalCache(originals), .processor(bw), .cacheOriginalImage, .waitForCache,
            ])
        #expect(try await kinds(in: target) == [.processed])
        #expect(try await kinds(in: originals) == [.original])
        #expect(try await kinds(in: own) == [])
        #expect((own.memory.count, target.memory.count, originals.memory.count) == (0, 1, 0))
    }

    @Test func `without an original cache the target cache stores the bytes too`() async throws {
        let (own, target) = (try cache("own"), try cache("target"))
        let pipeline = ImagePipeline(cache: own, downloader: FakeDownloader(picture))
        _ = try await pipeline.image(for: source, options: [.targetCache(target)])
        #expect(try await kinds(in: target) == [.original])
        #expect(try await kinds(in: own) == [])
    }

    @Test func `an original from its cache is processed without a transfer`() async throws {
        let originals = try cache("originals")
        let first = ImagePipeline(cache: originals, downloader: FakeDownloader(picture))
        _ = try await first.image(for: source)
        let target = try cache("target")
        let second = ImagePipeline(cache: target, downloader: FakeDownloader.failing())
        let result = try await second.image(for: source, options: [.originalCache(originals), .processor(bw)])
        #expect(result.cacheType == .disk)
    }

    @Test func `fromMemoryCacheOrRefresh does not read the disk but writes to it`() async throws {
        let first = ImagePipeline(cache: try cache(), downloader: FakeDownloader(picture))
        _ = try await first.image(for: source)
        let downloader = FakeDownloader(picture)
        let second = ImagePipeline(cache: try cache(), downloader: downloader)
        #expect(try await second.image(for: source, options: [.fromMemoryCacheOrRefresh]).cacheType == .none)
        #expect(try await second.image(for: source, options: [.fromMemoryCacheOrRefresh]).cacheType == .memory)
        #expect(downloader.requests.all.count == 1)
        #expect(try await kinds(in: second.cache) == [.original])
    }

    @Test func `onlyFromCache overrides fromMemoryCacheOrRefresh, forceRefresh overrides both`() async throws {
        let first = ImagePipeline(cache: try cache(), downloader: FakeDownloader(picture))
        _ = try await first.image(for: source)
        let downloader = FakeDownloader(picture)
        let second = ImagePipeline(cache: try cache(), downloader: downloader)
        let found = try await second.image(for: source, options: [.fromMemoryCacheOrRefresh, .onlyFromCache])
        #expect(found.cacheType == .disk)
        #expect(downloader.requests.all.isEmpty)
        let fresh = try await second.image(
            for: source, options: [.forceRefresh, .fromMemoryCacheOrRefresh, .onlyFromCache])
        #expect(fresh.cacheType == .none)
    }

    @Test(arguments: [(false, [CacheEntryKind.original]), (true, [])])
    func `cacheMemoryOnly keeps the processed picture off the disk, not the original`(
        withoutOriginal: Bool, expected: [CacheEntryKind]
    ) async throws {
        let pipeline = ImagePipeline(cache: try cache(), downloader: FakeDownloader(picture))
        var options: ImageOptions = [.processor(bw), .cacheMemoryOnly, .waitForCache]
        options.cache.cacheOriginalImage = !withoutOriginal
        _ = try await pipeline.image(for: source, options: options)
        #expect(try await kinds(in: pipeline.cache) == expected)
        #expect(pipeline.cache.memory.count == 1)
    }

    @Test func `a load that waits for the cache reports a failed store, one that does not wait succeeds`()
        async throws
    {
        struct BrokenSerializer: CacheSerializer {
            func data(for image: Image, original: Data) throws(ImageError) -> Data {
                throw .cache(.cannotStore("no"))
            }
            func format(for image: Image) -> ImageFormat { .png }
        }
        let pipeline = ImagePipeline(cache: try cache(), downloader: FakeDownloader(picture))
        let options: ImageOptions = [.processor(bw), .cacheSerializer(BrokenSerializer())]
        let waiting = options.applying([.waitForCache, .forceRefresh])
        #expect(try await pipeline.image(for: source, options: options).storeProblem == nil)
        #expect(try await pipeline.image(for: source, options: waiting).storeProblem == .cache(.cannotStore("no")))
    }

    /// Stores turned bytes, which no decoder reads.
    private struct Turning: CacheSerializer {
        let storesOriginals: Bool

        func data(for image: Image, original: Data) throws(ImageError) -> Data { Data(original.reversed()) }
        func format(for image: Image) -> ImageFormat { image.format }
        func image(from data: Data, decoder: any ImageDecoding, limits: DecodeLimits) throws(ImageError) -> Image {
            let file = Data(data.reversed())
            return try ImageError.wrapping { () throws(CodecError) in
                try decoder.decode(file, within: nil, limits: limits)
            }
        }
    }

    @Test(arguments: [(true, true), (true, false), (false, true)])
    func `a serializer may store bytes of its own, also of images without a processor`(
        storesOriginals: Bool, isProcessed: Bool
    ) async throws {
        let downloader = FakeDownloader(picture)
        let pipeline = ImagePipeline(cache: try cache(), downloader: downloader)
        var options: ImageOptions = [
            .cacheSerializer(Turning(storesOriginals: storesOriginals)), .waitForCache,
            .memoryCacheExpiration(.expired),
        ]
        if isProcessed { options.process.processor = bw }
        _ = try await pipeline.image(for: source, options: options)
        #expect(try await pipeline.image(for: source, options: options).cacheType == .disk)
        #expect(downloader.requests.all.count == 1)
    }

    @Test(arguments: [ImageFormat.png, .jpeg, .webP, .gif])
    func `the serializer decides the format of the stored picture`(format: ImageFormat) async throws {
        let serializer = FormatIndicatedCacheSerializer(format)
        let options: ImageOptions = [.processor(bw), .cacheSerializer(serializer), .waitForCache]
        let pipeline = ImagePipeline(cache: try cache(), downloader: FakeDownloader(picture))
        _ = try await pipeline.image(for: source, options: options)
        let entry = try #require(try await pipeline.cache.disk?.entries(CacheEntryQuery()).entries.first)
        #expect(entry.facts.format == format)
        let again = ImagePipeline(cache: try cache(), downloader: FakeDownloader.failing())
        let found = try await again.image(for: source, options: options)
        #expect(found.cacheType == .disk)
        #expect(found.image.format == format)
    }

    @Test func `a picture that expires at once is stored in neither tier`() async throws {
        let pipeline = ImagePipeline(cache: try cache(), downloader: FakeDownloader(picture))
        _ = try await pipeline.image(
            for: source, options: [.memoryCacheExpiration(.expired), .diskCacheExpiration(.expired)])
        #expect(pipeline.cache.memory.count == 0)
        #expect(try await kinds(in: pipeline.cache) == [])
    }

    @Test(arguments: [
        (ExpirationExtending.none, false), (.cacheTime, true), (.expirationTime(.seconds(2)), false),
        (.expirationTime(.never), true),
    ])
    func `a hit in memory extends the life as configured`(extending: ExpirationExtending, lives: Bool) async throws {
        let time = Mutex(Duration.zero)
        let memory = MemoryStorage<Image>(now: { time.withLock(\.self) })
        let pipeline = ImagePipeline(cache: try cache(memory: memory), downloader: FakeDownloader(picture))
        let options: ImageOptions = [
            .memoryCacheExpiration(.seconds(10)), .memoryCacheAccessExtendingExpiration(extending),
        ]
        _ = try await pipeline.image(for: source, options: options)
        time.withLock { $0 = .seconds(6) }
        #expect(try await pipeline.image(for: source, options: options).cacheType == .memory)
        time.withLock { $0 = .seconds(12) }
        #expect(memory.isCached(forKey: source.cacheKey) == lives)
    }

    @Test(arguments: [
        (ExpirationExtending.none, false), (.cacheTime, true), (.expirationTime(.seconds(2)), false),
        (.expirationTime(.never), true),
    ])
    func `a hit on disk extends the life as configured`(extending: ExpirationExtending, lives: Bool) async throws {
        let date = ManualDate()
        let disk = try DiskStorage(folder: CacheFolder(path: place / "cache"), now: { date.now })
        let options: ImageOptions = [
            .diskCacheExpiration(.seconds(10)), .diskCacheAccessExtendingExpiration(extending),
            .memoryCacheExpiration(.expired),
        ]
        let pipeline = ImagePipeline(cache: ImageCache(disk: disk), downloader: FakeDownloader(picture))
        _ = try await pipeline.image(for: source, options: options)
        date.advance(bySeconds: 6)
        #expect(try await pipeline.image(for: source, options: options).cacheType == .disk)
        await disk.flush()
        date.advance(bySeconds: 6)
        #expect(await disk.isCached(CacheEntryKey(source: source.cacheKey)) == lives)
    }

    @Test(arguments: [nil, "jpg", "tar.gz"])
    func `stored files have the forced extension`(forced: String?) async throws {
        let pipeline = ImagePipeline(cache: try cache(), downloader: FakeDownloader(picture))
        _ = try await pipeline.image(
            for: source,
            options: [.processor(bw), .cacheOriginalImage, .waitForCache, .forcedCacheFileExtension(forced)])
        for identifier in ["", bw.identifier] {
            let path = await pipeline.cache.cachePath(forKey: source.cacheKey, processorIdentifier: identifier)
            let name = try #require(path?.split(separator: "/").last)
            #expect(name.hasSuffix(forced.map { "." + $0 } ?? "") && name.contains(".") == (forced != nil))
        }
    }

    @Test(arguments: [(CacheWriteOptions(), false), (.durable, true)])
    func `durable stores synchronise the disk, others do not`(options: CacheWriteOptions, waits: Bool) async throws {
        let synchronized = Recorder<Int32>()
        let folder = CacheFolder(path: place / "cache")
        var blobs = BlobStore(folder: folder.blobs)
        blobs.synchronize = {
            synchronized.add($0)
            return 0
        }
        let disk = try DiskStorage(
            folder: folder, configuration: DiskStorage.Configuration(), now: { Date() },
            freeSpace: { FreeSpace.bytes(at: $0) }, blobs: blobs)
        let pipeline = ImagePipeline(cache: ImageCache(disk: disk), downloader: FakeDownloader(picture))
        _ = try await pipeline.image(
            for: source, options: [.processor(bw), .cacheOriginalImage, .waitForCache, .diskStoreWriteOptions(options)])
        // Each of the two files, its folder, and the folder of folders.
        #expect(synchronized.all.isEmpty == !waits)
        #expect(!waits || synchronized.all.count >= 6)
    }

    @Test func `the progress of a provider is reported`() async throws {
        struct SlowProvider: ImageDataProvider {
            let cacheKey = "slow"
            let picture: Data
            func data() async throws -> Data { picture }
            func data(onProgress: @escaping @Sendable (Int, Int?) -> Void) async throws -> Data {
                onProgress(1, nil)
                onProgress(2, 3)
                return picture
            }
        }
        let pipeline = ImagePipeline(cache: try cache(), downloader: FakeDownloader.failing())
        let heard = Recorder<DownloadProgress>()
        _ = try await pipeline.image(for: .provider(SlowProvider(picture: picture))) {
            if case .progress(let progress) = $0 { heard.add(progress) }
        }
        #expect(heard.all == [DownloadProgress(received: 1, total: nil), DownloadProgress(received: 2, total: 3)])
    }

    // MARK: Fetching

    @Test func `the downloader of a call replaces that of the pipeline`() async throws {
        let own = FakeDownloader(picture)
        let pipeline = ImagePipeline(cache: try cache(), downloader: FakeDownloader.failing())
        _ = try await pipeline.image(for: source, options: [.downloader(own)])
        #expect(own.requests.all.count == 1)
    }

    @Test func `alternatives are tried in order with their own retries until one succeeds`()
        async throws
    {
        let downloader = FakeDownloader { [picture] url, _ throws(DownloadError) in
            guard url.path() == "/third.png" else { throw .response(.transport(.refused)) }
            return .of(picture, from: url)
        }
        let pipeline = ImagePipeline(cache: try cache(), downloader: downloader)
        let retrier = withNoDelay().giveUpAfter(maxAttempts: 2)
        let result = try await pipeline.image(
            for: source,
            options: [
                .alternativeSources([try Self.source("second"), try Self.source("third")]), .retryStrategy(retrier),
            ])
        #expect(result.cacheType == .none)
        #expect(
            downloader.requests.all.map { $0.suffix(10) }
                == [
                    "g/main.png", "g/main.png", "second.png", "second.png", "/third.png",
                ].map { $0.suffix(10) })
    }

    @Test func `an alternative at another origin gets no headers`() async throws {
        let downloader = FakeDownloader.failing()
        let pipeline = ImagePipeline(cache: try cache(), downloader: downloader)
        let elsewhere = try #require(URL(string: "http://mirror.example.org/main.png"))
        _ = try? await pipeline.image(
            for: source,
            options: [
                .requestHeaders([HeaderField(name: "Authorization", value: "Bearer a")]),
                .alternativeSources([try Self.source("second"), .network(elsewhere)]),
            ])
        #expect(downloader.headerCounts.all == [1, 1, 0])
    }

    @Test func `if all sources fail the error contains each source and its error`() async throws {
        let pipeline = ImagePipeline(cache: try cache(), downloader: FakeDownloader.failing())
        let refused = ImageError.response(.transport(.refused))
        await #expect(
            throws: ImageError.imageSetting(
                .alternativeSourcesExhausted([
                    SourceFailure(source: source, error: refused),
                    SourceFailure(source: try Self.source("other"), error: refused),
                ]))
        ) {
            try await pipeline.image(for: source, options: [.alternativeSources([try Self.source("other")])])
        }
    }

    @Test func `after a cancel no alternative is tried`() async throws {
        let downloader = FakeDownloader { _, _ throws(DownloadError) in throw .cancelled }
        let pipeline = ImagePipeline(cache: try cache(), downloader: downloader)
        await #expect(throws: ImageError.cancelled) {
            try await pipeline.image(for: source, options: [.alternativeSources([try Self.source("other")])])
        }
        #expect(downloader.requests.all.count == 1)
    }

    @Test func `with onlyFromCache no alternative is fetched`() async throws {
        let downloader = FakeDownloader(picture)
        let pipeline = ImagePipeline(cache: try cache(), downloader: downloader)
        await #expect(throws: ImageError.cache(.imageNotExisting(key: source.cacheKey))) {
            try await pipeline.image(
                for: source, options: [.onlyFromCache, .alternativeSources([try Self.source("other")])])
        }
        #expect(downloader.requests.all.isEmpty)
    }

    @Test(arguments: [(false, "main"), (true, "small")])
    func `a constrained network uses the low-data source first`(isConstrained: Bool, expected: String) async throws {
        let downloader = FakeDownloader { [picture] url, _ throws(DownloadError) in
            if url.path() == "/\(expected).png" { throw .response(.transport(.refused)) }
            return .of(picture, from: url)
        }
        let pipeline = ImagePipeline(cache: try cache(), downloader: downloader)
        var options: ImageOptions = [
            .lowDataMode(try Self.source("small")), .alternativeSources([try Self.source("other")]),
        ]
        options.download.isNetworkConstrained = isConstrained
        _ = try await pipeline.image(for: source, options: options)
        #expect(
            downloader.requests.all == ["http://example.org/\(expected).png", "http://example.org/other.png"])
    }

    // MARK: Defaults

    @Test func `the options of the call are added to those of the pipeline`() async throws {
        let pipeline = ImagePipeline(
            cache: try cache(), downloader: FakeDownloader(picture), defaultOptions: [.processor(bw), .onlyFromCache])
        await #expect(throws: ImageError.cache(.imageNotExisting(key: source.cacheKey))) {
            try await pipeline.image(for: source)
        }
        let added = try await pipeline.image(for: source, options: [.forceRefresh])
        #expect(added.image.pixels[3, 3].red == added.image.pixels[3, 3].green)
        let own = try await pipeline.image(for: source, options: ImageOptions([.forceRefresh]))
        #expect(own.image.pixels != added.image.pixels)
    }

    @Test func `cacheMemoryOnly keeps the original off the disk, unless requested`() async throws {
        for (options, expected) in [
            (ImageOptions([.cacheMemoryOnly]), []),
            (ImageOptions([.cacheMemoryOnly, .cacheOriginalImage]), [CacheEntryKind.original]),
        ] {
            let pipeline = ImagePipeline(cache: try cache("\(expected.count)"), downloader: FakeDownloader(picture))
            _ = try await pipeline.image(for: source, options: options)
            await pipeline.finishStores()
            #expect(try await kinds(in: pipeline.cache) == expected)
            #expect(try await pipeline.warm(source, options: options).cacheType != .none)
            #expect(pipeline.cache.memory.count == 1)
        }
    }

    @Test func `a prefetch with cacheMemoryOnly writes nothing to disk`() async throws {
        let pipeline = ImagePipeline(cache: try cache(), downloader: FakeDownloader(picture))
        _ = try await pipeline.warm(source, options: [.cacheMemoryOnly])
        #expect(try await kinds(in: pipeline.cache) == [])
        #expect(pipeline.cache.memory.count == 1)
    }

    @Test func `a processed picture on disk is found with cacheMemoryOnly too`() async throws {
        let first = ImagePipeline(cache: try cache(), downloader: FakeDownloader(picture))
        _ = try await first.image(for: source, options: [.processor(bw), .waitForCache])
        let second = ImagePipeline(cache: try cache(), downloader: FakeDownloader.failing())
        let found = try await second.image(for: source, options: [.processor(bw), .cacheMemoryOnly])
        #expect(found.cacheType == .disk)
    }

    @Test func `loads with different downloaders are not shared`() async throws {
        let gate = Gate()
        let downloaders = (0..<2).map { _ in FakeDownloader(picture, gate: gate) }
        let pipeline = ImagePipeline(cache: try cache(), downloader: FakeDownloader.failing())
        let loads = downloaders.map { own in Task { try await pipeline.image(for: source, options: [.downloader(own)]) }
        }
        await gate.untilArrived(2)
        await gate.open()
        for load in loads { _ = try await load.value }
        #expect(downloaders.map(\.requests.all.count) == [1, 1])
    }

    // MARK: Delivery

    @Test func `each request has a new, larger identifier, joined or not`() async throws {
        let gate = Gate()
        let pipeline = ImagePipeline(cache: try cache(), downloader: FakeDownloader(picture, gate: gate))
        let loads = (0..<3).map { _ in Task { try await pipeline.image(for: source).identifier } }
        await gate.untilArrived()
        await gate.open()
        var numbers: [Source.Identifier.Value] = []
        for load in loads { numbers.append(try await load.value) }
        #expect(Set(numbers).count == 3)
        #expect(try await pipeline.image(for: source).identifier > numbers.max() ?? .max)
    }

    @Test func `an image modifier changes the result of every tier but not the stored picture`() async throws {
        struct Whitening: ImageModifier {
            func modify(_ image: Image) -> Image { image.with(PixelBuffer(size: image.size, filledWith: .white)) }
        }
        let inverted = Whitening()
        let pipeline = ImagePipeline(cache: try cache(), downloader: FakeDownloader(picture))
        let plain = try await pipeline.image(for: source)
        let edited = try await pipeline.image(for: source, options: [.imageModifier(inverted)])
        #expect(edited.image.pixels[0, 0] == .white)
        #expect(edited.cacheType == .memory)
        #expect(try await pipeline.image(for: source).image == plain.image)
    }

    @Test func `alsoPrefetchToMemory makes the next load a memory hit`() async throws {
        let pipeline = ImagePipeline(cache: try cache(), downloader: FakeDownloader(picture))
        _ = try await pipeline.warm(source)
        #expect(pipeline.cache.memory.count == 0)
        #expect(try await pipeline.warm(source, options: [.alsoPrefetchToMemory]).cacheType == .disk)
        #expect(try await pipeline.image(for: source).cacheType == .memory)
    }
}
