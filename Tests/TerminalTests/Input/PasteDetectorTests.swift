import AlcedoBrowserCore
import AlcedoScreen
import Testing

@testable import AlcedoTerminal

@Suite("A detector of input", .timeLimit(.minutes(1)))
struct PasteDetectorTests {
    private func keys(_ text: String) -> [TerminalEvent] { text.map { .key(.character($0)) } }

    @Test
    func `several keys in one read are said to come together, until one comes alone`() {
        var detector = PasteDetector()
        #expect(detector.process(keys("ab"), at: .zero) == [.keysTogether(true)] + keys("ab"))
        #expect(detector.process(keys("cd"), at: .seconds(1)) == keys("cd"))
        #expect(detector.process(keys("e"), at: .seconds(2)) == [.keysTogether(false)] + keys("e"))
    }

    @Test
    func `a key that follows another at once comes together with it, whatever the terminal answers meanwhile`() {
        var detector = PasteDetector()
        #expect(detector.process(keys("a"), at: .zero) == keys("a"))
        #expect(detector.process(keys("b"), at: .milliseconds(1)) == [.keysTogether(true)] + keys("b"))
        #expect(detector.process([.reply(.status)], at: .milliseconds(10)) == [.reply(.status)])
        let later = PasteDetector.pause + .milliseconds(1)
        #expect(detector.process(keys("c"), at: later) == [.keysTogether(false)] + keys("c"))
    }

    private func keys(_ count: Int) -> [TerminalEvent] { keys(String(repeating: "j", count: count)) }

    @Test
    func `as many keys as a stalled line may hold stay keys`() {
        var detector = PasteDetector()
        #expect(
            detector.process(keys(PasteDetector.limit), at: .zero) == [.keysTogether(true)] + keys(PasteDetector.limit))
        #expect(!detector.isPasting)
    }

    @Test
    func `one key more makes a paste of all`() {
        var detector = PasteDetector()
        let count = PasteDetector.limit + 1
        #expect(detector.process(keys(count), at: .zero) == [.paste(String(repeating: "j", count: count))])
    }

    @Test
    func `what follows without a pause belongs to it, what comes after one does not`() {
        var detector = PasteDetector()
        _ = detector.process(keys(PasteDetector.limit + 1), at: .zero)
        #expect(detector.process(keys("q"), at: .zero) == [.paste("q")])
        detector.reset()
        #expect(detector.process(keys("q"), at: .zero) == keys("q"))
    }

    @Test
    func `answers, signals of the mouse and true pastes keep their places; keys without a character are dropped`() {
        var detector = PasteDetector()
        let half = keys(PasteDetector.limit)
        let events = half + [.reply(.status), .key(.escape)] + half + [.focus(true)]
        let text = String(repeating: "j", count: PasteDetector.limit)
        #expect(detector.process(events, at: .zero) == [.paste(text), .reply(.status), .paste(text), .focus(true)])
    }

    @Test
    func `many events that are no keys are no detector`() {
        var detector = PasteDetector()
        let events = Array(repeating: TerminalEvent.reply(.status), count: 1000)
        #expect(detector.process(events, at: .zero) == events)
        #expect(!detector.isPasting)
    }
}
