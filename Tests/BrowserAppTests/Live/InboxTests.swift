import AlcedoTerminal
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools
@testable import BrowserApp

@Suite(.timeLimit(.minutes(1))) struct InboxTests {
    @Test func `messages are drained in order and exactly once`() {
        let inbox = Inbox<Int>()
        for number in 0..<5 { inbox.post(number) }
        #expect(inbox.drain() == [0, 1, 2, 3, 4])
        #expect(inbox.drain().isEmpty)
    }

    @Test func `many posted messages cause one wake`() async {
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
