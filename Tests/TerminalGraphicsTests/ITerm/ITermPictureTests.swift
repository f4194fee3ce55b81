import Raster
import TerminalGraphics
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ITermPictureTests {
    private let picture = Pictures.slopes(70, 45)
    private let move = Array("\u{1B}[3;6H".utf8)

    @Test func `a picture is transmitted exactly`() async throws {
        for picture in [picture, Pictures.noise(31, 99)] {
            let bytes = await encode(picture).bytes(atColumn: 5, row: 2)
            #expect(bytes.starts(with: move))
            #expect(try ITermReader(bytes.dropFirst(move.count)).picture == picture)
        }
    }

    @Test func `a picture is shown pixel by pixel and the cursor does not move`() async throws {
        let reader = try ITermReader(await encode(picture).bytes(atColumn: 5, row: 2).dropFirst(move.count))
        #expect(reader.arguments["width"] == "70px")
        #expect(reader.arguments["height"] == "45px")
        #expect(reader.arguments["preserveAspectRatio"] == "0")
        #expect(reader.arguments["doNotMoveCursor"] == "1")
    }

    @Test func `a picture is stretched over cells if requested`() async throws {
        let encoded = await encode(picture, filling: GridSize(columns: 31, rows: 7))
        let reader = try ITermReader(encoded.bytes(atColumn: 5, row: 2).dropFirst(move.count))
        #expect(reader.arguments["width"] == "31")
        #expect(reader.arguments["height"] == "7")
        #expect(encoded.grid == GridSize(columns: 31, rows: 7))
    }

    @Test func `inline the cursor moves on`() async throws {
        let bytes = await encode(picture).inlineBytes
        #expect(bytes.last == 10)
        #expect(try ITermReader(bytes.dropLast()).arguments["doNotMoveCursor"] == nil)
    }

    @Test func `animation frames use the shared palette`() async throws {
        let encoder = PictureEncoder(protocol: .iterm)
        let palette = await encoder.palette(for: [Pictures.make(4, 4) { x, _ in x < 2 ? .black : .white }])
        let encoded = await encoder.encode(picture, quality: .fast, palette: palette)
        let reader = try ITermReader(encoded.bytes(atColumn: 5, row: 2).dropFirst(move.count))
        #expect(Set(try #require(reader.picture).bytes) == [0, 255])
    }

    private func encode(_ picture: PixelBuffer, filling grid: GridSize? = nil) async -> EncodedPicture {
        await PictureEncoder(protocol: .iterm).encode(picture, filling: grid)
    }
}
