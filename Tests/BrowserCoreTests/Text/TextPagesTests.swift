import AlcedoScreen
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite("Text storage in pages", .timeLimit(.minutes(1)))
struct TextPagesTests {
    @Test
    func `texts of any length are stored and returned unchanged`() {
        var random = SeededRandom(seed: 7)
        var pages = TextPages()
        let lengths =
            [0, 1, 1 << 20, (1 << 20) + 1, 70_000] + (0..<4000).map { _ in Int.random(in: 0...900, using: &random) }
        let texts = lengths.enumerated().map { String(repeating: $0 % 2 == 0 ? "x" : "é", count: $1) }
        let places = texts.map { pages.append($0) }
        #expect(zip(places, texts).allSatisfy { pages[$0] == $1 })
    }
}
