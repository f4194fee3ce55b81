import Raster
import TestSupport
import Testing

@testable import TerminalGraphics

@Suite(.timeLimit(.minutes(1))) struct PictureEncoderTests {
    private let picture = Pictures.make(30, 25) { x, y in (x / 5 + y / 5) % 2 == 0 ? .black : .white }

    @Test(arguments: PictureEncoder.SixelImplementation.allCases)
    func `sixel draws the picture`(implementation: PictureEncoder.SixelImplementation) async throws {
        let encoder = PictureEncoder(protocol: .sixel(SixelLimits()), implementation: implementation)
        let stream = try #require(await encoder.encode(picture).sixelStream)
        #expect(try SixelReader.decode(stream) == picture)
    }

    @Test func `the covered cells are counted`() async {
        let encoder = PictureEncoder(
            protocol: .sixel(SixelLimits()), cell: CellSize(width: 10, height: 20))
        #expect(await encoder.encode(picture).grid == GridSize(columns: 3, rows: 2))
    }

    @Test func `sixel bytes move the cursor first`() async throws {
        let encoded = await PictureEncoder(protocol: .sixel(SixelLimits())).encode(picture)
        let bytes = encoded.bytes(atColumn: 4, row: 0)
        #expect(bytes == Array("\u{1B}[1;5H".utf8) + (try #require(encoded.sixelStream)))
    }

    @Test func `inline a line feed follows the control string`() async throws {
        let encoded = await PictureEncoder(protocol: .sixel(SixelLimits())).encode(picture)
        #expect(encoded.inlineBytes == (try #require(encoded.sixelStream)) + [10])
    }

    @Test(arguments: PictureEncoder.SixelImplementation.allCases)
    func `a picture above the limit is drawn in tiles within the limit`(
        implementation: PictureEncoder.SixelImplementation
    ) async throws {
        let limit = PixelSize(width: 25, height: 45)
        let cell = CellSize(width: 10, height: 20)
        let picture = Pictures.noise(67, 93)
        let whole = PictureEncoder(protocol: .sixel(SixelLimits()), cell: cell, implementation: implementation)
        let encoder = PictureEncoder(
            protocol: .sixel(SixelLimits(maximumSize: limit)), cell: cell, implementation: implementation)
        let expected = try SixelReader.decode(try #require(await whole.encode(picture).sixelStream))
        let encoded = await encoder.encode(picture)
        #expect(encoded.size == picture.size)
        #expect(encoded.grid == GridSize(columns: 7, rows: 5))
        let tiles = try Self.placed(encoded.bytes(atColumn: 3, row: 2))
        #expect(tiles.map(\.column) == Array(repeating: [3, 5, 7, 9], count: 3).flatMap { $0 })
        #expect(tiles.map(\.row) == [2, 4, 6].flatMap { Array(repeating: $0, count: 4) })
        var drawn = PixelBuffer(size: picture.size, filledWith: .black)
        for tile in tiles {
            #expect(tile.pixels.size.width <= limit.width && tile.pixels.size.height <= limit.height)
            for y in 0..<tile.pixels.size.height {
                for x in 0..<tile.pixels.size.width {
                    drawn[(tile.column - 3) * 10 + x, (tile.row - 2) * 20 + y] = tile.pixels[x, y]
                }
            }
        }
        #expect(drawn == expected)
    }

    @Test func `countsWholeBands leaves out rows at the bottom`() async throws {
        let limits = SixelLimits(countsWholeBands: true)
        let encoder = PictureEncoder(protocol: .sixel(limits), cell: CellSize(width: 10, height: 25))
        let encoded = await encoder.encode(picture)
        #expect(encoded.size == PixelSize(width: 30, height: 24))
        #expect(encoded.grid == GridSize(columns: 3, rows: 1))
        let drawn = try SixelReader.decode(try #require(encoded.sixelStream))
        #expect(drawn.size == encoded.size && drawn.bytes.elementsEqual(picture.bytes.prefix(30 * 24 * 4)))
    }

    @Test func `inline tiles get room first and are drawn row by row`() async {
        let limits = SixelLimits(maximumSize: PixelSize(width: 20, height: 40))
        let encoder = PictureEncoder(protocol: .sixel(limits), cell: CellSize(width: 10, height: 20))
        let encoded = await encoder.encode(Pictures.noise(30, 50))
        let text = String(decoding: encoded.inlineBytes, as: UTF8.self)
        let moves = text.replacing(/\u{1B}P[^\u{1B}]*\u{1B}\\/, with: "*").replacing("\u{1B}", with: "^")
        #expect(moves == "\n\n^[2A^7*^8^7^[2C*^8^[2B\r\n^[1A^7*^8^7^[2C*^8^[1B\r")
    }

    /// Returns the tiles of a stream of cursor moves and sixel strings.
    private static func placed(_ bytes: [UInt8]) throws -> [(column: Int, row: Int, pixels: PixelBuffer)] {
        let pieces = EscapeSequences.pieces(of: bytes)
        return try stride(from: 0, to: pieces.count, by: 2).map { index in
            let move = String(decoding: pieces[index].dropFirst(2).dropLast(), as: UTF8.self).split(separator: ";")
            let (row, column) = (try #require(Int(move[0])) - 1, try #require(Int(move[1])) - 1)
            return (column, row, try SixelReader.decode(Array(pieces[index + 1])))
        }
    }

    @Test func `no more registers than allowed are used`() async throws {
        let encoder = PictureEncoder(protocol: .sixel(SixelLimits(registers: 16)))
        let stream = try #require(await encoder.encode(Pictures.slopes(80, 80)).sixelStream)
        let colors = try SixelReader.decode(stream).bytes
        let distinct = Set(stride(from: 0, to: colors.count, by: 4).map { Array(colors[$0..<$0 + 3]) })
        #expect((2...16).contains(distinct.count))
    }

    @Test func `a shared palette limits the colors`() async throws {
        let encoder = PictureEncoder(protocol: .sixel(SixelLimits()))
        let palette = await encoder.palette(for: [picture])
        let encoded = await encoder.encode(Pictures.slopes(40, 40), quality: .fast, palette: palette)
        let bytes = try SixelReader.decode(try #require(encoded.sixelStream)).bytes
        #expect(Set(bytes).isSubset(of: [0, 255]))
    }

    @Test func `blocks are drawn at a position`() async {
        let encoder = PictureEncoder(protocol: .blocks(.truecolor), cell: CellSize(width: 10, height: 25))
        let encoded = await encoder.encode(picture)
        #expect(encoded.grid == GridSize(columns: 3, rows: 1))
        #expect(encoded.bytes(atColumn: 2, row: 7).starts(with: "\u{1B}[8;3H".utf8))
        #expect(encoded.sixelStream == nil)
        #expect(await encoder.palette(for: [picture]) == nil)
    }

    @Test func `blocks use the characters of the given set`() async {
        var characters: [Set<Character>] = []
        for set in BlockSet.allCases {
            let encoded = await PictureEncoder(protocol: .blocks(.truecolor, set)).encode(Pictures.noise(200, 200))
            characters.append(Set(String(decoding: encoded.inlineBytes, as: UTF8.self).filter { !$0.isASCII }))
        }
        #expect(characters[0].isEmpty && characters[1].isEmpty)
        #expect(characters[2] == ["▀", "▌"])
        #expect(characters[3].contains("▚"))
        #expect(characters[4].count > characters[3].count)
    }

    @Test func `a picture stretched over cells draws only in them`() async {
        let encoder = PictureEncoder(protocol: .blocks(.truecolor), cell: CellSize(width: 10, height: 25))
        let encoded = await encoder.encode(picture, filling: GridSize(columns: 7, rows: 3))
        #expect(encoded.grid == GridSize(columns: 7, rows: 3))
        #expect(encoded.inlineBytes.filter { $0 == 10 }.count == 3)
    }

    @Test(arguments: [
        GraphicsProtocol.sixel(SixelLimits()), .blocks(.palette256), .kitty, .iterm,
    ])
    func `an empty picture has no bytes`(graphics: GraphicsProtocol) async {
        let empty = PixelBuffer(size: .zero, filledWith: .black)
        let encoded = await PictureEncoder(protocol: graphics).encode(empty)
        #expect(encoded.bytes(atColumn: 0, row: 0).isEmpty)
        #expect(encoded.inlineBytes.isEmpty)
        #expect(encoded.erasing(atColumn: 0, row: 0).isEmpty)
        #expect(encoded.cost == 0)
    }

    @Test func `a picture that is drawn exactly needs no palette`() async {
        let encoder = PictureEncoder(protocol: .sixel(SixelLimits(registers: 16)))
        let flat = PixelBuffer(size: PixelSize(width: 40, height: 40), filledWith: .white)
        let varied = PixelBuffer(size: PixelSize(width: 40, height: 40)) { bytes in
            for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index * 7) }
        }
        #expect(await encoder.paletteIfInexact(for: [flat]) == nil)
        #expect(await encoder.paletteIfInexact(for: [flat, varied]) != nil)
    }

    @Test func `a reduced frame fills the cells of the full frame`() async {
        let frame = PixelBuffer(size: PixelSize(width: 100, height: 80), filledWith: .white)
        let small = PixelSize(width: 25, height: 20)
        for (graphics, size) in [(GraphicsProtocol.kitty, small), (.sixel(SixelLimits()), frame.size)] {
            let encoded = await PictureEncoder(protocol: graphics).encodeFrame(frame, reducedTo: small, palette: nil)
            #expect(encoded.size == size)
            #expect(encoded.grid == GridSize(columns: 10, rows: 4))
        }
    }
}
