import AlcedoTerminal
import Testing

@testable import BrowserApp

@Suite(.timeLimit(.minutes(1))) struct InboxTests {
    @Test func `messages come out in order and once`() {
        let inbox = Inbox<Int>()
        for number in 0..<5 { inbox.post(number) }
        #expect(inbox.drain() == [0, 1, 2, 3, 4])
        #expect(inbox.drain().isEmpty)
    }

    @Test func `many requests become one wake`() async {
        // Given many messages posted before anybody looks
        let inbox = Inbox<Int>()
        for number in 0..<100 { inbox.post(number) }
        inbox.close()
        // When the wakes are heard to their end
        var wakes = 0
        for await _ in inbox.wakes { wakes += 1 }
        // Then there was one, and nothing is lost
        #expect(wakes == 1)
        #expect(inbox.drain().count == 100)
    }
}
