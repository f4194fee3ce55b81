import Raster
import TestSupport
import Testing

@testable import TerminalGraphics

@Suite(.timeLimit(.minutes(1))) struct PassthroughTests {
    static let protocols: [GraphicsProtocol] = [
        .sixel(SixelLimits()), .kitty, .iterm,
    ]

    @Test(arguments: protocols, Passthrough.allCases)
    func `the outer terminal gets the equal`(graphics: GraphicsProtocol, passthrough: Passthrough) async throws {
        let encoded = await PictureEncoder(protocol: graphics).encode(Pictures.noise(150, 120))
        let bytes = encoded.bytes(atColumn: 3, row: 2)
        let pieces = try MultiplexerReader.read(
            encoded.bytes(atColumn: 3, row: 2, through: passthrough), of: passthrough)
        #expect(pieces.joined == bytes)
        #expect(pieces.lengths.allSatisfy { $0 <= passthrough.pieceLimit })
    }

    @Test func `GNU screen passes any bytes`() throws {
        var numbers = SeededRandom(seed: 5)
        for length in 0..<300 {
            let bytes = (0..<length).map { _ in [0x1B, UInt8(ascii: "\\"), 65, 66][Int(numbers.next() >> 20 % 4)] }
            let pieces = try MultiplexerReader.read(Passthrough.screen.wrapped(bytes), of: .screen)
            #expect(pieces.joined == bytes)
            #expect(pieces.lengths.allSatisfy { $0 <= 256 })
        }
    }

    @Test func `tmux gets whole sequences in as few pieces as possible`() throws {
        let sequence = Array("\u{1B}_Gm=1;\(String(repeating: "A", count: 4096))\u{1B}\\".utf8)
        let bytes = Array(repeatElement(sequence, count: 300).joined())
        let pieces = try MultiplexerReader.read(Passthrough.tmux.wrapped(bytes), of: .tmux)
        #expect(pieces.joined == bytes)
        #expect(pieces.contents.allSatisfy { $0.count % sequence.count == 0 })
        #expect(pieces.lengths.allSatisfy { $0 <= 900_000 })
        #expect(pieces.lengths.dropLast().allSatisfy { $0 > 895_000 })
    }

    @Test(arguments: Passthrough.allCases)
    func `empty input stays empty`(passthrough: Passthrough) {
        #expect(passthrough.wrapped([]).isEmpty)
    }
}
