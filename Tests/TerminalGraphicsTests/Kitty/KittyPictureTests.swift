import Raster
import TerminalGraphics
import TestSupport
import Testing

/// What stands on the screen, and what is left of it.
@Suite(.timeLimit(.minutes(1))) struct KittyPictureTests {
    private let encoder = PictureEncoder(protocol: .kitty)

    @Test func `erasing removes placement and image`() async throws {
        let picture = await encoder.encode(Pictures.noise(50, 50))
        var screen = KittyScreen()
        try screen.read(picture.bytes(atColumn: 3, row: 4) + picture.erasing(atColumn: 3, row: 4))
        #expect(screen.placements.isEmpty)
        #expect(screen.images.isEmpty)
    }

    @Test func `one picture can be placed twice and erased once`() async throws {
        let picture = await encoder.encode(Pictures.noise(50, 50))
        var screen = KittyScreen()
        try screen.read(picture.bytes(atColumn: 3, row: 4) + picture.bytes(atColumn: 4, row: 3))
        #expect(screen.placements.count == 2)
        try screen.read(picture.erasing(atColumn: 3, row: 4))
        #expect(screen.only?.column == 4)
    }

    @Test func `drawing a picture again replaces it`() async throws {
        let picture = await encoder.encode(Pictures.noise(50, 50))
        var screen = KittyScreen()
        try screen.read(picture.bytes(atColumn: 3, row: 4) + picture.bytes(atColumn: 3, row: 4))
        #expect(screen.images.count == 1)
    }

    @Test func `a new picture is drawn before the old one is erased`() async throws {
        let (old, next) = (Pictures.noise(50, 50, seed: 1), Pictures.noise(50, 50, seed: 2))
        let (before, after) = (await encoder.encode(old), await encoder.encode(next))
        var screen = KittyScreen()
        try screen.read(before.bytes(atColumn: 0, row: 0) + after.bytes(atColumn: 0, row: 0))
        #expect(screen.placements.count == 2)
        try screen.read(before.erasing(atColumn: 0, row: 0))
        #expect(screen.only?.image == next)
    }

    @Test(arguments: [0, 1])
    func `an interrupted picture leaves nothing and does not affect the next`(drawsNext: Int) async throws {
        let cut = await encoder.encode(Pictures.noise(64, 32, seed: 1))
        let next = Pictures.noise(40, 40, seed: 2)
        let nextBytes = await encoder.encode(next).bytes(atColumn: 0, row: 0)
        let bytes = cut.bytes(atColumn: 0, row: 0)
        for length in stride(from: 0, to: bytes.count, by: 41) {
            var screen = KittyScreen()
            try screen.read(Array(bytes.prefix(length)) + [0x18, 0x1B, 0x5C] + cut.uploadTerminator)
            try screen.read(drawsNext == 1 ? nextBytes : cut.erasing(atColumn: 0, row: 0))
            #expect(!screen.isUploading)
            #expect(screen.only?.image == (drawsNext == 1 ? next : nil))
            guard !screen.isUploading else { return }
        }
    }

    @Test func `image numbers have no top bit, for Konsole`() async throws {
        for seed in 0..<40 {
            let picture = await encoder.encode(Pictures.noise(4, 4, seed: UInt64(seed)))
            var screen = KittyScreen()
            for row in 0..<20 { try screen.read(picture.bytes(atColumn: row * 7, row: row)) }
            #expect(screen.images.count == 20)
            #expect(screen.images.keys.allSatisfy { (1..<1 << 31).contains($0) })
        }
    }

    @Test func `inline pictures have no number and end with a line feed`() async throws {
        let picture = await encoder.encode(Pictures.noise(5, 5))
        var screen = KittyScreen()
        try screen.read(picture.inlineBytes + picture.inlineBytes)
        #expect(screen.placements.count == 2)
        #expect(screen.commands.allSatisfy { $0["i"] == nil && $0["C"] == nil })
        #expect(picture.inlineBytes.last == 10)
    }

    @Test func `erasingAll removes every picture`() async throws {
        let picture = await encoder.encode(Pictures.noise(5, 5))
        var screen = KittyScreen()
        try screen.read(picture.bytes(atColumn: 0, row: 0) + encoder.graphicsProtocol.erasingAll)
        #expect(screen.placements.isEmpty)
        #expect(screen.images.isEmpty)
    }

    @Test(arguments: [
        GraphicsProtocol.sixel(SixelLimits()), .blocks(.truecolor), .iterm,
    ])
    func `other protocols need no erasing`(graphics: GraphicsProtocol) async {
        let picture = await PictureEncoder(protocol: graphics).encode(Pictures.noise(5, 5))
        #expect(picture.erasing(atColumn: 0, row: 0).isEmpty)
        #expect(graphics.erasingAll.isEmpty)
    }
}
