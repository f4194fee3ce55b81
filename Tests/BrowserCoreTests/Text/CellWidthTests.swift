import AlcedoScreen
import Testing

@testable import AlcedoBrowserCore

@Suite(.timeLimit(.minutes(1)))
struct CellWidthTests {
    @Test(
        arguments: [
            ("a", 1), ("é", 1), ("e\u{301}", 1), ("ж", 1), ("○", 1), ("‖", 1), ("█", 1), ("夜", 2), ("ｱ", 1), ("Ａ", 2),
            ("한", 2), ("🦜", 2), ("⌚", 2), ("❤", 1), ("❤\u{FE0F}", 2), ("👨‍👩‍👧", 2), ("🇸🇪", 2), ("\u{301}", 0),
            ("\u{7}", 0), ("\u{200B}", 0), ("\u{1100}\u{1161}", 2),
        ] as [(Character, Int)])
    func `a grapheme takes 0, 1 or 2 cells`(character: Character, width: Int) {
        #expect(CellWidth.of(character) == width)
    }

    @Test
    func `the width of a text is the sum of its graphemes`() {
        #expect(CellWidth.of("夜 night") == 8)
        #expect(CellWidth.of("") == 0)
    }

    @Test
    func `a syllable of three cells is split into pieces of one and two`() {
        let pieces = CellPiece.pieces(of: "क्षि")
        #expect(pieces.reduce(0) { $0 + $1.width } == CellWidth.of("क्षि"))
        #expect(!pieces.contains { $0.width > 2 || $0.width < 1 })
    }
}
