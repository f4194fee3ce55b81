import Raster
import TerminalGraphics
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct KittyEncoderTests {
    private let encoder = PictureEncoder(protocol: .kitty)

    @Test func `pictures of any size are transmitted exactly`() async throws {
        var numbers = SeededRandom(seed: 23)
        for _ in 0..<12 {
            let (width, height) = (Int(numbers.next() >> 20 % 70) + 1, Int(numbers.next() >> 20 % 140) + 1)
            let picture =
                numbers.next() >> 20 % 2 == 0
                ? Pictures.noise(width, height, seed: numbers.next()) : Pictures.slopes(width, height)
            try await expectExact(picture)
        }
    }

    @Test func `transparency is transmitted exactly`() async throws {
        let picture = Pictures.make(37, 70) { x, y in
            Color(red: UInt8(x), green: UInt8(y), blue: 9, alpha: UInt8((x * 7 + y) % 256))
        }
        try await expectExact(picture)
    }

    @Test(arguments: [1023, 1024, 1025, 2048])
    func `chunks have the largest allowed size`(pixels: Int) async throws {
        let encoded = await encoder.encode(Pictures.noise(pixels, 1))
        var screen = KittyScreen()
        try screen.read(encoded.bytes(atColumn: 0, row: 0))
        let parts = screen.commands.filter { $0["m"] != nil }
        #expect(parts.count == (pixels + 1023) / 1024)
        #expect(parts.dropLast().allSatisfy { $0["m"] == "1" })
    }

    @Test func `data that compression would lengthen is sent uncompressed`() async throws {
        var screen = KittyScreen()
        try screen.read(await encoder.encode(Pictures.noise(64, 64)).bytes(atColumn: 0, row: 0))
        #expect(screen.commands.last { $0["a"] == "T" }?["f"] == "24")
    }

    @Test func `data is compressed where it helps`() async {
        let picture = Pictures.make(200, 200) { x, y in (x / 5 + y / 5) % 2 == 0 ? .black : .white }
        #expect(await encoder.encode(picture).cost < 200 * 200 * 3 / 10)
    }

    @Test func `animation frames use the colours of the shared palette`() async throws {
        let palette = await encoder.palette(for: [Pictures.make(4, 4) { x, _ in x < 2 ? .black : .white }])
        var screen = KittyScreen()
        try screen.read(
            await encoder.encode(Pictures.slopes(90, 90), quality: .fast, palette: palette).bytes(atColumn: 0, row: 0))
        #expect(Set(try #require(screen.only).image.bytes) == [0, 255])
    }

    @Test func `a picture is stretched over cells if requested`() async throws {
        let encoded = await encoder.encode(Pictures.noise(20, 20), filling: GridSize(columns: 31, rows: 7))
        var screen = KittyScreen()
        try screen.read(encoded.bytes(atColumn: 0, row: 0))
        #expect(screen.only?.columns == 31)
        #expect(screen.only?.rows == 7)
        #expect(encoded.grid == GridSize(columns: 31, rows: 7))
    }

    @Test func `by default a picture is drawn pixel by pixel`() async throws {
        var screen = KittyScreen()
        try screen.read(await encoder.encode(Pictures.noise(20, 20)).bytes(atColumn: 0, row: 0))
        #expect(screen.only?.columns == 0)
    }

    @Test func `a side beyond the limit is scaled down`() async {
        let strip = Pictures.make(20_000, 2) { x, _ in x < 10_000 ? .black : .white }
        #expect(await encoder.encode(strip).size == PixelSize(width: 10_000, height: 1))
    }

    private func expectExact(_ picture: PixelBuffer) async throws {
        var screen = KittyScreen()
        try screen.read(await encoder.encode(picture).bytes(atColumn: 6, row: 2))
        let shown = try #require(screen.only)
        #expect(shown.image == picture)
        #expect((shown.column, shown.row) == (6, 2))
        #expect(screen.position == (6, 2))
        #expect(!screen.isUploading)
    }
}
