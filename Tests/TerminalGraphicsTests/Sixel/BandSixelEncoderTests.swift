import Raster
import Testing

@testable import TerminalGraphics

@Suite(.timeLimit(.minutes(1))) struct BandSixelEncoderTests {
    @Test func `one pixel is one sixel`() async {
        #expect(await text(1, 1, [0]) == "\u{1B}P0;1;0q\"1;1;1;1#0;2;0;0;0#0@\u{1B}\\")
    }

    @Test func `three equal sixels are written out, four are run-length encoded`() async {
        #expect(await text(3, 1, [0, 0, 0]).hasSuffix("#0@@@\u{1B}\\"))
        #expect(await text(4, 1, [0, 0, 0, 0]).hasSuffix("#0!4@\u{1B}\\"))
    }

    @Test func `sixels of other colours are skipped and the end is left out`() async {
        let stream = await text(6, 1, [1, 1, 1, 1, 0, 1])
        #expect(stream.hasSuffix("#0!4?@$#1!4@?@\u{1B}\\"))
    }

    @Test func `the topmost pixel is the lowest bit`() async {
        #expect(await text(1, 3, [0, 1, 0]).hasSuffix("#0D$#1A\u{1B}\\"))
    }

    @Test func `bands are six rows high`() async {
        #expect(await text(1, 13, [UInt8](repeating: 0, count: 13)).hasSuffix("#0~-#0~-#0@\u{1B}\\"))
    }

    @Test func `pixels of the hole are left out, also by libsixel`() async throws {
        let picture = IndexedPicture(
            size: PixelSize(width: 6, height: 1), trusted: [.black, .white, .black], indices: [2, 0, 2, 2, 1, 2],
            hole: 2)
        let bands = String(decoding: await BandSixelEncoder().encode(picture), as: UTF8.self)
        #expect(bands == "\u{1B}P0;1;0q\"1;1;6;1#0;2;0;0;0#1;2;100;100;100#0?@$#1!4?@\u{1B}\\")
        let libsixel = String(decoding: try #require(await LibsixelEncoder().encode(picture)), as: UTF8.self)
        #expect(!libsixel.contains("#2") && libsixel.contains("#1;2;100;100;100#0"))
    }

    @Test func `transparent pixels are holes, and opaque ones of their colour are not`() async {
        var picture = PixelBuffer(size: PixelSize(width: 3, height: 1), filledWith: .black)
        picture[1, 0] = Color(red: 0, green: 0, blue: 0, alpha: 0)
        let encoder = PictureEncoder(protocol: .sixel(SixelLimits()))
        let bytes = await encoder.encodeWithHoles(picture).bytes(atColumn: 0, row: 0)
        #expect(String(decoding: bytes, as: UTF8.self).contains("#0@?@"))
    }

    private func text(_ width: Int, _ height: Int, _ indices: [UInt8]) async -> String {
        let picture = IndexedPicture(
            size: PixelSize(width: width, height: height), trusted: [.black, .white], indices: indices)
        return String(decoding: await BandSixelEncoder().encode(picture), as: UTF8.self)
    }
}
