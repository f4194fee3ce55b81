import Foundation
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import ImageLoading

@Suite(.timeLimit(.minutes(1)))
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

    @Test func `the cached type is memory before disk`() async throws {
        #expect(await cache.imageCachedType(forKey: "a") == .none)
        try await keep("a")
        #expect(await cache.imageCachedType(forKey: "a") == .disk)
        remember("a")
        #expect(await cache.imageCachedType(forKey: "a") == .memory)
        #expect(await cache.imageCachedType(forKey: "a", processorIdentifier: "bw") == .none)
    }

    @Test func `removing a source removes its processed pictures and no others`() async throws {
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

    @Test func `each tier can be cleared alone`() async throws {
        remember("a")
        try await keep("a")
        cache.clearMemoryCache()
        #expect(await cache.imageCachedType(forKey: "a") == .disk)
        try await cache.clearDiskCache()
        #expect(await cache.imageCachedType(forKey: "a") == .none)
    }

    @Test func `one picture can be removed from either tier without the others`() async throws {
        for processor in ["", "bw"] {
            remember("a", processor: processor)
            try await keep("a", processor: processor)
        }
        try await cache.removeImage(forKey: "a", processorIdentifier: "bw", fromDisk: false)
        #expect(await cache.imageCachedType(forKey: "a", processorIdentifier: "bw") == .disk)
        try await cache.removeImage(forKey: "a", processorIdentifier: "bw")
        #expect(await !cache.isCached(forKey: "a", processorIdentifier: "bw"))
        #expect(await cache.imageCachedType(forKey: "a") == .memory)
        try await cache.removeImage(forKey: "a", fromMemory: false)
        #expect(await cache.isCached(forKey: "a"))
        cache.clearMemoryCache()
        #expect(await !cache.isCached(forKey: "a"))
    }

    @Test func `equal contents count once in the disk size`() async throws {
        #expect(try await cache.calculateDiskStorageSize() == 0)
        for key in ["a", "b"] { try await cache.storeToDisk(Data(count: 1_000), forKey: key) }
        #expect(try await cache.calculateDiskStorageSize() == 1_000)
    }

    @Test func `only a picture on disk has a path`() async throws {
        #expect(await cache.cachePath(forKey: "a") == nil)
        try await cache.storeToDisk(Data("x".utf8), forKey: "a", forcedExtension: "jpeg")
        let path = try #require(await cache.cachePath(forKey: "a"))
        #expect(path.hasSuffix(".jpeg"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "x")
        #expect(await cache.cachePath(forKey: "a", processorIdentifier: "bw") == nil)
    }

    @Test func `the hash depends on source and processor`() {
        let hashes = [("a", ""), ("a", "b"), ("ab", "")].map { cache.hash(forKey: $0.0, processorIdentifier: $0.1) }
        #expect(Set(hashes).count == 3)
        #expect(hashes[0] == "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb")
    }

    @Test func `expired pictures can be removed in each tier`() async throws {
        try await cache.storeToDisk(Data("x".utf8), forKey: "a", expiration: .seconds(-1))
        try await keep("b")
        #expect(try await cache.cleanExpiredDiskCache() == 1)
        #expect(try await cache.cleanExpiredDiskCache() == 0)
        cache.memory.store(image, forKey: "a", cost: 1, expiration: .seconds(-1))
        remember("b")
        #expect(cache.cleanExpiredMemoryCache() == 1)
        #expect(await cache.imageCachedType(forKey: "b") == .memory)
    }

    @Test func `named caches are separate, and two of the same name share their disk`() async throws {
        let folder = CacheFolder(path: place / "cache")
        let (one, other) = (try ImageCache(name: "one", in: folder), try ImageCache(name: "other", in: folder))
        try await one.storeToDisk(Data("x".utf8), forKey: "a")
        #expect(await one.isCached(forKey: "a"))
        #expect(await !other.isCached(forKey: "a"))
        #expect(await !cache.isCached(forKey: "a"))
        let again = try ImageCache(name: "one", in: folder)
        #expect(await again.isCached(forKey: "a"))
        try await again.clearDiskCache()
        #expect(await !one.isCached(forKey: "a"))
    }

    @Test func `a named cache is in the standard folder by default`() async throws {
        let cache = try ImageCache(name: "x", environment: ["XDG_CACHE_HOME": place / "own"])
        let program = ProcessInfo.processInfo.processName
        #expect(cache.disk?.folder.path == place / "own/\(program)/named/x")
        #expect(throws: CacheFolderProblem.noHome) { try ImageCache(name: "x", environment: [:]) }
    }

    @Test(arguments: ["", "../x", "a/b"])
    func `an invalid cache name is refused`(name: String) {
        #expect(throws: CacheFolderProblem.invalidName(name)) {
            try ImageCache(name: name, in: CacheFolder(path: place / "cache"))
        }
    }

    @Test func `without a disk clearing and sizes are no-ops`() async throws {
        let cache = ImageCache(disk: nil)
        #expect(try await cache.calculateDiskStorageSize() == 0)
        #expect(try await cache.cleanExpiredDiskCache() == 0)
        #expect(await cache.cachePath(forKey: "a") == nil)
        try await cache.removeImage(forKey: "a")
        try await cache.clearDiskCache()
        try await cache.removeImages(forKey: "a")
        #expect(await cache.imageCachedType(forKey: "a") == .none)
    }
}
