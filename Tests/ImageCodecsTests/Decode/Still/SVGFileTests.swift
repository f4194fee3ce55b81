import Foundation
import Raster
import Testing

@testable import AlcedoImageCodecs

/// Sizes and encodings of SVG.
@Suite(.timeLimit(.minutes(1))) struct SVGFileTests {
    private func decode(_ bytes: [UInt8], within box: PixelSize? = nil) throws(CodecError) -> Image {
        try CodecDecoder(formats: [.svg]).decode(Data(bytes), within: box, limits: .standard)
    }

    /// A gzip file of one stored block: RFC 1951, section 3.2.4, and RFC 1952.
    private func gzip(_ content: [UInt8]) -> [UInt8] {
        func little(_ value: Int, _ bytes: Int) -> [UInt8] {
            (0..<bytes).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        let sum = content.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { bits, _ in bits >> 1 ^ (bits & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        let head = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1] + little(content.count, 2) + little(~content.count, 2)
        return head + content + little(Int(~sum), 4) + little(content.count, 4)
    }

    @Test(arguments: [
        ("10mm", "5mm", 38, 19), ("72pt", "36pt", 96, 48), ("40", "20", 40, 20), ("40px", "20px", 40, 20),
    ])
    func `the units of an SVG file are those of CSS`(width: String, height: String, columns: Int, rows: Int) throws {
        let text = "<svg xmlns='http://www.w3.org/2000/svg' width='\(width)' height='\(height)'/>"
        #expect(try decode(Array(text.utf8)).size == PixelSize(width: columns, height: rows))
    }

    @Test func `an SVG file is recognised after a long comment and in UTF-16`() throws {
        let text = "<svg xmlns='http://www.w3.org/2000/svg' width='4' height='3'/>"
        let comment = "<!-- \(String(repeating: "x", count: 200_000)) -->"
        #expect(try decode(Array((comment + text).utf8)).size == PixelSize(width: 4, height: 3))
        let wide = Array(("<?xml version='1.0' encoding='UTF-16'?>" + text).utf16)
        #expect(
            try decode([0xFF, 0xFE] + wide.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }).size
                == PixelSize(width: 4, height: 3)
        )
        // XML tells UTF-16 without a mark by its first letters.
        #expect(try decode(wide.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }).size == PixelSize(width: 4, height: 3))
        #expect(try decode(wide.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }).size == PixelSize(width: 4, height: 3))
    }

    @Test func `an SVG file is recognised after many blank lines, and packed with a long comment`() throws {
        let text = "<svg xmlns='http://www.w3.org/2000/svg' width='4' height='3'/>"
        let blank = String(repeating: "\r\n", count: 500)
        #expect(try decode(Array((blank + text).utf8)).size == PixelSize(width: 4, height: 3))
        let comment = "<!-- \((0..<6_000).map { String($0 * 7919 % 100_003) }.joined()) -->"
        let packed = gzip(Array((comment + text).utf8))
        #expect(try decode(packed).size == PixelSize(width: 4, height: 3))
        // The root comes late: the first bytes decide nothing yet.
        #expect(FormatSniffer.judge(packed.prefix(2_000), isWhole: false) == .undecided)
    }

    @Test func `an SVG file that states a size above the limit is drawn smaller`() throws {
        let text = "<svg xmlns='http://www.w3.org/2000/svg' width='1000000' height='500000'/>"
        #expect(try decode(Array(text.utf8)).originalSize == PixelSize(width: 4096, height: 2048))
    }

    @Test(arguments: ["1000000", "10mm", "40"]) func `a drawing is made in the size that is asked for`(side: String)
        throws
    {
        let text = "<svg xmlns='http://www.w3.org/2000/svg' width='\(side)' height='\(side)'/>"
        let box = PixelSize(width: 20, height: 20)
        #expect(try decode(Array(text.utf8), within: box).pixels.size == box)
    }
}
