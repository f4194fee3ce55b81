import Raster
import TestSupport
import Testing

@testable import TerminalGraphics

@Suite(.timeLimit(.minutes(1))) struct PNGWriterTests {
    @Test(arguments: [1, 6])
    func `pictures are written and read back exactly`(level: Int) async throws {
        for (width, height) in [(1, 1), (1, 40), (40, 1), (33, 17), (90, 300)] {
            for picture in [Pictures.noise(width, height), Pictures.slopes(width, height)] {
                let file = try #require(await PNGWriter(level: level).file(picture, quality: .best))
                #expect(try PNGReader.decode(file) == picture)
            }
        }
    }

    @Test func `transparency is kept`() async throws {
        let picture = Pictures.make(20, 20) { x, y in
            Color(red: UInt8(x * 3), green: 0, blue: 200, alpha: UInt8(y * 12))
        }
        let file = try #require(await PNGWriter(level: 1).file(picture, quality: .best))
        #expect(try PNGReader.decode(file) == picture)
    }

    @Test func `drawings and photographs use different row filters`() async throws {
        let tile = Pictures.noise(16, 16)
        let pattern = Pictures.make(96, 96) { x, y in tile[x % 16, y % 16] }
        #expect(try await firstFilter(of: pattern) == PNGRowFilter.none.rawValue)
        #expect(try await firstFilter(of: Pictures.slopes(256, 256)) == PNGRowFilter.paeth.rawValue)
    }

    @Test func `a picture with few colours is indexed`() async throws {
        let picture = Pictures.make(60, 60) { x, y in (x / 5 + y / 5) % 2 == 0 ? .black : .white }
        let file = try #require(await PNGWriter(level: 1).file(picture, quality: .fast))
        #expect(try PNGReader.decode(file) == picture)
        #expect(file[25] == 3)
    }

    @Test func `transparency is blended with the background in an indexed picture`() async throws {
        let green = Color(red: 0, green: 255, blue: 0)
        let clear = PixelBuffer(
            size: PixelSize(width: 4, height: 4), filledWith: Color(red: 9, green: 9, blue: 9, alpha: 0))
        let file = try #require(await PNGWriter(level: 1).file(clear, quality: .fast, background: green))
        #expect(try PNGReader.decode(file)[2, 2] == green)
    }

    private func firstFilter(of picture: PixelBuffer) async throws -> UInt8 {
        let file = try #require(await PNGWriter(level: 1).file(picture, quality: .best))
        // Signature, header (25 bytes), then the length and the type of the data.
        let data = Array(file[41..<file.count - 16])
        return try #require(
            try Unpacking.inflate(data, count: (picture.size.width * 3 + 1) * picture.size.height).first)
    }
}
