import BrowserCore
import Testing

@testable import Terminal

@Suite("A burst of input")
struct InputBurstTests {
    private func keys(_ text: String) -> [TerminalEvent] { text.map { .key(.character($0)) } }

    private func keys(_ count: Int) -> [TerminalEvent] { keys(String(repeating: "j", count: count)) }

    @Test("as many keys as a stalled line may hold stay keys")
    func typing() {
        var burst = InputBurst()
        #expect(burst.settle(keys(InputBurst.limit)) == keys(InputBurst.limit))
        #expect(!burst.isRunning)
    }

    @Test("one key more makes a paste of all")
    func paste() {
        var burst = InputBurst()
        let count = InputBurst.limit + 1
        #expect(burst.settle(keys(count)) == [.paste(String(repeating: "j", count: count))])
    }

    @Test("what follows without a pause belongs to it, what comes after one does not")
    func pause() {
        var burst = InputBurst()
        _ = burst.settle(keys(InputBurst.limit + 1))
        #expect(burst.settle(keys("q")) == [.paste("q")])
        burst.end()
        #expect(burst.settle(keys("q")) == keys("q"))
    }

    @Test("answers, signals of the mouse and true pastes keep their places; keys without a character are dropped")
    func others() {
        var burst = InputBurst()
        let half = keys(InputBurst.limit)
        let events = half + [.reply(.status), .key(.escape)] + half + [.focus(true)]
        let text = String(repeating: "j", count: InputBurst.limit)
        #expect(burst.settle(events) == [.paste(text), .reply(.status), .paste(text), .focus(true)])
    }

    @Test("many events that are no keys are no burst")
    func answers() {
        var burst = InputBurst()
        let events = Array(repeating: TerminalEvent.reply(.status), count: 1000)
        #expect(burst.settle(events) == events)
        #expect(!burst.isRunning)
    }
}
