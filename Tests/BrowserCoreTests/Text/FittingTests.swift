import AlcedoScreen
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite("Fitting text into cells", .timeLimit(.minutes(1)))
struct FittingTests {
    @Test
    func `clipping never cuts a wide character in half`() {
        #expect(Fitting.clip("夜の港", to: 5) == "夜の")
        #expect(Fitting.clip("abc", to: 0) == "")
        #expect(Fitting.clip("abc", to: -3) == "")
    }

    @Test(
        arguments: [
            (20, "very-long…vening.jpg"), (12, "very-…ng.jpg"), (7, "ve….jpg"), (5, "….jpg"), (4, "…jpg"), (1, "…"),
            (0, ""),
        ])
    func `a long name is cut in the middle and keeps its extension`(width: Int, expected: String) {
        #expect(Fitting.truncateMiddle("very-long-name-of-an-evening.jpg", to: width) == expected)
    }

    @Test
    func `text that fits is unchanged`() {
        #expect(Fitting.truncateMiddle("jetty.jpg", to: 9) == "jetty.jpg")
        #expect(Fitting.truncate("jetty.jpg", to: 9) == "jetty.jpg")
    }

    @Test
    func `a sentence is cut at its end`() {
        #expect(Fitting.truncate("503 Service Unavailable", to: 8) == "503 Ser…")
        #expect(Fitting.truncate("503 Service", to: 8, ellipsis: "~") == "503 Ser~")
    }

    @Test
    func `the end of typed text stays visible`() {
        #expect(Fitting.suffix("a long filter", to: 6) == "filter")
    }

    @Test
    func `padding gives exactly the width`() {
        #expect(Fitting.pad("夜", to: 5) == "夜   ")
        #expect(Fitting.pad("62 %", to: 5, .trailing) == " 62 %")
    }

    @Test
    func `wrapping breaks at spaces and ends the last line with an ellipsis`() {
        #expect(Fitting.wrap("one two three", to: 7, limit: 3) == ["one two", "three"])
        #expect(Fitting.wrap("one two three", to: 7, limit: 1) == ["one tw…"])
        #expect(Fitting.wrap("one", to: 0, limit: 2).isEmpty)
    }

    @Test
    func `folding fills each line and cuts the middle of the last one`() {
        #expect(Fitting.fold("abcdefgh", to: 3, limit: 3) == ["abc", "def", "gh"])
        #expect(Fitting.fold("abcdefgh", to: 3, limit: 2) == ["abc", "d…h"])
        #expect(Fitting.fold("夜夜夜", to: 3, limit: 9) == ["夜", "夜", "夜"])
        #expect(Fitting.fold("", to: 3, limit: 2) == [""])
        #expect(Fitting.fold("abc ", to: 3, limit: 2) == ["abc"])
        #expect(Fitting.fold("夜", to: 1, limit: 2).count == 1)
        #expect(Fitting.fold("a", to: 0, limit: 2).isEmpty)
    }

    @Test
    func `no result is wider than the given width`() {
        var random = SeededRandom(seed: 3)
        let letters = ["a", "夜", ".", "🦜", "e\u{301}", "-", "क्षि"]
        for _ in 0..<2000 {
            let text = (0..<Int.random(in: 0...20, using: &random))
                .map { _ in letters.randomElement(using: &random) ?? "" }.joined()
            let width = Int.random(in: 0...12, using: &random)
            for fitted in [
                Fitting.clip(text, to: width), Fitting.truncateMiddle(text, to: width),
                Fitting.truncate(text, to: width),
            ] + Fitting.fold(text, to: width, limit: 3) {
                #expect(CellWidth.of(fitted) <= width)
            }
            #expect(CellWidth.of(Fitting.pad(text, to: width)) == width)
        }
    }
}
