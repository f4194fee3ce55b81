import AlcedoBrowserCore
import AlcedoScreen
import Raster
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch

@Suite(.timeLimit(.minutes(1))) struct LineFrameTests {
    private let colored = LineTheme(environment: [:])
    private func frame(_ text: String, style: Style = .plain) -> Frame {
        var frame = Frame(size: GridSize(columns: 8, rows: 1))
        for (column, character) in text.enumerated() { frame[column, 0] = Cell(character, style: style) }
        return frame
    }

    @Test func `a block is drawn at the cursor, which then returns to the first row`() {
        var two = Frame(size: GridSize(columns: 8, rows: 2))
        two[0, 0] = Cell("a")
        two[0, 1] = Cell("b")
        let drawn = LineFrame.draw(two, theme: colored)
        #expect(drawn == "\u{1B}[?7l\ra\u{1B}[K\n\rb\u{1B}[K\u{1B}[J\u{1B}[1A\r\u{1B}[?7h")
    }

    @Test func `the rest of each row and the rows below are cleared`() {
        #expect(LineFrame.draw(frame("hello"), theme: colored).contains("hello\u{1B}[K\u{1B}[J"))
    }

    @Test func `the first row of a block is cleared by itself`() {
        // Given a terminal that keeps what is cleared with ED from its first cell in its history, as tmux does
        // Then the block's first row, which may be that of the screen, goes by itself
        #expect(LineFrame.erase(3) == "\r\u{1B}[K\n\u{1B}[J\u{1B}[A")
        #expect(LineFrame.erase(1) == "\r\u{1B}[K" && LineFrame.erase(0).isEmpty)
    }

    @Test func `a row that fills all columns is written whole, and the rest of the line is not cleared`() {
        #expect(LineFrame.draw(frame("to here!"), theme: colored).contains("\rto here!\u{1B}[J"))
    }

    @Test func `line wrapping is off only while a block is drawn`() {
        let drawn = LineFrame.draw(frame("hello"), theme: colored)
        #expect(drawn.hasPrefix("\u{1B}[?7l") && drawn.hasSuffix("\u{1B}[?7h"))
    }

    @Test func `a colour is set and reset`() {
        let drawn = LineFrame.draw(frame("no", style: Style(.error)), theme: colored)
        #expect(drawn.contains("\u{1B}[0;31mno\u{1B}[0m"))
    }

    @Test func `without colour attributes stay`() {
        let plain = LineTheme(environment: ["NO_COLOR": "1"])
        let drawn = LineFrame.draw(frame("no", style: Style(.error, bold: true)), theme: plain)
        #expect(drawn.contains("\u{1B}[0;1mno"))
        #expect(!drawn.contains("31"))
    }

    @Test func `the second cell of a wide character is not drawn`() {
        var wide = Frame(size: GridSize(columns: 4, rows: 1))
        wide[0, 0] = Cell("翡")
        wide[1, 0] = Cell(nil)
        wide[2, 0] = Cell("x")
        #expect(LineFrame.draw(wide, theme: colored).contains("翡x"))
    }
}
