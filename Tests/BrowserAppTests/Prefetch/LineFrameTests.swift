import BrowserCore
import Raster
import Testing

@testable import BrowserApp

@Suite struct LineFrameTests {
    private let colored = LineTheme(environment: [:])
    /// The row of a block that says hello, to its last column, and what comes after all rows.
    private let row = "hello\u{1B}[K\u{1B}[8G\u{1B}[1m \u{1B}[0m\n"

    private func frame(_ text: String, style: Style = .plain) -> Frame {
        var frame = Frame(size: GridSize(columns: 8, rows: 1))
        for (column, character) in text.enumerated() { frame[column, 0] = Cell(character, style: style) }
        return frame
    }

    @Test func aFirstBlockIsDrawnWhereTheCursorStands() {
        #expect(LineFrame.redraw(frame("hello"), over: 0, theme: colored) == "\u{1B}[?7l\r\(row)\r\u{1B}[K\u{1B}[?7h")
    }

    @Test func aLaterOneIsDrawnOverTheOneBefore() {
        #expect(LineFrame.redraw(frame("hello"), over: 3, theme: colored).hasPrefix("\u{1B}[?7l\u{1B}[3A\r"))
    }

    @Test func whatTheOneBeforeHadMoreIsCleared() {
        let drawn = LineFrame.redraw(frame("hello"), over: 3, theme: colored)
        #expect(drawn.hasSuffix("\(row)\r\u{1B}[K\n\u{1B}[K\n\u{1B}[K\u{1B}[2A\u{1B}[?7h"))
    }

    @Test func rowsAreClearedOneByOneAndTheCursorComesBackToTheFirst() {
        // Given a terminal that keeps what is cleared with ED from its first cell in its history, as tmux does
        let cleared = LineFrame.erase(2)
        // Then each row goes by itself
        #expect(cleared == "\u{1B}[2A\r\u{1B}[K\n\u{1B}[K\n\u{1B}[K\u{1B}[2A")
    }

    @Test func aRowThatGoesToTheLastColumnIsDrawnToIt() {
        #expect(LineFrame.redraw(frame("to here!"), over: 0, theme: colored).contains("\rto here!\n"))
    }

    @Test func aRowThatIsTooLongForTheTerminalIsCutAndWhatOthersWriteLaterIsNot() {
        let drawn = LineFrame.redraw(frame("hello"), over: 0, theme: colored)
        #expect(drawn.hasPrefix("\u{1B}[?7l") && drawn.hasSuffix("\u{1B}[?7h"))
    }

    @Test func aBarHasATrack() {
        let drawn = LineFrame.redraw(frame("##  ", style: .init(.bar, background: .barTrack)), over: 0, theme: colored)
        #expect(drawn.contains("\u{1B}[0;36;100m##  \u{1B}[0m"))
    }

    @Test func colourIsSetAndReset() {
        let drawn = LineFrame.redraw(frame("no", style: Style(.error)), over: 0, theme: colored)
        #expect(drawn.contains("\u{1B}[0;31mno\u{1B}[0m"))
    }

    @Test func withoutColourAttributesStay() {
        let plain = LineTheme(environment: ["NO_COLOR": "1"])
        let drawn = LineFrame.redraw(frame("no", style: Style(.error, bold: true)), over: 0, theme: plain)
        #expect(drawn.contains("\u{1B}[0;1mno"))
        #expect(!drawn.contains("31"))
    }

    @Test func theSecondHalfOfAWideCharacterIsNotDrawn() {
        var wide = Frame(size: GridSize(columns: 4, rows: 1))
        wide[0, 0] = Cell("翡")
        wide[1, 0] = Cell(nil)
        wide[2, 0] = Cell("x")
        #expect(LineFrame.redraw(wide, over: 0, theme: colored).contains("翡x"))
    }
}
