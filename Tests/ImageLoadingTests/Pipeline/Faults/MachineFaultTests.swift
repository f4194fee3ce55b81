import Foundation
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoDiskCache
@testable import ImageLoading

/// A fault of the machine is no fault of a picture.
@Suite(.timeLimit(.minutes(1))) struct MachineFaultTests {
    /// A decoder on a machine that lacks something.
    private struct FailingDecoder: ImageDecoding {
        static let fault = CodecError.processor(.environment("PNG needs libvips"))

        func header(of data: Data, limits: DecodeLimits) throws(CodecError) -> ImageHeader { throw Self.fault }

        func decode(_ data: Data, within box: PixelSize?, limits: DecodeLimits) throws(CodecError) -> Image {
            throw Self.fault
        }
    }

    private let place: TemporaryFolder
    private let cache: ImageCache
    private let source: Source
    private let fault = ImageError(FailingDecoder.fault)

    init() throws {
        place = try TemporaryFolder()
        cache = ImageCache(disk: try DiskStorage(folder: CacheFolder(path: place / "cache")))
        source = .network(try #require(URL(string: "http://example.org/a.png")))
    }

    private func pipeline(_ data: Data, decoder: any ImageDecoding = FailingDecoder()) -> ImagePipeline {
        ImagePipeline(cache: cache, downloader: FakeDownloader(data), decoder: decoder)
    }

    private func entries() async throws -> Int { try await cache.disk?.entries(CacheEntryQuery()).entries.count ?? 0 }

    @Test(arguments: [nil, Set(ImageFormat.allCases)], OriginalCheck.allCases)
    func `a picture that cannot be checked locally fails and is not stored`(
        formats: Set<ImageFormat>?, check: OriginalCheck
    ) async throws {
        var options = ImageOptions()
        options.process.acceptedFormats = formats
        options.process.originalCheck = check
        await #expect(throws: fault) { try await pipeline(Pictures.png()).warm(source, options: options) }
        #expect(try await entries() == 0)
    }

    @Test func `a cached picture that cannot be decoded locally is kept`() async throws {
        let picture = try Pictures.png()
        _ = try await pipeline(picture, decoder: CodecDecoder()).warm(source)
        await #expect(throws: fault) { try await pipeline(picture).image(for: source) }
        #expect(try await entries() == 1)
    }

    @Test func `an empty cache entry is an error`() async throws {
        let key = CacheEntryKey(source: source.cacheKey)
        try await cache.disk?.store(Data(), for: key, facts: CacheEntryFacts())
        await #expect(throws: ImageError.self) {
            try await pipeline(Data(), decoder: CodecDecoder()).image(for: source, options: [.onlyFromCache])
        }
    }
}
