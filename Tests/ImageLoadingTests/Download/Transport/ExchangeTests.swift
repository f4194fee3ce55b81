import TestSupport
import Testing

@testable import DiskCache
@testable import HTTPDownload
@testable import ImageCodecs
@testable import ImageLoading

@Suite(.timeLimit(.minutes(1)))
struct ExchangeTests {
    private let table = ExchangeTable()
    private let use = ConnectionUse(isReused: true, ready: .zero)

    @Test func `whoever drains gives up what is not sent`() throws {
        let (sent, waiting, later) = (Deadlines(), Deadlines(), Deadlines())
        let exchange = Exchange(began: .zero, deadlines: sent)
        #expect(table.add(exchange) != nil)
        #expect(table.add(Exchange(began: .zero, deadlines: waiting)) != nil)
        #expect(table.add(Exchange(began: .zero)) != nil)
        exchange.didSendHead(on: use)
        table.drain()
        #expect(sent.passed == nil)
        #expect(waiting.passed == .cancelled)
        // No transfer begins any more; one that was answered already goes on.
        #expect(table.add(Exchange(began: .zero, deadlines: later)) == nil)
        #expect(table.add(Exchange(began: .zero)) != nil)
    }

    @Test func `one that comes back is not sent and has its time again`() async throws {
        let (clock, deadlines) = (ManualClock(), Deadlines())
        let exchange = Exchange(began: .zero, deadlines: deadlines)
        let transferClock = TransferClock(clock)
        exchange.onHeadSent {
            transferClock.alarm(after: .seconds(10)) { deadlines.pass(.response(.timedOut(.head))) }
        }
        // Given one that was sent in vain
        exchange.didSendHead(on: use)
        await clock.untilSleepers()
        exchange.reset()
        #expect(exchange.use == nil)
        // When it is sent again after a while
        clock.advance(by: .seconds(9))
        exchange.didSendHead(on: use)
        await clock.untilSleepers()
        clock.advance(by: .seconds(9))
        // Then its first alarm is gone, and the second one comes in its time
        #expect(deadlines.passed == nil)
        clock.advance(by: .seconds(1))
        try await eventually("the alarm") { deadlines.passed != nil }
        exchange.finish()
    }
}
