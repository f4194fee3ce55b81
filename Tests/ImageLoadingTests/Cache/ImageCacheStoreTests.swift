import Foundation
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoDiskCache
@testable import ImageLoading

/// Pictures into the cache and out of it.
@Suite(.timeLimit(.minutes(1))) struct ImageCacheStoreTests {
    private let place: TemporaryFolder
    private let cache: ImageCache
    private let image = Pictures.image(Pictures.gradient(PixelSize(width: 8, height: 6)))
    private let key = "https://user:secret@example.org/a.png"

    init() throws {
        place = try TemporaryFolder()
        cache = ImageCache(disk: try DiskStorage(folder: CacheFolder(path: place / "cache")))
    }

    private func bytes(_ processor: String = "") async -> Data? {
        await cache.disk?.data(for: ImageCache.diskKey(key, processor))?.data
    }

    private func entry(_ processor: String = "") async -> CacheEntry? {
        await cache.disk?.entry(for: ImageCache.diskKey(key, processor))
    }

    @Test func `a stored picture is found in memory and then on disk`() async throws {
        try await cache.store(image, forKey: key)
        #expect(try await cache.retrieveImage(forKey: key) == .memory(image))
        cache.clearMemoryCache()
        let result = try await cache.retrieveImage(forKey: key)
        #expect(result.cacheType == .disk)
        #expect(result.image?.pixels == image.pixels)
        #expect(try await cache.retrieveImage(forKey: key).cacheType == .memory)
        #expect(try await cache.retrieveImage(forKey: "other") == .none)
    }

    @Test func `the original bytes are stored unchanged`() async throws {
        let png = try Pictures.png()
        try await cache.store(image, original: png, forKey: key)
        #expect(await bytes() == png)
        let facts = try #require(await entry()).facts
        #expect(facts.format == .png && facts.size == image.originalSize)
        #expect(facts.url == "https://example.org/a.png" && facts.host == "example.org")
    }

    @Test func `a processed picture is stored in the serializer's format`() async throws {
        let processor = BlackWhiteProcessor()
        let picture = processor.process(image)
        try await cache.store(
            picture, original: try Pictures.png(), forKey: key, processorIdentifier: processor.identifier,
            serializer: FormatIndicatedCacheSerializer.webP)
        let facts = try #require(await entry(processor.identifier)).facts
        #expect(facts.format == .webP)
        #expect(await entry() == nil)
        cache.clearMemoryCache()
        let result = try await cache.retrieveImage(forKey: key, processor: processor)
        #expect(result.cacheType == .disk && result.image?.format == .webP)
        #expect(try await cache.retrieveImage(forKey: key) == .none)
    }

    @Test func `a preferred original is processed again when it is read`() async throws {
        let processor = BlackWhiteProcessor()
        let picture = processor.process(image)
        let png = try Pictures.png()
        let serializer = DefaultCacheSerializer(preferCacheOriginalData: true)
        try await cache.store(
            picture, original: png, forKey: key, processorIdentifier: processor.identifier, serializer: serializer)
        #expect(await bytes(processor.identifier) == png)
        cache.clearMemoryCache()
        let result = try await cache.retrieveImage(forKey: key, processor: processor, serializer: serializer)
        #expect(result.image?.pixels == picture.pixels)
        #expect(picture.pixels != image.pixels)
    }

    @Test func `a custom serializer writes and reads`() async throws {
        struct Sealed: CacheSerializer {
            func data(for image: Image, original: Data) throws(ImageError) -> Data {
                Data(
                    try ImageError.wrapping { () throws(CodecError) in try ImageEncoder.encode(image, as: .png) }.map {
                        ~$0
                    })
            }
            func format(for image: Image) -> ImageFormat { .png }
            func image(from data: Data, decoder: any ImageDecoding, limits: DecodeLimits) throws(ImageError) -> Image {
                try ImageError.wrapping { () throws(CodecError) in
                    try decoder.decode(Data(data.map { ~$0 }), within: nil, limits: limits)
                }
            }
        }
        let processor = FlipImageProcessor(.horizontal)
        try await cache.store(image, forKey: key, processorIdentifier: processor.identifier, serializer: Sealed())
        cache.clearMemoryCache()
        let result = try await cache.retrieveImage(forKey: key, processor: processor, serializer: Sealed())
        #expect(result.image?.pixels == image.pixels)
    }

    @Test func `toDisk false stores in memory only`() async throws {
        try await cache.store(image, forKey: key, toDisk: false)
        #expect(cache.retrieveImageInMemoryCache(forKey: key) == image)
        #expect(try await cache.retrieveImageInDiskCache(forKey: key) == nil)
    }

    @Test func `each tier can be queried alone`() async throws {
        try await cache.storeToDisk(try Pictures.png(), forKey: key)
        #expect(cache.retrieveImageInMemoryCache(forKey: key) == nil)
        #expect(try await cache.retrieveImageInDiskCache(forKey: key)?.pixels == image.pixels)
        #expect(cache.retrieveImageInMemoryCache(forKey: key) == nil)
    }

    @Test func `an expired expiration keeps a picture out of its tier`() async throws {
        try await cache.store(
            image, forKey: key, options: CacheStoreOptions(memoryExpiration: .expired, diskExpiration: .never))
        #expect(await cache.imageCachedType(forKey: key) == .disk)
        #expect(await entry()?.expires == nil)
        let options = CacheRetrieveOptions(memoryExpiration: .expired)
        #expect(try await cache.retrieveImage(forKey: key, options: options).cacheType == .disk)
        #expect(await cache.imageCachedType(forKey: key) == .disk)
        try await cache.store(image, forKey: "b", options: CacheStoreOptions(diskExpiration: .expired))
        cache.clearMemoryCache()
        #expect(await !cache.isCached(forKey: "b"))
    }

    @Test func `a hit on disk without extension keeps the expiry`() async throws {
        try await cache.storeToDisk(try Pictures.png(), forKey: key, expiration: .seconds(1_000))
        let expires = await entry()?.expires
        let options = CacheRetrieveOptions(diskExtending: .none, memoryExpiration: .expired)
        #expect(try await cache.retrieveImage(forKey: key, options: options).cacheType == .disk)
        await cache.disk?.flush()
        #expect(await entry()?.expires == expires)
        #expect(await entry()?.hits == 1)
    }

    @Test func `cached bytes that are not a picture are a miss`() async throws {
        try await cache.storeToDisk(Data("no picture at all, but text".utf8), forKey: key)
        #expect(try await cache.retrieveImage(forKey: key).cacheType == .none)
        await #expect(throws: ImageError.self) { try await cache.retrieveImageInDiskCache(forKey: key) }
    }

    @Test func `decode limits apply to pictures from disk too`() async throws {
        try await cache.storeToDisk(try Pictures.png(), forKey: key)
        var limits = DecodeLimits.standard
        limits.pixels = 7
        await #expect(throws: ImageError.self) { try await cache.retrieveImage(forKey: key, limits: limits) }
    }

    @Test func `a full disk is an error and the picture is kept in memory`() async throws {
        let storage = try DiskStorage(folder: CacheFolder(path: place / "full"), freeSpace: { _ in 0 })
        let cache = ImageCache(disk: storage)
        await #expect(throws: ImageError.cache(.cannotStore("less than 1024 MiB of the file system would stay free"))) {
            try await cache.store(image, forKey: key)
        }
        #expect(try await cache.retrieveImage(forKey: key) == .memory(image))
    }

    @Test func `without a disk only memory is used`() async throws {
        let cache = ImageCache(disk: nil)
        try await cache.store(image, forKey: key)
        #expect(try await cache.retrieveImage(forKey: key) == .memory(image))
        await #expect(throws: DiskCacheError.unavailable("this cache has no disk tier")) {
            try await cache.storeToDisk(Data(), forKey: key)
        }
    }
}
