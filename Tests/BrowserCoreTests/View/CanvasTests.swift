import Raster
import TestSupport
import Testing

@testable import BrowserCore

@Suite("The canvas")
struct CanvasTests {
    private func canvas(columns: Int = 6, isASCII: Bool = false) -> Canvas {
        Canvas(size: GridSize(columns: columns, rows: 1), glyphs: GlyphSet.set(isASCII: isASCII))
    }

    @Test("A wide character takes two cells, the second of them empty")
    func wide() {
        var canvas = canvas()
        let next = canvas.write("夜a", 0, 0, width: 6)
        #expect(next == 3)
        #expect(canvas.frame.cells.prefix(3).map(\.character) == ["夜", nil, "a"])
    }

    @Test("A wide character that does not fit is left out")
    func clipped() {
        var canvas = canvas(columns: 3)
        canvas.write("a夜夜", 0, 0, width: 9)
        #expect(canvas.frame.row(0) == "a夜")
        canvas.write("bc夜", 0, 0, width: 9)
        #expect(canvas.frame.row(0) == "bc ")
    }

    @Test("Writing over half of a wide character clears the other half", arguments: [0, 1])
    func overwrite(column: Int) {
        var canvas = canvas(columns: 2)
        canvas.write("夜", 0, 0, width: 2)
        canvas.write("x", column, 0, width: 1)
        #expect(canvas.frame.row(0) == (column == 0 ? "x " : " x"))
        #expect(canvas.frame.faults.isEmpty)
    }

    @Test("Controls do not become cells")
    func controls() {
        var canvas = canvas()
        canvas.write("a\u{1B}b\u{E000}", 0, 0, width: 6)
        #expect(canvas.frame.row(0) == "ab\u{FFFD}   ")
    }

    @Test("An ASCII canvas holds ASCII only, in the same cells")
    func ascii() {
        var canvas = canvas(isASCII: true)
        canvas.write("é夜x", 0, 0, width: 6)
        #expect(canvas.frame.row(0) == "???x  ")
    }

    @Test("A selected part is readable, and bars in it keep their ground")
    func selection() {
        // Given dim text and a bar
        var canvas = canvas()
        canvas.write("ab", 0, 0, width: 2, .dim)
        canvas.write("█", 2, 0, width: 1, .bar)
        // When the row is selected
        canvas.select(0, 0, width: 3)
        // Then the text is highlighted and the bar is unchanged
        #expect(canvas.frame[0, 0].style == Style(.text, background: .selection, bold: true))
        #expect(canvas.frame[2, 0].style == .bar)
    }

    @Test("Nothing is drawn outside the frame")
    func outside() {
        var canvas = canvas()
        canvas.write("x", 0, 1, width: 1)
        canvas.write("x", -1, 0, width: 1)
        canvas.write("x", 6, 0, width: 1)
        canvas.write("x", 0, -1, width: 1)
        canvas.select(4, 0, width: 99)
        canvas.showCursor(6, 0)
        #expect(canvas.frame.row(0) == "      ")
        #expect(canvas.frame.cursor == nil)
    }
}
