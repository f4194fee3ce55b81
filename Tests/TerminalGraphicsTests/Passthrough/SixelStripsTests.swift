import Raster
import TestSupport
import Testing

@testable import TerminalGraphics

@Suite(.timeLimit(.minutes(1))) struct SixelStripsTests {
    private let picture = Pictures.noise(90, 215)

    @Test(arguments: PictureEncoder.SixelImplementation.allCases, [1, 6, 17, 20, 24])
    func `strips draw the same pixels as the whole`(implementation: PictureEncoder.SixelImplementation, cellHeight: Int)
        async throws
    {
        let encoder = PictureEncoder(protocol: .sixel(SixelLimits()), implementation: implementation)
        let stream = try #require(await encoder.encode(picture).sixelStream)
        let whole = try SixelReader.decode(stream)
        let strips = try #require(SixelStrips(stream)).strips(cellHeight: cellHeight, limit: 10_000)
        #expect(strips.count > 1)
        var bytes: [UInt8] = []
        for strip in strips {
            #expect(strip.row * cellHeight == bytes.count / (90 * 4))
            bytes += try SixelReader.decode(strip.stream).bytes
        }
        #expect(bytes == whole.bytes)
    }

    @Test func `strips are as long as allowed and no longer`() async throws {
        let stream = try #require(await PictureEncoder(protocol: .sixel(SixelLimits())).encode(picture).sixelStream)
        let strips = try #require(SixelStrips(stream)).strips(cellHeight: 6, limit: 12_000)
        #expect(strips.allSatisfy { $0.stream.count <= 12_000 })
        #expect(zip(strips, strips.dropFirst()).allSatisfy { $0.stream.count + $1.stream.count > 12_000 })
        #expect(try #require(SixelStrips(stream)).strips(cellHeight: 6, limit: .max).map(\.stream) == [stream])
    }

    @Test func `a picture longer than the limit moves the cursor to each strip`() async throws {
        let encoder = PictureEncoder(protocol: .sixel(SixelLimits()), cell: CellSize(width: 10, height: 20))
        let encoded = await encoder.encode(picture)
        let pieces = EscapeSequences.pieces(of: encoded.bytes(atColumn: 4, row: 7, limit: 10_000))
        let moves = pieces.filter { $0.starts(with: "\u{1B}[".utf8) }.map {
            String(decoding: $0.dropFirst(), as: UTF8.self)
        }
        #expect(moves == ["[8;5H", "[11;5H", "[14;5H", "[17;5H"])
        #expect(pieces.count == moves.count * 2)
    }

    @Test func `a short picture stays whole`() async {
        let encoded = await PictureEncoder(protocol: .sixel(SixelLimits())).encode(picture)
        #expect(encoded.bytes(atColumn: 1, row: 1, limit: 900_000) == encoded.bytes(atColumn: 1, row: 1))
    }

    @Test(arguments: ["", "x", "\u{1B}Pq\"1;1;2;2#0;2;0;0;0@\u{1B}\\", "\u{1B}P0;1;0q\"1;1;2#0@\u{1B}\\"])
    func `other streams are not split`(stream: String) {
        #expect(SixelStrips(Array(stream.utf8)) == nil)
    }
}
