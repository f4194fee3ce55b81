import Synchronization
import TestSupport
import Testing

@testable import DiskCache
@testable import HTTPDownload
@testable import ImageCodecs
@testable import ImageLoading

@Suite(.timeLimit(.minutes(1)))
struct ProgressThrottleTests {
    private let clock = ManualClock()
    private let sent = Recorder<DownloadProgress>()

    private func throttle() -> ProgressThrottle {
        ProgressThrottle(expected: 100, clock: TransferClock(clock), send: sent.add)
    }

    @Test func `at most ten a second go through and the last always`() {
        var throttle = throttle()
        for received in 1...30 {
            throttle.record(received)
            clock.advance(by: .milliseconds(10))
        }
        throttle.finish(100)
        #expect(sent.all.map(\.received) == [1, 11, 21, 100])
        #expect(sent.all.allSatisfy { $0.total == 100 })
    }

    @Test func `the end is reported once and always`() {
        var whole = throttle()
        let empty = throttle()
        whole.record(6)
        whole.finish(6)
        #expect(sent.all.map(\.received) == [6])
        empty.finish(0)
        #expect(sent.all.map(\.received) == [6, 0])
    }
}
