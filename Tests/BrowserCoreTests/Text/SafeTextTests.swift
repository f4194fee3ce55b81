import TestSupport
import Testing

@testable import BrowserCore

@Suite("The sanitizer")
struct SafeTextTests {
    @Test(
        "Text without anything dangerous comes through as it is", arguments: ["dunes-at-noon.jpg", "夜の港.png", "é ж 🦜"])
    func harmless(text: String) {
        #expect(SafeText.clean(text) == text)
    }

    @Test(
        "Controls and code points without a meaning become U+FFFD",
        arguments: [
            "\u{0}", "\u{7}", "\n", "\t", "\u{1B}", "\u{7F}", "\u{85}", "\u{9B}", "\u{2028}", "\u{E000}", "\u{378}",
        ])
    func replaced(dangerous: String) {
        #expect(SafeText.clean("a\(dangerous)b") == "a\u{FFFD}b")
    }

    @Test(
        "What is invisible by design is removed",
        arguments: [
            "\u{202A}", "\u{202E}", "\u{2066}", "\u{2069}", "\u{200E}", "\u{200F}", "\u{61C}", "\u{200B}", "\u{200D}",
            "\u{AD}", "\u{FE0F}", "\u{E0041}", "\u{3164}", "\u{FEFF}",
        ])
    func removed(invisible: String) {
        #expect(Array(SafeText.clean("a\(invisible)b").unicodeScalars) == ["a", "b"])
    }

    @Test("An escape sequence loses what makes it one")
    func escape() {
        #expect(SafeText.clean("\u{1B}]0;title\u{7}\u{1B}[2J") == "\u{FFFD}]0;title\u{FFFD}\u{FFFD}[2J")
    }

    @Test("Every kind of space is a plain one")
    func spaces() {
        #expect(SafeText.clean("a\u{A0}b\u{3000}c") == "a b c")
    }

    @Test("Four marks stay on a base, none without one")
    func marks() {
        let heap = "a" + String(repeating: "\u{301}", count: 40)
        #expect(SafeText.clean(heap).unicodeScalars.count == 5)
        #expect(SafeText.clean("\u{301}a") == "a")
    }

    @Test("Long text is cut with an ellipsis")
    func limit() {
        #expect(SafeText.clean("abcdef", limit: 4) == "abcd…")
        #expect(SafeText.clean("abcd", limit: 4) == "abcd")
        #expect(SafeText.clean("anything", limit: 0) == "…")
    }

    @Test("Bytes that are not UTF-8 become U+FFFD")
    func bytes() {
        #expect(SafeText.clean(bytes: [0x61, 0xFF, 0x62]) == "a\u{FFFD}b")
        #expect(SafeText.clean(bytes: Array("abcdef".utf8), limit: 3) == "abc…")
    }

    @Test("An emoji's skin tone is dropped, so that every terminal counts two cells")
    func tones() {
        #expect(CellWidth.of(SafeText.clean("👍🏽")) == 2)
    }

    @Test("Whatever goes in, only what may be drawn comes out")
    func random() {
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
