import Foundation
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

/// The colours that files state.
@Suite(.timeLimit(.minutes(1)))
struct ColorFactsTests {
    private func facts(_ file: [UInt8], _ format: ImageFormat) -> ColorFacts? {
        file.withUnsafeBytes { ColorFacts($0, format) }
    }

    /// The header of a PNG file and one more chunk.
    private func png(bits: UInt8, kind: UInt8, _ name: String = "tEXt", _ content: [UInt8] = []) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10] + PNGFile.chunk("IHDR", [0, 0, 0, 1, 0, 0, 0, 1, bits, kind, 0, 0, 0])
            + PNGFile.chunk(name, content) + PNGFile.chunk("IDAT", [])
    }

    @Test(
        arguments: [
            (16, 0, ColorFacts(.grey, bits: 16)), (8, 2, ColorFacts(.rgb, bits: 8)), (4, 3, ColorFacts(.rgb, bits: 8)),
            (8, 4, ColorFacts(.grey, bits: 8)), (16, 6, ColorFacts(.rgb, bits: 16)),
        ] as [(UInt8, UInt8, ColorFacts)])
    func `the colour model of a PNG file comes from its header`(bits: UInt8, kind: UInt8, expected: ColorFacts) {
        #expect(facts(png(bits: bits, kind: kind), .png) == expected)
    }

    @Test(
        arguments: [
            ("sRGB", [0], "sRGB"), ("cICP", [12, 13, 0, 1], "Display P3"), ("cICP", [9, 16, 0, 1], "BT.2020 PQ"),
            ("gAMA", [0, 0, 0xB1, 0x8F], "gamma 2.2"),
        ] as [(String, [UInt8], String)])
    func `the colour space of a PNG file comes from its chunks`(name: String, content: [UInt8], expected: String) {
        #expect(facts(png(bits: 8, kind: 2, name, content), .png)?.profile == expected)
    }

    @Test(
        arguments: [
            (0xE1, "http://ns.adobe.com/xap/1.0/\0<rdf:Description hdrgm:Version=\"1.0\"/>", "HDR gain map not used"),
            (0xE2, "urn:iso:std:iso:ts:21496:-1\0\0\0\0\0", "HDR gain map not used"),
            (0xE1, "http://ns.adobe.com/xap/1.0/\0<rdf:Description/>", nil),
        ] as [(UInt8, String, String?)])
    func `a JPEG file whose gain map is left out says so`(marker: UInt8, content: String, expected: String?) {
        let frame = ProgressiveJPEG.segment(0xC0, [8, 0, 1, 0, 1, 1, 1, 0x11, 0])
        let file = [0xFF, 0xD8] + ProgressiveJPEG.segment(marker, Array(content.utf8)) + frame
        #expect(facts(file, .jpeg) == ColorFacts(.grey, bits: 8, profile: expected))
    }

    @Test(arguments: [(1, .grey), (3, .rgb), (4, .cmyk)] as [(UInt8, ColorFacts.Model)])
    func `the colour model of a JPEG file comes from its number of components`(count: UInt8, model: ColorFacts.Model) {
        let file: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 12, 0, 2, 0, 2, count, 0, 0, 0, 0xFF, 0xDA]
        #expect(facts(file, .jpeg) == ColorFacts(model, bits: 12))
    }

    @Test func `control characters are removed from the name of a profile`() {
        let text = Array("Wide\u{1B}[31m\0".utf8)
        var profile = [UInt8](repeating: 0, count: 128) + [0, 0, 0, 1] + Array("desc".utf8) + [0, 0, 0, 144]
        profile +=
            [0, 0, 0, UInt8(12 + text.count)] + Array("desc".utf8) + [0, 0, 0, 0, 0, 0, 0, UInt8(text.count)] + text
        #expect(profile.withUnsafeBytes { ICCProfile($0).name } == "Wide[31m")
        #expect(profile.dropLast(9).withUnsafeBytes { ICCProfile($0).name } == nil)
    }

    @Test func `colour facts have a readable description`() {
        #expect(ColorFacts(.cmyk, bits: 8, profile: "FOGRA39").description == "CMYK, 8 bits, FOGRA39")
        #expect(facts(Array("GIF89a".utf8), .gif)?.description == "RGB, 8 bits")
        #expect(facts([1, 2, 3], .tiff) == nil)
    }
}
