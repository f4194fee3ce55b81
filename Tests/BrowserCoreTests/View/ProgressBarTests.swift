import Testing

@testable import BrowserCore

@Suite("The bar")
struct ProgressBarTests {
    private func known(_ part: Int, of whole: Int, width: Int = 10, isASCII: Bool = false) -> String {
        ProgressBar.known(part, of: whole, width: width, glyphs: GlyphSet.set(isASCII: isASCII))
    }

    @Test("Ten cells show eighty steps")
    func eighths() {
        #expect(known(0, of: 80) == "          ")
        #expect(known(1, of: 80) == "▏         ")
        #expect(known(15, of: 80) == "█▉        ")
        #expect(known(80, of: 80) == "██████████")
        #expect(Set((0...80).map { known($0, of: 80) }).count == 81)
    }

    @Test("ASCII shows whole cells")
    func ascii() {
        #expect(known(55, of: 100, isASCII: true) == "#####     ")
    }

    @Test("Numbers out of range give an empty or a full bar")
    func bounds() {
        #expect(known(-1, of: 10, width: 2) == "  ")
        #expect(known(.max, of: 10, width: 2) == "██")
        #expect(known(5, of: 0, width: 2) == "  ")
        #expect(known(5, of: 10, width: -2) == "")
    }

    @Test("Where the length is not known a segment moves there and back")
    func moving() {
        let frames = (0...8).map { ProgressBar.moving(at: $0 * 100, width: 7, glyphs: .unicode) }
        #expect(frames[0] == "▒▓▒    ")
        #expect(frames[4] == "    ▒▓▒")
        #expect(frames[8] == frames[0])
        #expect(ProgressBar.moving(at: 5, width: 2, glyphs: .unicode) == "▒▓")
    }
}
