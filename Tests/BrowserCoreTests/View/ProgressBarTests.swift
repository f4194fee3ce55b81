import AlcedoScreen
import Testing

@testable import AlcedoBrowserCore

@Suite(.timeLimit(.minutes(1)))
struct ProgressBarTests {
    private func bar(
        _ part: Int, of whole: Int?, at milliseconds: Int = 0, width: Int = 10, isASCII: Bool = false
    ) -> StyledText {
        ProgressBar.thin(part, of: whole, at: milliseconds, width: width, glyphs: GlyphSet.set(isASCII: isASCII))
    }

    private func text(_ part: Int, of whole: Int?, width: Int = 10, isASCII: Bool = false) -> String {
        bar(part, of: whole, width: width, isASCII: isASCII).spans.map(\.text).joined()
    }

    @Test
    func `ten cells show twenty steps`() {
        #expect(text(0, of: 20) == "──────────")
        #expect(text(1, of: 20) == "╸─────────")
        #expect(text(15, of: 20) == "━━━━━━━╸──")
        #expect(text(20, of: 20) == "━━━━━━━━━━")
        #expect(Set((0...20).map { text($0, of: 20) }).count == 21)
    }

    @Test
    func `ASCII shows whole cells`() {
        #expect(text(55, of: 100, isASCII: true) == "=====-----")
    }

    @Test
    func `bar and track have separate styles`() {
        let spans = bar(1, of: 2).spans
        #expect(spans.map(\.text) == ["━━━━━", "─────"])
        #expect(spans.map(\.style) == [Style(.bar), .track])
    }

    @Test
    func `numbers out of range give an empty or a full bar`() {
        #expect(text(-1, of: 10, width: 2) == "──")
        #expect(text(.max, of: 10, width: 2) == "━━")
        #expect(text(5, of: 10, width: -2) == "")
    }

    @Test
    func `without a known length a segment moves to and fro`() {
        let frames = (0...8).map { bar(5, of: nil, at: $0 * 100, width: 7).spans.map(\.text).joined() }
        #expect(frames[0] == "━━━────")
        #expect(frames[4] == "────━━━")
        #expect(frames[8] == frames[0])
        #expect(text(5, of: 0, width: 7) == frames[0])
        #expect(text(5, of: nil, width: 2) == "━━")
    }
}
