import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite(.timeLimit(.minutes(1)))
struct CanvasTests {
    private func canvas(columns: Int = 6, isASCII: Bool = false) -> Canvas {
        Canvas(size: GridSize(columns: columns, rows: 1), glyphs: GlyphSet.set(isASCII: isASCII))
    }

    @Test
    func `a wide character takes two cells, the second of them empty`() {
        var canvas = canvas()
        let next = canvas.write("夜a", 0, 0, width: 6)
        #expect(next == 3)
        #expect(canvas.frame.cells.prefix(3).map(\.character) == ["夜", nil, "a"])
    }

    @Test
    func `a wide character that does not fit is left out`() {
        var canvas = canvas(columns: 3)
        canvas.write("a夜夜", 0, 0, width: 9)
        #expect(canvas.frame.row(0) == "a夜")
        canvas.write("bc夜", 0, 0, width: 9)
        #expect(canvas.frame.row(0) == "bc ")
    }

    @Test(arguments: [0, 1])
    func `writing over half of a wide character clears the other half`(column: Int) {
        var canvas = canvas(columns: 2)
        canvas.write("夜", 0, 0, width: 2)
        canvas.write("x", column, 0, width: 1)
        #expect(canvas.frame.row(0) == (column == 0 ? "x " : " x"))
        #expect(canvas.frame.faults.isEmpty)
    }

    @Test
    func `control characters are not drawn`() {
        var canvas = canvas()
        canvas.write("a\u{1B}b\u{E000}", 0, 0, width: 6)
        #expect(canvas.frame.row(0) == "ab\u{FFFD}   ")
    }

    @Test
    func `an ASCII canvas replaces other characters and keeps the widths`() {
        var canvas = canvas(isASCII: true)
        canvas.write("é夜x", 0, 0, width: 6)
        #expect(canvas.frame.row(0) == "???x  ")
    }

    @Test
    func `selection highlights text, also dim text`() {
        // Given dim text and a rate
        var canvas = canvas()
        canvas.write("ab", 0, 0, width: 2, .dim)
        canvas.write("3", 2, 0, width: 1, Style(.bar))
        // When the row is selected
        canvas.select(0, 0, width: 3)
        // Then the text is readable and the rate keeps its colour
        #expect(canvas.frame[0, 0].style == Style(.text, background: .selection, bold: true))
        #expect(canvas.frame[2, 0].style == Style(.bar, background: .selection, bold: true))
    }

    @Test
    func `nothing is drawn outside the frame`() {
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
