import Foundation
import Raster
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct CompletenessCheckTests {
    private func hasEnd(_ data: Data, _ format: ImageFormat) -> Bool {
        data.withUnsafeBytes { CompletenessCheck.isThere(in: $0, of: format) }
    }

    private func file(_ format: ImageFormat) throws -> Data {
        var generator = SystemRandomNumberGenerator()
        let size = PixelSize(width: 40, height: 30)
        let bytes = (0..<size.area * 4).map { _ in UInt8.random(in: 0...255, using: &generator) | 1 }
        let pixels = try #require(PixelBuffer(size: size, bytes: bytes))
        let image = Image(
            pixels: pixels, originalSize: size, format: format, frameCount: 1, byteCount: bytes.count)
        return try ImageEncoder.encode(image, as: format, quality: ImageEncoder.standardQuality)
    }

    @Test(arguments: [ImageFormat.jpeg, .png, .webP])
    func `only a whole file has its end mark, regardless of trailing bytes`(format: ImageFormat) throws {
        let file = try file(format)
        #expect(hasEnd(file, format))
        #expect(hasEnd(file + Data(repeating: 0, count: 100), format))
        for count in stride(from: 0, to: file.count, by: 7) { #expect(!hasEnd(file.prefix(count), format), "\(count)") }
        #expect(!hasEnd(file.dropLast(), format))
    }

    @Test func `the end of an embedded preview is not the end of the JPEG`() throws {
        let file = try file(.jpeg)
        let preview = Data([0xFF, 0xE1, 0, 8, 0xFF, 0xD8, 0, 0, 0xFF, 0xD9])
        let holding = file.prefix(2) + preview + file.dropFirst(2)
        #expect(hasEnd(holding, .jpeg))
        #expect(!hasEnd(holding.dropLast(2), .jpeg))
        // Decoders pass over what stands between segments.
        #expect(hasEnd(file.prefix(2) + [0, 0xFF, 0, 7] + preview + file.dropFirst(2), .jpeg))
        // Marks may be filled up.
        #expect(hasEnd(file.prefix(2) + [0xFF, 0xFF, 0xFF] + preview.dropFirst() + file.dropFirst(2), .jpeg))
    }

    @Test(arguments: [
        Data([0xFF, 0xD8, 0xFF, 0xFF, 0xFF]), Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 0]), Data(repeating: 0xFF, count: 64),
        Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0x49, 0x45, 0x4E, 0x44]),
        Data("RIFF\u{7F}\u{7F}\u{7F}\u{7F}WEBP".utf8), Data(),
    ])
    func `invalid data has no end mark and is not read out of bounds`(data: Data) {
        for format in [ImageFormat.jpeg, .png, .webP] { #expect(!hasEnd(data, format)) }
    }
}
