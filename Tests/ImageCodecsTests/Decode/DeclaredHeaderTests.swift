import Foundation
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct DeclaredHeaderTests {
    @Test(arguments: SampleFiles.Kind.allCases)
    func `the declared size equals that of the decoder`(kind: SampleFiles.Kind) throws {
        let data = try SampleFiles.file(kind)
        let header = try CodecDecoder().header(of: data, limits: .standard)
        #expect(DeclaredHeader.read(data)?.size == header.size && DeclaredHeader.read(data)?.format == header.format)
    }

    @Test(arguments: ["coral.jpg", "bubbles.webp", "eclipse.png", "harbour.gif"])
    func `the declared size of real files is correct`(name: String) throws {
        let data = try Pictures.asset(name)
        let header = try CodecDecoder().header(of: data, limits: .standard)
        #expect(DeclaredHeader.read(data)?.size == header.size)
    }

    @Test(arguments: [
        LibrarySamples.avif, LibrarySamples.jpegXL, LibrarySamples.jpegXLHDR, LibrarySamples.jpeg2000,
        LibrarySamples.jpeg2000WithOffset,
    ])
    func `the declared size of formats of other libraries is correct`(data: Data) {
        #expect(DeclaredHeader.read(data)?.size == PixelSize(width: 4, height: 3))
        for count in 0..<data.count { _ = DeclaredHeader.read(data.prefix(count)) }
    }

    /// A small size with the ratio 1, and sides of 13 bits.
    @Test(
        arguments: [
            ([0xFF, 0x0A, 0x7F, 0x00], 256, 256),
            ([0xFF, 0x0A, 0x7A, 0x54, 0xE8, 0xFB, 0x01], 4064, 2704),
        ] as [([UInt8], Int, Int)])
    func `the size of a JPEG XL file is read from its bits`(bytes: [UInt8], width: Int, height: Int) {
        let size = PixelSize(width: width, height: height)
        let rest = [UInt8](repeating: 0, count: 32)
        #expect(DeclaredHeader.read(Data(bytes + rest))?.size == size)
        let container: [UInt8] = [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 13, 10, 0x87, 10]
        for (box, number) in [("jxlc", []), ("jxlp", [0, 0, 0, 0])] as [(String, [UInt8])] {
            let file = container + [0, 0, 0, 40] + Array(box.utf8) + number + bytes + rest
            #expect(DeclaredHeader.read(Data(file))?.size == size)
        }
    }

    @Test(arguments: SampleFiles.Kind.allCases)
    func `a truncated file has the right size or none`(kind: SampleFiles.Kind) throws {
        let data = try SampleFiles.file(kind)
        let size = DeclaredHeader.read(data)?.size
        for count in 0..<data.count {
            let header = DeclaredHeader.read(data.prefix(count))
            #expect(header == nil || header?.size == size)
        }
    }
}
