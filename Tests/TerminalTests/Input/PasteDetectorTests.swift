import AlcedoBrowserCore
import AlcedoScreen
import Testing

@testable import AlcedoTerminal

@Suite("The paste detector", .timeLimit(.minutes(1)))
struct PasteDetectorTests {
    private func keys(_ text: String) -> [TerminalEvent] { text.map { .key(.character($0)) } }

    @Test
    func `several keys in one read are reported as together until one arrives alone`() {
        var detector = PasteDetector()
        #expect(detector.process(keys("ab"), at: .zero) == [.keysTogether(true)] + keys("ab"))
        #expect(detector.process(keys("cd"), at: .seconds(1)) == keys("cd"))
        #expect(detector.process(keys("e"), at: .seconds(2)) == [.keysTogether(false)] + keys("e"))
    }

    @Test
    func `a key right after another is reported as together, regardless of answers between`() {
        var detector = PasteDetector()
        #expect(detector.process(keys("a"), at: .zero) == keys("a"))
        #expect(detector.process(keys("b"), at: .milliseconds(1)) == [.keysTogether(true)] + keys("b"))
        #expect(detector.process([.reply(.status)], at: .milliseconds(10)) == [.reply(.status)])
        let later = PasteDetector.pause + .milliseconds(1)
        #expect(detector.process(keys("c"), at: later) == [.keysTogether(false)] + keys("c"))
    }

    private func keys(_ count: Int) -> [TerminalEvent] { keys(String(repeating: "j", count: count)) }

    @Test
    func `as many keys as a stalled line may hold remain keys`() {
        var detector = PasteDetector()
        #expect(
            detector.process(keys(PasteDetector.limit), at: .zero) == [.keysTogether(true)] + keys(PasteDetector.limit))
        #expect(!detector.isPasting)
    }

    @Test
    func `one key more turns all into a paste`() {
        var detector = PasteDetector()
        let count = PasteDetector.limit + 1
        #expect(detector.process(keys(count), at: .zero) == [.paste(String(repeating: "j", count: count))])
    }

    @Test
    func `keys without a pause belong to the paste, keys after a pause do not`() {
        var detector = PasteDetector()
        _ = detector.process(keys(PasteDetector.limit + 1), at: .zero)
        #expect(detector.process(keys("q"), at: .zero) == [.paste("q")])
        detector.reset()
        #expect(detector.process(keys("q"), at: .zero) == keys("q"))
    }

    @Test
    func `answers, mouse events and real pastes keep their positions; keys without a character are dropped`() {
        var detector = PasteDetector()
        let half = keys(PasteDetector.limit)
        let events = half + [.reply(.status), .key(.escape)] + half + [.focus(true)]
        let text = String(repeating: "j", count: PasteDetector.limit)
        #expect(detector.process(events, at: .zero) == [.paste(text), .reply(.status), .paste(text), .focus(true)])
    }

    @Test
    func `many events other than keys are not a paste`() {
        var detector = PasteDetector()
        let events = Array(repeating: TerminalEvent.reply(.status), count: 1000)
        #expect(detector.process(events, at: .zero) == events)
        #expect(!detector.isPasting)
    }
}
