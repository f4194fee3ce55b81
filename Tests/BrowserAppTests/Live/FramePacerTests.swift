import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools
@testable import BrowserApp

@MainActor @Suite(.timeLimit(.minutes(1))) struct FramePacerTests {
    private let clock = ManualClock()
    private let wakes: AsyncStream<Void>
    private let pacer: FramePacer

    init() {
        let (wakes, sink) = AsyncStream.makeStream(of: Void.self)
        self.wakes = wakes
        pacer = FramePacer(alarm: ManualAlarm(clock: clock) { sink.yield() })
    }

    private func wake() async { for await _ in wakes { break } }

    @Test func `frames are sixteen milliseconds apart`() async {
        // Given a frame at the start
        #expect(pacer.mayDraw())
        // When the next is wanted too early
        clock.advance(by: .milliseconds(10))
        #expect(!pacer.mayDraw())
        // Then it is asked for again as soon as it may be drawn, and not before
        await clock.untilSleepers()
        clock.advance(by: .milliseconds(5))
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .milliseconds(1))
        await wake()
        #expect(pacer.mayDraw())
    }

    @Test func `the frame of an answer waits 16 ms after the last answer, but not after other frames`() async {
        // Given a frame that answered and, 16 ms later, one that moved
        #expect(pacer.mayDraw(isAnswer: true))
        clock.advance(by: .milliseconds(16))
        #expect(pacer.mayDraw())
        // When the next answer is wanted at once
        clock.advance(by: .milliseconds(1))
        // Then it is drawn, and neither another answer nor a movement just after it
        #expect(pacer.mayDraw(isAnswer: true))
        clock.advance(by: .milliseconds(15))
        #expect(!pacer.mayDraw(isAnswer: true))
        #expect(!pacer.mayDraw())
    }

    @Test func `a tick wakes the loop once when it is due`() async {
        pacer.setTick(milliseconds: 100)
        await clock.untilSleepers()
        clock.advance(by: .milliseconds(99))
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .milliseconds(1))
        await wake()
        #expect(clock.sleeperCount == 0)
    }

    @Test func `a new tick replaces the old one`() async {
        // Given a tick that is far away
        pacer.setTick(milliseconds: 60_000)
        await clock.untilSleepers()
        // When a nearer one is set
        pacer.setTick(milliseconds: 10)
        #expect(clock.sleeperCount == 0)
        await clock.untilSleepers()
        // Then only that one wakes
        clock.advance(by: .milliseconds(10))
        await wake()
        #expect(clock.sleeperCount == 0)
    }

    @Test func `setting no tick cancels the pending one`() async {
        pacer.setTick(milliseconds: 100)
        await clock.untilSleepers()
        pacer.setTick(milliseconds: nil)
        #expect(clock.sleeperCount == 0)
    }

    @Test func `milliseconds count from the start`() {
        clock.advance(by: .milliseconds(1234))
        #expect(pacer.milliseconds == 1234)
    }
}
