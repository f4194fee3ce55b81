import Foundation
import ImageLoading
import Raster
import TestSupport
import Testing

@testable import BrowserApp

@Suite(.timeLimit(.minutes(1))) struct EmbeddedPreviewTests {
    private let place: TemporaryFolder
    private let box = PixelSize(width: 80, height: 80)

    init() throws { place = try TemporaryFolder() }

    private static func jpeg(_ width: Int, _ height: Int, _ color: Color) throws -> [UInt8] {
        let size = PixelSize(width: width, height: height)
        let image = Image(
            pixels: PixelBuffer(size: size, filledWith: color), originalSize: size, format: .jpeg, frameCount: 1,
            byteCount: 0)
        return Array(try ImageEncoder.encode(image, as: .jpeg))
    }

    /// Returns a red JPEG file whose EXIF data states an orientation and has a green picture.
    static func photo(
        _ width: Int, _ height: Int, preview: (Int, Int)?, orientation: UInt8 = 1
    ) throws -> [UInt8] {
        let whole = try jpeg(width, height, Color(red: 255, green: 0, blue: 0))
        let small = try preview.map { try jpeg($0.0, $0.1, Color(red: 0, green: 255, blue: 0)) } ?? []
        let tiff: [UInt8] =
            Array("II".utf8) + [42, 0, 8, 0, 0, 0, 1, 0]
            + [0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0] + [0, 0, 0, 0]
        let exif = Array("Exif".utf8) + [0, 0] + tiff + small
        let length = [UInt8((exif.count + 2) >> 8), UInt8((exif.count + 2) & 0xFF)]
        return [0xFF, 0xD8, 0xFF, 0xE1] + length + exif + Array(whole.dropFirst(2))
    }

    private func file(
        _ width: Int, _ height: Int, preview: (Int, Int)?, orientation: UInt8 = 1
    ) throws -> LocalFileImageDataProvider {
        let bytes = try Self.photo(width, height, preview: preview, orientation: orientation)
        return LocalFileImageDataProvider(fileURL: URL(filePath: try place.write("a.jpg", bytes)))
    }

    /// Loads a preview as the grid does.
    private func image(of preview: EmbeddedPreview) async throws -> Image {
        let pipeline = ImagePipeline(cache: ImageCache(disk: nil), decoder: VipsDecoder())
        return try await pipeline.image(for: .provider(preview), options: [.processor(preview.processor)]).image
    }

    @Test(arguments: [
        (800, 600, 1, 80, 60), (800, 600, 6, 60, 80), (900, 600, 1, 80, 53), (900, 600, 8, 53, 80), (40, 30, 1, 40, 30),
    ])
    func `a preview is turned, cut and scaled as the thumbnail is`(
        width: Int, height: Int, orientation: UInt8, shownWidth: Int, shownHeight: Int
    ) async throws {
        let file = try file(width, height, preview: (160, 120), orientation: orientation)
        let preview = try #require(await EmbeddedPreview(of: file, within: box))
        let image = try await image(of: preview)
        #expect(image.size == PixelSize(width: shownWidth, height: shownHeight))
        #expect(
            preview.size
                == (orientation > 4 ? PixelSize(width: height, height: width) : PixelSize(width: width, height: height))
        )
        // Green, and not red as the whole picture.
        let first = image.pixels.bytes.prefix(3).map(\.self)
        #expect(first[0] < 40 && first[1] > 200)
    }

    @Test func `a preview of another shape is not of this picture`() async throws {
        let file = try file(600, 800, preview: (160, 90))
        #expect(await EmbeddedPreview(of: file, within: box) == nil)
    }

    @Test func `a file without a preview has none`() async throws {
        #expect(await EmbeddedPreview(of: try file(800, 600, preview: nil), within: box) == nil)
        let missing = LocalFileImageDataProvider(fileURL: URL(filePath: place / "none.jpg"))
        #expect(await EmbeddedPreview(of: missing, within: box) == nil)
        let other = LocalFileImageDataProvider(fileURL: URL(filePath: try place.write("b.png", [1, 2, 3])))
        #expect(await EmbeddedPreview(of: other, within: box) == nil)
    }
}
