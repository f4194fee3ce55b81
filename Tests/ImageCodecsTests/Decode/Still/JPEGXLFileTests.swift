import Foundation
import Raster
import Testing

@testable import AlcedoImageCodecs

/// JPEG XL files that libvips alone shows wrong or not at all.
@Suite(.timeLimit(.minutes(1)))
struct JPEGXLFileTests {
    private func decode(_ text: String) throws -> Image { try decode(#require(Data(base64Encoded: text))) }

    private func decode(_ file: Data) throws -> Image {
        try CodecDecoder(formats: Set(ImageFormat.allCases)).decode(file, within: nil, limits: .standard)
    }

    /// Three pixels: black, the fractions 0.25, 0.5 and 0.75, and white; made by `cjxl -d 0 -x color_space=…` from a PFM.
    @Test(
        arguments: [
            (
                """
                AAAADEpYTCANCocKAAAAFGZ0eXBqeGwgAAAAAGp4bCAAAAAJanhsbAoAAAA6anhsY/8KAAAEkIMECAIBAJAASxiLFUJ62LgAAAA9NAQA\
                ANAfAIATAQAA+AMAQCMAAEBfAAAn
                """, [64, 128, 191]
            ),
            (
                """
                AAAADEpYTCANCocKAAAAFGZ0eXBqeGwgAAAAAGp4bCAAAAAJanhsbAoAAAA8anhsY/8KAAAEkAMoWgQIAgEAkABLGIsVQnrYuAAAAD00\
                BAAA0B8AgBMBAAD4AwBAIwAAQF8AACc=
                """, [137, 188, 225]
            ),
        ] as [(String, [Int])])
    func `fractions have the curve of their profile, sRGB's or none`(file: String, middle: [Int]) throws {
        let image = try decode(file)
        #expect(image.pixels[0, 0] == .black && image.pixels[2, 0] == .white)
        let shown = image.pixels[1, 0]
        for (value, wanted) in zip([shown.red, shown.green, shown.blue], middle) {
            #expect(abs(Int(value) - wanted) <= 1)
        }
        #expect(image.color?.bits == 32)
    }

    /// Three red pixels with alpha 0, 0.25 and 1.
    @Test func `alpha that is a fraction reaches from 0 to 255`() throws {
        let image = try decode(
            """
            AAAADEpYTCANCocKAAAAFGZ0eXBqeGwgAAAAAGp4bCAAAAAJanhsbAoAAAAzanhsY/8KAAAEkBNyABQtAggQEABkAEsYixVC+gZf2xMAAMA/\
            AAAKEAAAQH8AAE4=
            """)
        #expect((0..<3).map { image.pixels[$0, 0].alpha } == [0, 64, 255])
    }

    /// Blue, green and white pixels under none, all and half of a red ink, made by libjxl's `JxlEncoder`.
    @Test func `a spot colour is painted over the picture`() throws {
        let image = try decode("/woAAASAEQAAPAAAAAAAPBIICBAAWABLGIsVwlEDpjqASP7k//6FUf9myN8+")
        #expect(image.pixels.bytes == [0, 0, 255, 255, 255, 0, 0, 255, 255, 127, 127, 255])
        #expect(image.color == ColorFacts(.rgb, bits: 8))
    }

    /// White, orange, and white with four fifths of black ink.
    @Test func `a channel of black darkens the others`() throws {
        let image = try decode(
            """
            AAAADEpYTCANCocKAAAAFGZ0eXBqeGwgAAAAAGp4bCAAAAAJanhsbAoAAAAsanhsY/8KAAAEgFEAEggIEABUAEsYixXCEaqXHegP4OSPM/W/\
            mfx1CQ==
            """)
        #expect(image.pixels.bytes == [255, 255, 255, 255, 255, 128, 0, 255, 51, 51, 51, 255])
    }

    @Test(arguments: [false, true]) func `boxes with sizes of 64 bits are read`(isLong: Bool) throws {
        let stream = LibrarySamples.jpegXL
        func number(_ value: Int, bytes: Int) -> [UInt8] {
            (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        let head = Array("\u{0}\u{0}\u{0}\u{0C}JXL \r\n".utf8) + [0x87, 0x0A] + number(20, bytes: 4)
        let name = Array("jxlc".utf8)
        let size =
            isLong
            ? number(1, bytes: 4) + name + number(stream.count + 16, bytes: 8)
            : number(stream.count + 8, bytes: 4) + name
        let file = head + Array("ftypjxl \0\0\0\0jxl ".utf8) + size + stream
        #expect(try decode(Data(file)).pixels == decode(stream).pixels)
        #expect(throws: CodecError.self) { try decode(Data(file.dropLast(4))) }
    }
}
