import Foundation
import Raster
import TestSupport
import Testing

@testable import ImageLoading

struct ImageCacheTests {
    private let place: TemporaryFolder
    private let cache: ImageCache
    private let image = Pictures.image(Pictures.gradient(PixelSize(width: 4, height: 3)))

    init() throws {
        place = try TemporaryFolder()
        cache = ImageCache(disk: try DiskStorage(folder: CacheFolder(path: place / "cache")))
    }

    private func remember(_ key: String, processor: String = "") {
        cache.memory.store(image, forKey: ImageCache.memoryKey(key, processor), cost: image.cost)
    }

    private func keep(_ key: String, processor: String = "") async throws {
        let kind: CacheEntryKind = processor.isEmpty ? .original : .processed
        try await cache.disk?.store(
            Data("\(key) \(processor)".utf8), for: CacheEntryKey(source: key, processor: processor, kind: kind),
            facts: CacheEntryFacts())
    }

    @Test func theMemoryIsNamedBeforeTheDisk() async throws {
        #expect(await cache.imageCachedType(forKey: "a") == .none)
        try await keep("a")
        #expect(await cache.imageCachedType(forKey: "a") == .disk)
        remember("a")
        #expect(await cache.imageCachedType(forKey: "a") == .memory)
        #expect(await cache.imageCachedType(forKey: "a", processorIdentifier: "bw") == .none)
    }

    @Test func aSourceGoesWithAllThatWasMadeOfItAndNothingElseDoes() async throws {
        for key in ["a", "ab"] {
            for processor in ["", "bw"] {
                remember(key, processor: processor)
                try await keep(key, processor: processor)
            }
        }
        try await cache.removeImages(forKey: "a")
        for processor in ["", "bw"] {
            #expect(await cache.imageCachedType(forKey: "a", processorIdentifier: processor) == .none)
            #expect(await cache.imageCachedType(forKey: "ab", processorIdentifier: processor) == .memory)
        }
        #expect(try await cache.disk?.statistics().entries == 2)
    }

    @Test func eachTierCanBeClearedAlone() async throws {
        remember("a")
        try await keep("a")
        cache.clearMemoryCache()
        #expect(await cache.imageCachedType(forKey: "a") == .disk)
        try await cache.clearDiskCache()
        #expect(await cache.imageCachedType(forKey: "a") == .none)
    }

    @Test func withoutADiskThereIsNothingToClear() async throws {
        let cache = ImageCache(disk: nil)
        try await cache.clearDiskCache()
        try await cache.removeImages(forKey: "a")
        #expect(await cache.imageCachedType(forKey: "a") == .none)
    }
}
