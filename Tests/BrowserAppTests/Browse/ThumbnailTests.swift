import Foundation
import ImageLoading
import ProgramTestSupport
import Raster
import Synchronization
import TestSupport
import Testing

@testable import BrowserApp

@Suite(.timeLimit(.minutes(1))) struct ThumbnailTests {
    private let place: TemporaryFolder
    private let box = PixelSize(width: 200, height: 150)

    init() throws { place = try TemporaryFolder() }

    /// A decoder that counts the pictures that it decodes, by their sizes in bytes.
    private final class CountingDecoder: ImageDecoding {
        private let counts = Mutex<[Int: Int]>([:])

        func count(of bytes: Int) -> Int { counts.withLock { $0[bytes] ?? 0 } }
        var total: Int { counts.withLock { $0.values.reduce(0, +) } }

        func header(of data: Data, limits: DecodeLimits) throws(CodecError) -> ImageHeader {
            try VipsDecoder().header(of: data, limits: limits)
        }

        func decode(_ data: Data, within box: PixelSize?, limits: DecodeLimits) throws(CodecError) -> Image {
            counts.withLock { $0[data.count, default: 0] += 1 }
            return try VipsDecoder().decode(data, within: box, limits: limits)
        }

        func facts(of data: Data, _ check: PictureCheck, limits: DecodeLimits) throws(CodecError) -> FileFacts {
            try VipsDecoder().facts(of: data, check, limits: limits)
        }
    }

    private func write(_ size: PixelSize, _ color: Color = .white, named name: String = "a.png") throws -> URL {
        let pixels = PixelBuffer(size: size, filledWith: color)
        return URL(filePath: try place.write(name, try pixels.pngData()))
    }

    /// Loads a thumbnail as a new session does; everything is stored when it returns.
    private func load(
        _ file: URL, within box: PixelSize, keepsDisk: Bool = true
    ) async throws -> (image: Image, decoder: CountingDecoder, entries: [CacheEntry]) {
        let decoder = CountingDecoder()
        let disk = try DiskStorage(folder: CacheFolder(path: place / "cache"))
        let pipeline = ImagePipeline(cache: ImageCache(disk: keepsDisk ? disk : nil), decoder: decoder)
        let image = try await Thumbnail.load(Source(url: file), within: box, of: pipeline) {
            [.processor(DownsamplingImageProcessor(size: $0)), .cacheOriginalImage, .cacheMemoryOnly]
        }
        await pipeline.finishStores()
        return (image, decoder, try await disk.entries(CacheEntryQuery()).entries)
    }

    @Test(arguments: [(16, 9, 256), (256, 256, 256), (257, 20, 512), (20, 512, 512)])
    func `a thumbnail is kept at the smallest of two sizes that suffices`(width: Int, height: Int, side: Int) {
        let kept = Thumbnail.keptBox(for: PixelSize(width: width, height: height))
        #expect(kept == PixelSize(width: side, height: side))
    }

    @Test func `the next session decodes the kept thumbnail instead of the file`() async throws {
        let file = try write(PixelSize(width: 800, height: 400))
        let bytes = try Data(contentsOf: file).count
        // Given a first session, which decodes the file once
        let first = try await load(file, within: box)
        #expect(first.decoder.count(of: bytes) == 1 && first.decoder.total == 1)
        #expect(first.entries.map(\.facts.size) == [PixelSize(width: 256, height: 128)])
        // When another one shows the picture, also in a box of another size
        for box in [box, PixelSize(width: 100, height: 100)] {
            let next = try await load(file, within: box)
            // Then it reads the thumbnail, scaled for the box, and knows what the file is
            #expect(next.decoder.count(of: bytes) == 0 && next.decoder.total == 1)
            #expect(next.image.size == PixelSize(width: box.width, height: box.width / 2))
            #expect(next.image.originalSize == PixelSize(width: 800, height: 400))
            #expect(next.image.format == .png && next.image.byteCount == bytes)
            #expect(next.entries.count == 1)
        }
    }

    @Test func `a file that has changed shows its new thumbnail`() async throws {
        let size = PixelSize(width: 400, height: 400)
        let file = try write(size)
        _ = try await load(file, within: box)
        _ = try write(size, Color(red: 255, green: 0, blue: 0))
        let image = try await load(file, within: box).image
        #expect(image.pixels.bytes.prefix(3).elementsEqual([255, 0, 0]))
    }

    @Test func `a transparent picture keeps its transparency`() async throws {
        let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)
        let file = try write(PixelSize(width: 400, height: 400), clear)
        for _ in 0..<2 {
            let image = try await load(file, within: box).image
            #expect(!image.pixels.isOpaque)
        }
    }

    @Test func `a picture as small as its thumbnail is not stored`() async throws {
        let file = try write(PixelSize(width: 256, height: 200))
        let loaded = try await load(file, within: box)
        #expect(loaded.entries.isEmpty && loaded.image.size == PixelSize(width: 192, height: 150))
    }

    @Test func `a thumbnail for a larger box than any is not stored`() async throws {
        let file = try write(PixelSize(width: 1_000, height: 800))
        let loaded = try await load(file, within: PixelSize(width: 600, height: 600))
        #expect(loaded.entries.isEmpty && loaded.image.size == PixelSize(width: 600, height: 480))
    }

    @Test func `without a disk cache nothing is stored`() async throws {
        let file = try write(PixelSize(width: 800, height: 400))
        let loaded = try await load(file, within: box, keepsDisk: false)
        #expect(loaded.entries.isEmpty && loaded.image.size == PixelSize(width: 200, height: 100))
    }

    @Test(arguments: ["", "\n", "\nalcedo-thumbnail 8 8 9", "\nalcedo-thumbnail 8 -8 9 PNG", "\nother 8 8 9 PNG"])
    func `a stored thumbnail without the facts of its picture is not used`(end: String) throws {
        let picture = try Data(Fixtures.png(width: 8, height: 8))
        let serializer = ThumbnailSerializer(box: box)
        #expect(throws: ImageError.self) {
            try serializer.image(from: picture + Data(end.utf8), decoder: VipsDecoder(), limits: .standard)
        }
        let whole = picture + Data("\nalcedo-thumbnail 8 6 9 JPEG 2000".utf8)
        let image = try serializer.image(from: whole, decoder: VipsDecoder(), limits: .standard)
        #expect(image.format == .jpeg2000 && image.originalSize == PixelSize(width: 8, height: 6))
        #expect(image.byteCount == 9 && image.size == PixelSize(width: 8, height: 8))
    }
}
