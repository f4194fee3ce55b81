import Foundation
import ImageTestSupport
import TestSupport
import Testing

@testable import ImageLoading

/// Bytes in the disk cache that are no picture, or a damaged one.
@Suite(.timeLimit(.minutes(1))) struct UnreadableEntryTests {
    private let place: TemporaryFolder
    private let cache: ImageCache
    private let picture: Data
    private let source = Source.network(URL(filePath: "http://host/a.png"))

    init() throws {
        place = try TemporaryFolder()
        cache = ImageCache(disk: try DiskStorage(folder: CacheFolder(path: place / "cache")))
        picture = try Pictures.png(width: 24, height: 18)
    }

    private static let unreadable = ["text", "a cut picture", "one byte"]

    private func bytes(_ name: String) -> Data {
        switch name {
        case "text": Data("this is no picture".utf8)
        case "a cut picture": picture.prefix(picture.count / 2)
        default: Data([1])
        }
    }

    @Test(arguments: unreadable) func `an unreadable entry is fetched again and replaced`(name: String)
        async throws
    {
        try await cache.storeToDisk(bytes(name), forKey: source.cacheKey)
        let downloader = FakeDownloader(picture)
        let pipeline = ImagePipeline(cache: cache, downloader: downloader)

        let result = try await pipeline.image(for: source)
        #expect(result.image.size.width == 24 && result.cacheType == .none)
        #expect(downloader.requests.all.count == 1)
        await pipeline.finishStores()
        #expect(await cache.disk?.data(for: CacheEntryKey(source: source.cacheKey))?.data == picture)
    }

    @Test(arguments: unreadable) func `a failed refetch is the error of the load`(name: String) async throws {
        try await cache.storeToDisk(bytes(name), forKey: source.cacheKey)
        let pipeline = ImagePipeline(cache: cache, downloader: FakeDownloader.failing())
        let error = await #expect(throws: ImageError.self) { try await pipeline.image(for: source) }
        #expect(error == .response(.transport(.refused)))
    }

    @Test func `an unreadable entry is fetched again only once`() async throws {
        try await cache.storeToDisk(bytes("text"), forKey: source.cacheKey)
        let downloader = FakeDownloader(bytes("one byte"))
        let pipeline = ImagePipeline(cache: cache, downloader: downloader)
        await #expect(throws: ImageError.self) { try await pipeline.image(for: source) }
        #expect(downloader.requests.all.count == 1)
    }

    @Test func `with onlyFromCache an unreadable entry is an error`() async throws {
        try await cache.storeToDisk(bytes("text"), forKey: source.cacheKey)
        let downloader = FakeDownloader(picture)
        let pipeline = ImagePipeline(cache: cache, downloader: downloader)
        await #expect(throws: ImageError.self) { try await pipeline.image(for: source, options: [.onlyFromCache]) }
        #expect(downloader.requests.all.isEmpty)
    }
}
