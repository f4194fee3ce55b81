import Foundation
import Raster
import TestSupport
import Testing

@testable import ImageLoading

/// How much of what moves is loaded and kept.
@Suite(.timeLimit(.minutes(1))) struct AnimationOptionsTests {
    private let place: TemporaryFolder
    private let gif: Data
    private let source: Source

    init() throws {
        place = try TemporaryFolder()
        gif = GIFWriter.moving(5).data
        source = .network(try #require(URL(string: "http://example.org/a.gif")))
    }

    private func pipeline(_ downloader: FakeDownloader? = nil) throws -> ImagePipeline {
        ImagePipeline(
            cache: ImageCache(disk: try DiskStorage(folder: CacheFolder(path: place / "cache"))),
            downloader: downloader ?? FakeDownloader(gif))
    }

    @Test(arguments: [(ImageOptions(), 0), (ImageOptions([.preloadAllAnimationData]), 5)])
    func `an animation has its timing, and all frames if preloaded`(
        options: ImageOptions, preloaded: Int
    ) async throws {
        let animation = try #require(try await pipeline().image(for: source, options: options).image.animation)
        #expect(animation.frameCount == 5)
        #expect(animation.frames.count == preloaded)
    }

    @Test func `onlyLoadFirstFrame gives a still picture and overrides the other options`() async throws {
        let image = try await pipeline().image(
            for: source, options: [.preloadAllAnimationData, .onlyLoadFirstFrame]
        ).image
        #expect(image.animation == nil)
        #expect(image.frameCount == 5)
    }

    @Test(arguments: [
        (DefaultCacheSerializer() as any CacheSerializer, ""), (FormatIndicatedCacheSerializer.gif, "key"),
    ])
    func `an animation that is stored without its file stays animated`(
        serializer: any CacheSerializer, processor: String
    ) async throws {
        let image = try await pipeline().image(for: source).image
        #expect(try serializer.data(for: image, original: Data()) == gif)
        #expect(serializer.format(for: image) == .gif)
        let cache = try pipeline().cache
        try await cache.store(image, forKey: "a", processorIdentifier: processor, serializer: serializer)
        cache.clearMemoryCache()
        let stored = await cache.disk?.data(for: ImageCache.diskKey("a", processor))?.data
        #expect(stored == gif)
    }

    @Test func `a processed animation is stored as the picture that it is`() async throws {
        let image = try await pipeline().image(for: source, options: [.processor(.blur(2))]).image
        let serializer = DefaultCacheSerializer()
        #expect(serializer.format(for: image) == .png)
        let data = try serializer.data(for: image, original: Data())
        #expect(try CodecDecoder().decode(data, within: nil, limits: .standard).pixels == image.pixels)
    }

    @Test func `a picture in memory is used only if it suffices for the request`() async throws {
        let pipeline = try pipeline()
        func load(_ options: ImageOptions) async throws -> (tier: ImageCache.CacheType, frames: Int?) {
            let result = try await pipeline.image(for: source, options: options)
            return (result.cacheType, result.image.animation?.frames.count)
        }
        #expect(try await load([.onlyLoadFirstFrame]) == (.none, nil))
        #expect(try await load([.onlyLoadFirstFrame]) == (.memory, nil))
        #expect(try await load([]) == (.disk, 0))
        #expect(try await load([]) == (.memory, 0))
        #expect(try await load([.preloadAllAnimationData]) == (.disk, 5))
        #expect(try await load([]) == (.memory, 5))
        #expect(try await load([.onlyLoadFirstFrame]) == (.memory, nil))
    }

    @Test func `a processed animation is stored as its original file and animated again from disk`() async throws {
        let options: ImageOptions = [.processor(BlackWhiteProcessor()), .waitForCache]
        let first = try pipeline()
        _ = try await first.image(for: source, options: options)
        #expect(try await first.cache.disk?.entries(CacheEntryQuery()).entries.map(\.key.kind) == [.original])
        let again = try await pipeline(.failing()).image(for: source, options: options)
        #expect(again.cacheType == .disk)
        let animation = try #require(again.image.animation)
        let frames = AnimationFrames(animation, processor: BlackWhiteProcessor())
        let color = try await frames.frame(at: 3)[20, 12]
        #expect(color.red == color.green && color.green == color.blue)
    }

    @Test func `cacheMemoryOnly writes nothing to disk`() async throws {
        let pipeline = try pipeline()
        _ = try await pipeline.image(for: source, options: [.processor(BlackWhiteProcessor()), .cacheMemoryOnly])
        #expect(try await pipeline.cache.disk?.entries(CacheEntryQuery()).count == 0)
    }
}
