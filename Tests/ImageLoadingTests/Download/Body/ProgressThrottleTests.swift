import Synchronization
import Testing

@testable import ImageLoading

struct ProgressThrottleTests {
    @Test func atMostTenASecondGoThroughAndTheLastAlways() {
        let sent = Recorder<DownloadProgress>()
        let time = ManualTime()
        var throttle = ProgressThrottle(expected: 100, now: time.read, send: sent.add)
        for received in 1...30 {
            throttle.note(received)
            time.advance(by: .milliseconds(10))
        }
        throttle.finish(100)
        #expect(sent.all.map(\.received) == [1, 11, 21, 100])
        #expect(sent.all.allSatisfy { $0.total == 100 })
    }
}
