import Foundation
import Raster
import Testing

@testable import AlcedoImageCodecs

/// Sizes and encodings of SVG.
@Suite(.timeLimit(.minutes(1))) struct SVGFileTests {
    private func decode(_ bytes: [UInt8], within box: PixelSize? = nil) throws(CodecError) -> Image {
        try CodecDecoder(formats: [.svg]).decode(Data(bytes), within: box, limits: .standard)
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
        let comment = "<!-- \(String(repeating: "x", count: 20_000)) -->"
        #expect(try decode(Array((comment + text).utf8)).size == PixelSize(width: 4, height: 3))
        let wide = Array(("<?xml version='1.0' encoding='UTF-16'?>" + text).utf16)
        #expect(
            try decode([0xFF, 0xFE] + wide.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }).size
                == PixelSize(width: 4, height: 3)
        )
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
