import Foundation
import Raster
import Testing

@testable import AlcedoImageCodecs

/// JPEG 2000 files that libvips does not read, and FFmpeg does.
@Suite(.timeLimit(.minutes(1)))
struct JPEG2000FileTests {
    /// The indices 0 to 3 in each of three rows; made by `opj_compress -n 1`.
    private static let indices = """
        /0//UQApAAAAAAAEAAAAAwAAAAAAAAAAAAAABAAAAAMAAAAAAAAAAAABBwEB/1IADAAAAAEAAAQEAAH/XAAEQED/ZAAlAAFDcmVhdGVkIGJ5IE9w\
        ZW5KUEVHIHZlcnNpb24gMi41LjD/kAAKAAAAAAAfAAH/k9+AcAlOmUw9BaipuF2Zl/9//9k=
        """
    /// Four by four pixels, columns of (200, 20, 10) and blue, whose second part precedes the first; made by
    /// `opj_compress -n 2 -TP R`.
    private static let reordered = """
        /0//UQAvAAAAAAAEAAAABAAAAAAAAAAAAAAABAAAAAQAAAAAAAAAAAADBwEBBwEBBwEB/1IADAAAAAEBAQQEAAH/XAAHQEBISFD/kAAKAAAAAAAk\
        AQL/k8ARAAHP35goAdhLdWnPwBgIjORjhj//kAAKAAAAAAAkAAL/k8+0EAiQim/PtBAByhBHz7QUAdTQY4f/2Q==
        """

    private func decode(_ bytes: [UInt8]) throws -> Image {
        try CodecDecoder(formats: Set(ImageFormat.allCases)).decode(Data(bytes), within: nil, limits: .standard)
    }

    private func big(_ values: Int..., bytes: Int) -> [UInt8] {
        values.flatMap { value in (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
    }

    private func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        big(content.count + 8, bytes: 4) + Array(name.utf8) + content
    }

    /// - Parameter meanings: The colour of each channel from 1 for red; nil if the file does not say it.
    private func file(_ palette: [UInt8], meanings: [Int]?) throws -> [UInt8] {
        let stream = try [UInt8](#require(Data(base64Encoded: Self.indices)))
        let definitions = (meanings ?? []).enumerated().flatMap { big($0.offset, 0, $0.element, bytes: 2) }
        let header =
            box("ihdr", big(3, 4, bytes: 4) + [0, 1, 7, 7, 0, 0]) + box("colr", [1, 0, 0] + big(16, bytes: 4))
            + box("pclr", [0, UInt8(palette.count / 3), 3, 7, 7, 7] + palette)
            + box("cmap", [0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1, 2])
            + (meanings == nil ? [] : box("cdef", big(3, bytes: 2) + definitions))
        return box("jP  ", [0x0D, 0x0A, 0x87, 0x0A]) + box("ftyp", Array("jp2 \0\0\0\0jp2 ".utf8)) + box("jp2h", header)
            + box("jp2c", stream)
    }

    @Test(arguments: [nil, [1, 2, 3], [2, 3, 1]] as [[Int]?])
    func `a palette has its colours in the order that the file states`(meanings: [Int]?) throws {
        let palette: [UInt8] = [0, 255, 1, 10, 20, 30, 0, 0, 255, 250, 240, 230]
        let pixels = try decode(file(palette, meanings: meanings)).pixels
        #expect(pixels.size == PixelSize(width: 4, height: 3))
        for index in 0..<4 {
            var color: [UInt8] = [0, 0, 0]
            for channel in 0..<3 { color[(meanings?[channel] ?? channel + 1) - 1] = palette[index * 3 + channel] }
            #expect(pixels[index, 2] == Color(red: color[0], green: color[1], blue: color[2]))
        }
    }

    @Test func `a palette that states more colours than the file has is not reordered`() throws {
        var bytes = try file([1, 2, 3], meanings: [2, 3, 1])
        let place = try #require(bytes.firstRange(of: Array("pclr".utf8))?.upperBound)
        bytes[place] = 0x03
        #expect(try decode(bytes).size == PixelSize(width: 4, height: 3))
    }

    @Test func `parts of a tile in another order than their numbers are read`() throws {
        let image = try decode([UInt8](#require(Data(base64Encoded: Self.reordered))))
        #expect(image.pixels[0, 0] == Color(red: 200, green: 20, blue: 10))
        #expect(image.pixels[3, 3] == Color(red: 0, green: 0, blue: 255))
        #expect(image.damage == nil)
    }
}
