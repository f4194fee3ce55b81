import TestSupport
import Testing

@testable import DiskCache
@testable import HTTPDownload
@testable import ImageCodecs
@testable import ImageLoading

@Suite(.timeLimit(.minutes(1))) struct SharedSleepTests {
    private let clock = ManualClock()
    private let shared: SharedSleep

    init() {
        let (clock, start) = (clock, clock.now)
        shared = SharedSleep(now: { start.duration(to: clock.now) }) { try await clock.sleep(for: $0) }
    }

    /// Starts a sleep and returns when it has begun.
    private func sleeper(_ duration: Duration) async -> Task<Void, any Error> {
        let count = shared.count
        let task = Task { try await shared.sleep(duration) }
        await until { shared.count != count }
        return task
    }

    @Test func `every sleeper wakes at its time on one timer`() async throws {
        let first = await sleeper(.seconds(1))
        let second = await sleeper(.seconds(2))
        let third = await sleeper(.seconds(2))
        await clock.untilSleepers(1)
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .seconds(1))
        try await first.value
        #expect(shared.count == 2)
        await clock.untilSleepers(1)
        clock.advance(by: .seconds(1))
        try await second.value
        try await third.value
        #expect(shared.count == 0)
    }

    @Test func `a later sleeper that is due earlier wakes first`() async throws {
        let late = await sleeper(.seconds(10))
        await clock.untilSleepers(1)
        let early = await sleeper(.seconds(1))
        await clock.untilSleepers(2)
        clock.advance(by: .seconds(1))
        try await early.value
        #expect(shared.count == 1)
        clock.advance(by: .seconds(9))
        try await late.value
    }

    @Test func `a cancelled sleeper leaves nothing behind`() async throws {
        let sleeper = await sleeper(.seconds(30))
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        #expect(shared.count == 0)
    }

    @Test func `a sleeper cancelled before does not sleep`() async throws {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await shared.sleep(.seconds(30))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(shared.count == 0)
    }

    @Test func `many that are cancelled need no more timers than one`() async throws {
        for _ in 0..<1000 {
            let sleeper = await sleeper(.seconds(30))
            sleeper.cancel()
            _ = await sleeper.result
        }
        #expect(clock.sleeperCount <= 1)
        // When all is over, the timer ends too. Between two of its sleeps nobody sleeps on the clock.
        let last = await sleeper(.seconds(40))
        while shared.count > 0 {
            clock.advanceToNextSleeper()
            await Task.yield()
        }
        try await last.value
        #expect(clock.sleeperCount == 0)
    }
}
