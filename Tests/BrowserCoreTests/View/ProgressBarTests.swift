import Testing

@testable import BrowserCore

@Suite(.timeLimit(.minutes(1)))
struct ProgressBarTests {
    private func known(_ part: Int, of whole: Int, width: Int = 10, isASCII: Bool = false) -> String {
        ProgressBar.known(part, of: whole, width: width, glyphs: GlyphSet.set(isASCII: isASCII))
    }

    @Test
    func `ten cells show eighty steps`() {
        #expect(known(0, of: 80) == "          ")
        #expect(known(1, of: 80) == "▏         ")
        #expect(known(15, of: 80) == "█▉        ")
        #expect(known(80, of: 80) == "██████████")
        #expect(Set((0...80).map { known($0, of: 80) }).count == 81)
    }

    @Test
    func `ASCII shows whole cells`() {
        #expect(known(55, of: 100, isASCII: true) == "#####     ")
    }

    @Test
    func `numbers out of range give an empty or a full bar`() {
        #expect(known(-1, of: 10, width: 2) == "  ")
        #expect(known(.max, of: 10, width: 2) == "██")
        #expect(known(5, of: 0, width: 2) == "  ")
        #expect(known(5, of: 10, width: -2) == "")
    }

    @Test
    func `where the length is not known a segment moves there and back`() {
        let frames = (0...8).map { ProgressBar.moving(at: $0 * 100, width: 7, glyphs: .unicode) }
        #expect(frames[0] == "▒▓▒    ")
        #expect(frames[4] == "    ▒▓▒")
        #expect(frames[8] == frames[0])
        #expect(ProgressBar.moving(at: 5, width: 2, glyphs: .unicode) == "▒▓")
    }
}
