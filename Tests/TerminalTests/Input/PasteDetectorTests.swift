import BrowserCore
import Testing

@testable import Terminal

@Suite("A detector of input", .timeLimit(.minutes(1)))
struct PasteDetectorTests {
    private func keys(_ text: String) -> [TerminalEvent] { text.map { .key(.character($0)) } }

    private func keys(_ count: Int) -> [TerminalEvent] { keys(String(repeating: "j", count: count)) }

    @Test
    func `as many keys as a stalled line may hold stay keys`() {
        var detector = PasteDetector()
        #expect(detector.process(keys(PasteDetector.limit)) == keys(PasteDetector.limit))
        #expect(!detector.isPasting)
    }

    @Test
    func `one key more makes a paste of all`() {
        var detector = PasteDetector()
        let count = PasteDetector.limit + 1
        #expect(detector.process(keys(count)) == [.paste(String(repeating: "j", count: count))])
    }

    @Test
    func `what follows without a pause belongs to it, what comes after one does not`() {
        var detector = PasteDetector()
        _ = detector.process(keys(PasteDetector.limit + 1))
        #expect(detector.process(keys("q")) == [.paste("q")])
        detector.reset()
        #expect(detector.process(keys("q")) == keys("q"))
    }

    @Test
    func `answers, signals of the mouse and true pastes keep their places; keys without a character are dropped`() {
        var detector = PasteDetector()
        let half = keys(PasteDetector.limit)
        let events = half + [.reply(.status), .key(.escape)] + half + [.focus(true)]
        let text = String(repeating: "j", count: PasteDetector.limit)
        #expect(detector.process(events) == [.paste(text), .reply(.status), .paste(text), .focus(true)])
    }

    @Test
    func `many events that are no keys are no detector`() {
        var detector = PasteDetector()
        let events = Array(repeating: TerminalEvent.reply(.status), count: 1000)
        #expect(detector.process(events) == events)
        #expect(!detector.isPasting)
    }
}
