import Foundation
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import ImageLoading

@Suite(.timeLimit(.minutes(1)))
struct ThumbnailImageDataProviderTests {
    private let place: TemporaryFolder
    private let picture: URL

    init() throws {
        place = try TemporaryFolder()
        picture = URL(filePath: try place.write("a.png", try Pictures.png(width: 40, height: 20)))
    }

    private func image(_ provider: ThumbnailImageDataProvider) async throws -> Image {
        try CodecDecoder().decode(try await provider.data(), within: nil, limits: .standard)
    }

    @Test(arguments: [(10, 10, 5), (40, 40, 20), (500, 40, 20), (1, 1, 1)])
    func `the thumbnail is scaled down and never up`(most: Int, width: Int, height: Int) async throws {
        let image = try await image(ThumbnailImageDataProvider(picture, maxPixelSize: most))
        #expect(image.format == .png)
        #expect(image.size == PixelSize(width: width, height: height))
    }

    @Test func `the pixels equal those of the decoder`() async throws {
        let expected = try CodecDecoder().decode(
            try Data(contentsOf: picture), within: PixelSize(width: 10, height: 10), limits: .standard)
        #expect(try await image(ThumbnailImageDataProvider(picture, maxPixelSize: 10)).pixels == expected.pixels)
    }

    @Test func `an animation gives its first frame`() async throws {
        let file = GIFWriter.moving(3)
        let url = URL(filePath: try place.write("a.gif", file.data))
        #expect(try await image(ThumbnailImageDataProvider(url, maxPixelSize: 100)).pixels == file.pictures[0])
    }

    @Test func `the key contains size and file`() throws {
        let provider = ThumbnailImageDataProvider(picture, maxPixelSize: 10)
        #expect(provider.cacheKey.hasSuffix("#thumbnail-10"))
        #expect(provider.cacheKey != ThumbnailImageDataProvider(picture, maxPixelSize: 11).cacheKey)
        #expect(provider.isWorthCachingOnDisk)
        try Data([1]).write(to: picture)
        #expect(provider.cacheKey != ThumbnailImageDataProvider(picture, maxPixelSize: 10).cacheKey)
        #expect(ThumbnailImageDataProvider(picture, maxPixelSize: 10, cacheKey: "k").cacheKey == "k")
    }

    @Test func `progress is that of the file`() async throws {
        let told = Recorder<Int>()
        _ = try await ThumbnailImageDataProvider(picture, maxPixelSize: 10).data { received, _ in told.add(received) }
        #expect(told.all == [try Data(contentsOf: picture).count])
    }

    @Test func `other data, a file that is too large or an invalid size is an error`() async throws {
        let text = URL(filePath: try place.write("a.txt", "hello".utf8))
        await #expect(throws: ImageError.response(.notAnImage("text"))) {
            try await ThumbnailImageDataProvider(text, maxPixelSize: 10).data()
        }
        await #expect(
            throws: ImageError.processor(.limitExceeded("800 pixels, limit 39 pixels; raise --max-pixels"))
        ) {
            try await ThumbnailImageDataProvider(picture, maxPixelSize: 10, limits: DecodeLimits(pixels: 39)).data()
        }
        for size in [0, -1] {
            await #expect(throws: ImageError.self) {
                try await ThumbnailImageDataProvider(picture, maxPixelSize: size).data()
            }
        }
    }
}
