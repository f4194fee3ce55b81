import Raster
import Testing

@testable import TerminalGraphics

@Suite("A checkerboard behind transparent pictures", .timeLimit(.minutes(1)))
struct CheckerboardTests {
    private static let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)

    private func grey(_ value: UInt8) -> Color { Color(red: value, green: value, blue: value) }

    @Test func `an opaque picture is unchanged`() {
        let picture = PixelBuffer(size: PixelSize(width: 3, height: 2), filledWith: .white)
        #expect(picture.checkered(around: .black) == picture)
    }

    @Test func `squares of eight pixels alternate in both directions`() {
        let board = PixelBuffer(size: PixelSize(width: 20, height: 20), filledWith: Self.clear)
            .checkered(around: .black)
        #expect(board.isOpaque)
        #expect(board[0, 0] == board[7, 7] && board[8, 8] == board[0, 0] && board[16, 0] == board[0, 0])
        #expect(board[8, 0] == board[0, 8] && board[8, 0] != board[0, 0])
    }

    @Test func `the greys are lighter than black and darker than white`() {
        let picture = PixelBuffer(size: PixelSize(width: 9, height: 1), filledWith: Self.clear)
        let (dark, light) = (picture.checkered(around: .black), picture.checkered(around: .white))
        #expect([dark[0, 0], dark[8, 0]] == [grey(72), grey(104)])
        #expect([light[0, 0], light[8, 0]] == [grey(183), grey(151)])
    }

    @Test func `translucent pixels are blended in proportion`() {
        var picture = PixelBuffer(size: PixelSize(width: 2, height: 1), filledWith: .white)
        picture[1, 0] = Color(red: 255, green: 255, blue: 255, alpha: 51)
        let shown = picture.checkered(around: .black)
        #expect(shown[0, 0] == .white)
        #expect(shown[1, 0] == grey(109))
    }

    @Test func `an empty picture stays empty`() {
        let picture = PixelBuffer(size: PixelSize(width: 0, height: 5), filledWith: Self.clear)
        #expect(picture.checkered(around: .black) == picture)
    }
}
