import Foundation
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1))) struct LeadingStepsTests {
    private func decoded(_ file: Data, _ chain: String) throws -> (scaled: PixelBuffer, full: PixelBuffer) {
        let processor = try ProcessorGrammar.parse(chain)
        let limits = DecodeLimits.standard.preparing(processor)
        #expect(limits.leadingSteps != nil)
        let scaled = try CodecDecoder().decode(file, within: nil, limits: limits)
        let full = try CodecDecoder().decode(file, within: nil, limits: .standard)
        return (try processor.process(scaled).pixels, try processor.process(full).pixels)
    }

    private func jpeg(_ pixels: PixelBuffer) throws -> Data {
        try ImageEncoder.encode(Pictures.image(pixels), as: .jpeg, quality: 95)
    }

    /// Turned, cropped at an edge, cropped after a size that the crop alone would enlarge, and enlarged.
    @Test(
        arguments: [
            "resize(70x70, fill)|>crop(70x70)", "resize(80x70, fit)", "resize(95x66, stretch)|>bw",
            "resize(70x70, fill)|>crop(30x30)", "resize(70x70, fill)|>crop(70x70, anchor: 1 0)",
            "resize(300x300, fill)",
            "resize(90x90, fit)|>crop(40x90)",
        ], [1, 6, 8] as [UInt8])
    func `a picture that libjpeg does not shrink has exactly the pixels of the steps`(
        chain: String, orientation: UInt8
    ) throws {
        let file = try jpeg(Pictures.slopes(101, 123))
        let segment: [UInt8] = [0xFF, 0xE1, 0, 34] + Array("Exif\0\0".utf8) + OrientedJPEG.tiff(orientation)
        let turned = file.prefix(2) + segment + file.dropFirst(2)
        let pixels = try decoded(turned, chain)
        // The decoder filters the columns of a turned picture first.
        #expect(orientation == 1 ? pixels.scaled == pixels.full : Self.noise(pixels.scaled, pixels.full) < 10)
    }

    @Test(
        arguments: ["canyon.jpg", "kelp.jpg", "lighthouse.jpg"],
        ["resize(97x97, fill)|>crop(97x97)", "resize(131x90, fit)"])
    func `a picture that libjpeg shrinks differs less than by a JPEG of quality 90`(name: String, chain: String) throws
    {
        let pixels = try decoded(try Pictures.asset(name), chain)
        #expect(pixels.scaled.size == pixels.full.size)
        let file = try ImageEncoder.encode(Pictures.image(pixels.full), as: .jpeg, quality: 90)
        let compressed = try CodecDecoder().decode(file, within: nil, limits: .standard).pixels
        #expect(Self.noise(pixels.scaled, pixels.full) < Self.noise(compressed, pixels.full))
    }

    @Test func `only a resize that makes a JPEG smaller is left to its decoder`() throws {
        let size = PixelSize(width: 200, height: 100)
        func plan(_ chain: String) throws -> (target: PixelSize, part: PixelRect)? {
            LeadingSteps(try ProcessorGrammar.parse(chain))?.plan(for: size)
        }
        for chain in ["bw|>resize(10x10)", "crop(10x10)", "resize(300x50)", "resize(200x100)", ""] {
            #expect(try plan(chain) == nil, "\(chain)")
        }
        let cropped = try #require(try plan("resize(50x50, fill)|>crop(50x50, anchor: 1 0)"))
        #expect(cropped.target == PixelSize(width: 100, height: 50))
        #expect(cropped.part.x == 50 && cropped.part.y == 0 && cropped.part.size == PixelSize(width: 50, height: 50))
        let paged = try #require(try plan("page(1)|>resize(50x50, fill)|>crop(20x20)"))
        #expect(paged.part.size == paged.target)
    }

    @Test(arguments: ["resize(10x20, fill)|>crop(3x4, anchor: 0.25 1)", "resize(10x20, stretch)"])
    func `the text of the steps gives the same steps`(text: String) throws {
        let steps = try #require(LeadingSteps(text))
        #expect(LeadingSteps(steps.text) == steps)
    }

    private static func noise(_ one: PixelBuffer, _ other: PixelBuffer) -> Int {
        zip(one.bytes, other.bytes).reduce(0) { $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)) }
    }
}
