import Raster
import TestSupport
import Testing

@testable import TerminalGraphics

@Suite(.timeLimit(.minutes(1))) struct BlockPictureTests {
    private let red = Color(red: 255, green: 0, blue: 0)
    private let picture = Pictures.make(4, 4) { x, y in
        y < 2 ? (x < 2 ? Color(red: 255, green: 0, blue: 0) : .white) : (x == 2 ? .white : .black)
    }

    @Test func `every cell shows its part of the picture`() {
        let blocks = BlockPicture(picture, grid: GridSize(columns: 2, rows: 2))
        #expect(blocks[0, 0].background == red)
        #expect(blocks[1, 0].background == .white)
        #expect(blocks[0, 1].background == .black)
        #expect(blocks[1, 1].character == "▌")
    }

    @Test func `truecolor has the expected bytes`() {
        #expect(
            bytes(.truecolor)
                == "^[4;3H^[48;2;255;0;0m ^[48;2;255;255;255m ^[5;3H^[48;2;0;0;0m ^[38;2;255;255;255m▌^[0m")
    }

    @Test func `256 colours have the expected bytes`() {
        #expect(bytes(.palette256) == "^[4;3H^[48;5;196m ^[48;5;231m ^[5;3H^[48;5;16m ^[38;5;231m▌^[0m")
    }

    @Test func `16 colours have the expected bytes`() {
        #expect(bytes(.palette16) == "^[4;3H^[101m ^[107m ^[5;3H^[40m ^[97m▌^[0m")
    }

    @Test func `the Linux console has the expected bytes`() {
        // The nearest to red is the bright one, by a full block; white and black are a half of a bright and a dark colour.
        #expect(bytes(.console) == "^[4;3H^[1;31m█^[1;37m█^[5;3H^[40m ▌^[0m")
    }

    @Test func `without colours brightness is drawn as heavier characters`() {
        #expect(bytes(.none) == "^[4;3H:@^[5;3H +^[0m")
    }

    @Test func `on a bright background darkness is drawn as heavier characters`() {
        #expect(bytes(.none, background: .white) == "^[4;3H# ^[5;3H@=^[0m")
    }

    @Test func `transparency shows the background`() {
        let clear = PixelBuffer(
            size: PixelSize(width: 4, height: 4), filledWith: Color(red: 0, green: 0, blue: 0, alpha: 0))
        let blocks = BlockPicture(clear, grid: GridSize(columns: 1, rows: 1), background: red)
        #expect(blocks[0, 0].background == red)
    }

    @Test func `an empty grid or picture gives no bytes`() {
        let noGrid = BlockPicture(picture, grid: GridSize(columns: 0, rows: 4))
        let noPicture = BlockPicture(
            PixelBuffer(size: .zero, filledWith: .black), grid: GridSize(columns: 2, rows: 2))
        #expect(noGrid.bytes(atColumn: 0, row: 0).isEmpty)
        #expect(noPicture.bytes(atColumn: 0, row: 0).isEmpty)
    }

    @Test func `a huge grid is clamped`() {
        let blocks = BlockPicture(picture, grid: GridSize(columns: .max, rows: 1))
        #expect(blocks.grid == GridSize(columns: BlockPicture.largestSide, rows: 1))
    }

    @Test func `inline each line sets its own colours and resets them at its end`() {
        let encoded = visible(BlockPicture(picture, grid: GridSize(columns: 2, rows: 2)).lines())
        #expect(
            encoded == "^[48;2;255;0;0m ^[48;2;255;255;255m ^[0m\n^[48;2;0;0;0m ^[38;2;255;255;255m▌^[0m\n")
    }

    private func bytes(_ depth: ColorDepth, background: Color = .black) -> String {
        let blocks = BlockPicture(picture, grid: GridSize(columns: 2, rows: 2), depth: depth, background: background)
        return visible(blocks.bytes(atColumn: 2, row: 3))
    }

    private func visible(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.split(separator: "\u{1B}", omittingEmptySubsequences: false).joined(separator: "^")
    }
}
