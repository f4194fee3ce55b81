import Synchronization
import TestSupport
import Testing

@testable import ImageLoading

struct ProgressThrottleTests {
    private let clock = ManualClock()
    private let sent = Recorder<DownloadProgress>()

    private func throttle() -> ProgressThrottle {
        ProgressThrottle(expected: 100, clock: TransferClock(clock), send: sent.add)
    }

    @Test func atMostTenASecondGoThroughAndTheLastAlways() {
        let throttle = throttle()
        for received in 1...30 {
            throttle.note(received)
            clock.advance(by: .milliseconds(10))
        }
        throttle.finish(100)
        #expect(sent.all.map(\.received) == [1, 11, 21, 100])
        #expect(sent.all.allSatisfy { $0.total == 100 })
    }

    @Test func whatWasHeldBackIsToldInAPauseAndOnlyOnce() async {
        // Given two pieces at once, of which the second is held back
        let throttle = throttle()
        throttle.note(6)
        throttle.note(50)
        let telling = Task { await throttle.sendHeldBack() }
        // When nothing comes for a while
        for _ in 1...4 {
            await clock.untilSleepers()
            clock.advance(by: .milliseconds(100))
        }
        await clock.untilSleepers()
        telling.cancel()
        await telling.value
        // Then it was told once
        #expect(sent.all.map(\.received) == [6, 50])
    }

    @Test func beforeTheFirstByteThereIsNothingToTell() async {
        let throttle = throttle()
        let telling = Task { await throttle.sendHeldBack() }
        await clock.untilSleepers()
        clock.advance(by: .milliseconds(100))
        await clock.untilSleepers()
        telling.cancel()
        await telling.value
        #expect(sent.all.isEmpty)
    }
}
