import FaultServer
import KingfisherCompatibility
import TestSupport
import Testing

/// Programs as users of Kingfisher write them: caches, downloader, processors, serializers, prefetcher.
@Suite(.timeLimit(.minutes(1))) struct CacheSnippetTests {
    private let place: Place
    private let cache: ImageCache

    init() async throws {
        place = try await Place()
        cache = place.cache
    }

    private struct WebpProcessor: ImageProcessor {
        let identifier = "com.yourdomain.webpprocessor"

        func process(item: ImageProcessItem, options: KingfisherParsedOptionsInfo) -> KFCrossPlatformImage? {
            switch item {
            case .image(let image):
                print("already an image")
                return image
            case .data(let data):
                return data.starts(with: Data("FAKE".utf8)) ? Image(data: Data(data.dropFirst(4))) : nil
            }
        }
    }

    private struct WebpCacheSerializer: CacheSerializer {
        func data(with image: KFCrossPlatformImage, original: Data?) -> Data? {
            image.jpegData(compressionQuality: 0.9)
        }

        func image(with data: Data, options: KingfisherParsedOptionsInfo?) -> KFCrossPlatformImage? {
            Image(data: data)
        }

        func image(with data: Data, options: KingfisherParsedOptionsInfo) -> KFCrossPlatformImage? { Image(data: data) }
    }

    private struct MyProvider: ImageDataProvider {
        let bytes: Data
        var cacheKey: String { "my-provider" }

        func data(handler: @escaping (Result<Data, any Error>) -> Void) { handler(.success(bytes)) }
    }

    @Test func `limits change while the program runs`() async throws {
        cache.memoryStorage.config.totalCostLimit = 300 * 1024 * 1024
        cache.memoryStorage.config.countLimit = 1
        cache.memoryStorage.config.expiration = .seconds(600)
        cache.memoryStorage.config.cleanInterval = 30
        cache.memoryStorage.config.keepWhenEnteringBackground = true
        cache.diskStorage.config.sizeLimit = 1000 * 1024 * 1024
        cache.diskStorage.config.expiration = .never
        cache.diskStorage.config.pathExtension = "png"
        cache.diskStorage.config.usesHashedFileName = true
        let image = try Place.image(.blue)
        cache.store(try Place.image(.red), forKey: "a", toDisk: false)
        await withCheckedContinuation { done in
            cache.store(image, forKey: "b") { _ in done.resume() }
        }
        #expect(!cache.isCached(forKey: "a"))
        #expect(cache.imageCachedType(forKey: "b") == .memory)
        #expect(cache.cachePath(forKey: "b").hasSuffix(".png"))
    }

    @Test func `store, ask, read and remove`() async throws {
        let image = try Place.image(.red)
        cache.store(image, forKey: "key")
        #expect(cache.isCached(forKey: "key"))
        let result: Result<ImageCacheResult, KingfisherError> = await withCheckedContinuation { continuation in
            cache.retrieveImage(forKey: "key") { result in
                switch result {
                case .success(let value): print(value.cacheType)
                case .failure(let error): print(error)
                }
                continuation.resume(returning: result)
            }
        }
        #expect(result.value?.image?.pixels == image.pixels)
        cache.clearMemoryCache()
        let fromDisk: Image? = await withCheckedContinuation { continuation in
            cache.retrieveImageInDiskCache(forKey: "key") { continuation.resume(returning: try? $0.get()) }
        }
        #expect(fromDisk?.pixels == image.pixels && cache.imageCachedType(forKey: "key") == .disk)
        #expect(cache.retrieveImageInMemoryCache(forKey: "key") == nil)
        await withCheckedContinuation { continuation in
            cache.removeImage(forKey: "key", fromMemory: true, fromDisk: true) { continuation.resume() }
        }
        #expect(!cache.isCached(forKey: "key"))
    }

    @Test func `an image of a processor has its own entry`() async throws {
        let processor = RoundCornerImageProcessor(cornerRadius: 20)
        cache.store(try Place.image(.red), forKey: "key", processorIdentifier: processor.identifier)
        #expect(cache.isCached(forKey: "key", processorIdentifier: processor.identifier))
        #expect(!cache.isCached(forKey: "key"))
        let found = try await cache.retrieveImage(forKey: "key", options: [.processor(processor)])
        #expect(found.image != nil)
        cache.removeImage(forKey: "key", processorIdentifier: processor.identifier)
        _ = try await cache.diskStorageSize
        #expect(!cache.isCached(forKey: "key", processorIdentifier: processor.identifier))
    }

    @Test func `the size on disk, and clearing`() async throws {
        cache.storeToDisk(Data(repeating: 7, count: 1000), forKey: "bytes")
        let size: UInt? = await withCheckedContinuation { continuation in
            cache.calculateDiskStorageSize { result in
                if case .success(let size) = result { print("Disk cache size: \(Double(size) / 1024 / 1024) MB") }
                continuation.resume(returning: try? result.get())
            }
        }
        #expect(size == 1000)
        cache.cleanExpiredMemoryCache()
        await withCheckedContinuation { continuation in cache.cleanExpiredDiskCache { continuation.resume() } }
        #expect(try await cache.diskStorageSize == 1000)
        await withCheckedContinuation { continuation in cache.clearCache { continuation.resume() } }
        #expect(try await cache.diskStorageSize == 0)
    }

    @Test func `a processor and a serializer of the program`() async throws {
        let picture = try Place.picture(.red)
        let fake = try await Place(["/fake": [.picture(Array(Data("FAKE".utf8) + picture))]])
        let result = await fake.retrieve(
            .network(try fake.url("/fake")),
            [.processor(WebpProcessor()), .cacheSerializer(WebpCacheSerializer()), .waitForCache])
        #expect(try result.get().image.pixels[0, 0] == .red)
        fake.cache.clearMemoryCache()
        let again = await fake.retrieve(
            .network(try fake.url("/fake")), [.processor(WebpProcessor()), .cacheSerializer(WebpCacheSerializer())])
        #expect(again.value?.cacheType == .disk)
        #expect(await fake.requests("/fake") == 1)
    }

    @Test func `a provider of the program`() async throws {
        let provider = MyProvider(bytes: try Place.picture(.green))
        let result = await place.retrieve(.provider(provider))
        #expect(try result.get().image.pixels[0, 0] == .green)
        #expect(try await provider.data() == provider.bytes)
    }

    @Test func `the downloader alone`() async throws {
        let url = try place.url("/download.png")
        let downloader = place.downloader
        downloader.downloadTimeout = 5
        let modifier = AnyModifier { request in
            var request = request
            request.setValue("abc", forHTTPHeaderField: "Access-Token")
            request.timeoutInterval = 3
            return request
        }
        let result: Result<ImageLoadingResult, KingfisherError> = await withCheckedContinuation { continuation in
            downloader.downloadImage(with: url, options: [.requestModifier(modifier)]) { result in
                switch result {
                case .success(let value): print(value.image)
                case .failure(let error): print(error)
                }
                continuation.resume(returning: result)
            }
        }
        let value = try result.get()
        let file = try Place.picture(.red)
        #expect(value.url == url && value.originalData == file)
        #expect(await place.server.requests.first?.values(of: "Access-Token") == ["abc"])
        #expect(!cache.isCached(forKey: url.cacheKey))
        #expect(try await downloader.downloadImage(with: url).image.size.width == 60)
    }

    @Test func `processors by their initializers`() async throws {
        let processors: [any ImageProcessor] = [
            RoundCornerImageProcessor(cornerRadius: 20),
            RoundCornerImageProcessor(
                radius: .widthFraction(0.5), targetSize: .init(width: 30, height: 20),
                roundingCorners: [.topLeft, .bottomRight], backgroundColor: .white),
            DownsamplingImageProcessor(size: .init(width: 20, height: 20)),
            CroppingImageProcessor(size: CGSize(width: 10, height: 10), anchor: CGPoint(x: 0.5, y: 0.5)),
            ResizingImageProcessor(referenceSize: .init(width: 10, height: 10), mode: .aspectFill),
            BlurImageProcessor(blurRadius: 5.0), OverlayImageProcessor(overlay: .red, fraction: 0.7),
            TintImageProcessor(tint: .blue),
            ColorControlsProcessor(brightness: 1.0, contrast: 0.7, saturation: 1.1, inputEV: 0.7),
            BlackWhiteProcessor(),
            BlendImageProcessor(blendMode: .darken, alpha: 1.0, backgroundColor: .cyan),
            BorderImageProcessor(border: Border(color: .red, lineWidth: 2, radius: .point(3))),
            DefaultImageProcessor.default,
            BlurImageProcessor(blurRadius: 4) |> RoundCornerImageProcessor(cornerRadius: 20),
            BlackWhiteProcessor().append(another: TintImageProcessor(tint: .green)),
        ]
        let (image, png) = (try Place.image(.red), try Place.picture(.red))
        let options = KingfisherParsedOptionsInfo(nil)
        for processor in processors {
            let made = processor.process(item: .image(image), options: options)
            let again = processor.process(item: .data(png), options: options)
            #expect(made != nil && made?.pixels == again?.pixels)
        }
        #expect(Set(processors.map(\.identifier)).count == processors.count)
    }

    @Test func `a prefetcher`() async throws {
        let urls = try ["/p1.png", "/p2.png"].map { try place.url($0) }
        let counts: [Int] = await withCheckedContinuation { continuation in
            let prefetcher = ImagePrefetcher(urls: urls, options: place.own) {
                skippedResources, failedResources, completedResources in
                print("These resources are prefetched: \(completedResources)")
                continuation.resume(
                    returning: [skippedResources.count, failedResources.count, completedResources.count])
            }
            prefetcher.maxConcurrentDownloads = 2
            prefetcher.start()
        }
        #expect(counts == [0, 0, 2])
        #expect(urls.allSatisfy { cache.isCached(forKey: $0.cacheKey) })
    }
}
