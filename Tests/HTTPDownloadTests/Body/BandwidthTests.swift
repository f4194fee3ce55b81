import Retrying
import TestSupport
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

@Suite(.timeLimit(.minutes(1))) struct BandwidthTests {
    private let clock = ManualClock()

    private func bandwidth(_ rate: Int = 1000) -> Bandwidth {
        Bandwidth(bytesPerSecond: rate, clock: RunClock(clock))
    }

    @Test func `bytes above the rate wait in turn`() async throws {
        // Given 250 bytes that pass at once and two transfers of 1,000 bytes
        let bandwidth = bandwidth()
        try await bandwidth.acquire(250)
        let first = Task { try await bandwidth.acquire(1000) }
        await clock.untilSleepers(1)
        let second = Task { try await bandwidth.acquire(1000) }
        await clock.untilSleepers(2)
        // When a second has passed, and another
        clock.advance(by: .seconds(1))
        try await first.value
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .seconds(1))
        try await second.value
        // Then both are through, and were held up for two seconds
        #expect(bandwidth.heldTime == .seconds(2))
    }

    @Test func `a cancelled transfer stops waiting`() async throws {
        let bandwidth = bandwidth(1)
        let task = Task { try await bandwidth.acquire(100) }
        await clock.untilSleepers()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `time spent waiting for bandwidth does not count as a stall`() async throws {
        // Given a transfer that may be silent for 30 s, and a limit that holds all up for 100 s
        let bandwidth = bandwidth()
        let pace = StallDetector(
            limits: DownloadLimits(), clock: RunClock(clock), bandwidth: bandwidth)
        let holding = Task { try await bandwidth.acquire(100_250) }
        await clock.untilSleepers(1)
        let violations = Recorder<DownloadError>()
        pace.watch(violations.add)
        await clock.untilSleepers(2)
        // When those pass, and then 30 s of real silence
        for _ in 0..<100 {
            clock.advance(by: .seconds(1))
            await Task.yield()
        }
        try await holding.value
        #expect(violations.all.isEmpty)
        await clock.untilSleepers(1)
        clock.advance(by: .seconds(30))
        // Then only that is a stall
        await violations.until(count: 1)
        #expect(violations.all == [.response(.timedOut(.idle))])
        #expect(clock.now.offset >= .seconds(130))
    }
}
