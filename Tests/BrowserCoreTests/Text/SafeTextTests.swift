import AlcedoScreen
import AlcedoSupport
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite("The sanitizer", .timeLimit(.minutes(1)))
struct SafeTextTests {
    @Test(arguments: ["dunes-at-noon.jpg", "夜の港.png", "é ж 🦜"])
    func `harmless text is unchanged`(text: String) {
        #expect(SafeText.clean(text) == text)
    }

    @Test(
        arguments: [
            "\u{0}", "\u{7}", "\n", "\t", "\u{1B}", "\u{7F}", "\u{85}", "\u{9B}", "\u{2028}", "\u{E000}", "\u{378}",
        ])
    func `control characters and unassigned code points become U+FFFD`(dangerous: String) {
        #expect(SafeText.clean("a\(dangerous)b") == "a\u{FFFD}b")
    }

    @Test(
        arguments: [
            "\u{202A}", "\u{202E}", "\u{2066}", "\u{2069}", "\u{200E}", "\u{200F}", "\u{61C}", "\u{200B}", "\u{200D}",
            "\u{AD}", "\u{FE0F}", "\u{E0041}", "\u{3164}", "\u{FEFF}",
        ])
    func `invisible characters are removed`(invisible: String) {
        #expect(Array(SafeText.clean("a\(invisible)b").unicodeScalars) == ["a", "b"])
    }

    @Test
    func `the control characters of an escape sequence are replaced`() {
        #expect(SafeText.clean("\u{1B}]0;title\u{7}\u{1B}[2J") == "\u{FFFD}]0;title\u{FFFD}\u{FFFD}[2J")
    }

    @Test
    func `every space character becomes a plain space`() {
        #expect(SafeText.clean("a\u{A0}b\u{3000}c") == "a b c")
    }

    @Test
    func `at most four combining marks are kept, none without a base`() {
        let heap = "a" + String(repeating: "\u{301}", count: 40)
        #expect(SafeText.clean(heap).unicodeScalars.count == 5)
        #expect(SafeText.clean("\u{301}a") == "a")
    }

    @Test
    func `long text is cut with an ellipsis`() {
        #expect(SafeText.clean("abcdef", limit: 4) == "abcd…")
        #expect(SafeText.clean("abcd", limit: 4) == "abcd")
        #expect(SafeText.clean("anything", limit: 0) == "…")
    }

    @Test
    func `bytes of a path that are not UTF-8 are shown by their value`() {
        #expect(SafeText.clean("caf" + String(pathBytes: [0xE9, 0x80])) == #"caf\xE9\x80"#)
    }

    @Test
    func `an emoji's skin tone is dropped, so that every terminal counts two cells`() {
        #expect(CellWidth.of(SafeText.clean("👍🏽")) == 2)
    }

    @Test
    func `random text is cleaned to drawable characters only`() {
        var random = SeededRandom(seed: 7)
        for _ in 0..<2000 {
            let scalars = (0..<12).compactMap { _ in Unicode.Scalar(UInt32.random(in: 0..<0x30000, using: &random)) }
            let text = SafeText.clean(String(String.UnicodeScalarView(scalars)))
            for character in text where !SafeText.isSafe(character) {
                Issue.record("unsafe: \(character.unicodeScalars.map { String($0.value, radix: 16) })")
            }
        }
    }
}
