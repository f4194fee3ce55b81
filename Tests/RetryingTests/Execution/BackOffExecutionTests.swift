import Retrying
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct BackOffExecutionTests {
    let clock = ManualClock()
    let ends = Record<BackOffExecution.State>()

    private func execution(
        _ retrier: Retrier = Retrier(.backOff(randomization: 0)),
        _ work: @escaping @Sendable (BackOffProgress) async throws -> Void
    ) -> BackOffExecution {
        let ends = ends
        return BackOffExecution(retrier.timed(by: clock), work: work) { ends.add($0) }
    }

    @Test func `an execution is stopped until it is run`() {
        let execution = execution { _ in }
        #expect(execution.state == .stopped)
        #expect(execution.attempts == 0)
        #expect(execution.elapsed == .zero)
    }

    @Test func `the first attempt starts at once and a success ends the execution`() async throws {
        let execution = execution { _ in }
        execution.run()
        #expect(try await execution.finished() == .succeeded)
        #expect(execution.attempts == 1)
        #expect(ends.elements == [.succeeded])
    }

    private struct Upload: BackOffWork {
        let states = Record<BackOffExecution.State>()

        func attempt(_ progress: BackOffProgress) async throws {
            if progress.attempt < 3 { throw Broken() }
        }

        func finish(_ state: BackOffExecution.State) { states.add(state) }
    }

    @Test func `the work may be a custom type`() async throws {
        let upload = Upload()
        let execution = BackOffExecution(withNoDelay(), work: upload)
        execution.run()
        #expect(try await execution.finished() == .succeeded)
        #expect(execution.attempts == 3 && upload.states.elements == [.succeeded])
    }

    @Test func `attempts receive the interval and the elapsed time`() async throws {
        let seen = Record<BackOffProgress>()
        let execution = execution { progress in
            if seen.add(progress) < 2 { throw Broken() }
        }
        execution.run()
        await clock.untilSleepers()
        #expect(execution.lastInterval == .milliseconds(500))
        clock.advance(by: .seconds(2))
        await clock.untilSleepers()
        clock.advance(by: .milliseconds(750))
        #expect(try await execution.finished() == .succeeded)
        #expect(seen.elements.map(\.attempt) == [1, 2, 3])
        #expect(seen.elements.map(\.lastInterval) == [.zero, .milliseconds(500), .milliseconds(750)])
        #expect(seen.elements.map(\.elapsed) == [.zero, .seconds(2), .milliseconds(2750)])
        clock.advance(by: .seconds(100))
        #expect(execution.elapsed == .milliseconds(2750))
    }

    @Test func `giving up ends the execution as failed`() async throws {
        let execution = execution(withNoDelay().giveUpAfter(maxAttempts: 3)) { _ in throw Broken() }
        execution.run()
        #expect(try await execution.finished() == .failed)
        #expect(execution.attempts == 3)
        #expect(ends.elements == [.failed])
    }

    @Test func `stopping during a delay completes once`() async throws {
        let execution = execution { _ in throw Broken() }
        execution.run()
        await clock.untilSleepers()
        execution.stop()
        execution.stop()
        #expect(execution.state == .stopped)
        #expect(try await execution.finished() == .stopped)
        #expect(clock.sleeperCount == 0)
        #expect(ends.elements == [.stopped])
        #expect(execution.attempts == 1)
    }

    @Test func `stopping cancels the running attempt`() async throws {
        let attempt = EndlessAttempt()
        let execution = execution { _ in _ = try await attempt.run() }
        execution.run()
        await attempt.untilStarted()
        execution.stop()
        #expect(try await execution.finished() == .stopped)
        #expect(attempt.running == 0)
        #expect(ends.elements == [.stopped])
    }

    @Test func `stopping at once completes once`() async throws {
        let execution = execution { _ in }
        execution.run()
        execution.stop()
        #expect(try await execution.finished() == .stopped)
        #expect(ends.elements == [.stopped])
    }

    @Test func `running a running execution has no effect`() async throws {
        let attempt = EndlessAttempt()
        let execution = execution { _ in _ = try await attempt.run() }
        execution.run()
        execution.run()
        execution.reset()
        await attempt.untilStarted()
        execution.stop()
        _ = try await execution.finished()
        #expect(attempt.started == 1)
        #expect(ends.elements.count == 1)
    }

    @Test func `reset and run repeats the work with the same completion`() async throws {
        let execution = execution(withNoDelay().giveUpAfter(maxAttempts: 2)) { _ in throw Broken() }
        execution.run()
        _ = try await execution.finished()
        execution.run()
        #expect(execution.state == .failed)
        execution.reset()
        #expect(try await execution.finished() == .failed)
        #expect(execution.attempts == 2)
        #expect(ends.elements == [.failed, .failed])
    }

    @Test func `a reset right after a stop waits for the old attempt`() async throws {
        let (gate, opening) = AsyncStream<Void>.makeStream()
        let (starts, started) = AsyncStream<Void>.makeStream()
        let steps = Record<String>()
        let execution = execution { _ in
            if steps.add("start") > 0 { return }
            started.yield()
            // Awaited through a task of its own, the gate is deaf to cancelling.
            await Task { for await _ in gate { return } }.value
            steps.add("end")
        }
        execution.run()
        for await _ in starts { break }
        execution.stop()
        execution.reset()
        for _ in 0..<1000 { await Task.yield() }
        opening.yield()
        #expect(try await execution.finished() == .succeeded)
        #expect(steps.elements == ["start", "end", "start"])
        #expect(ends.elements == [.stopped, .succeeded])
    }

    @Test func `several tasks may wait and a cancelled waiter does not stop the execution`() async throws {
        let execution = execution { progress in if progress.attempt < 2 { throw Broken() } }
        execution.run()
        await clock.untilSleepers()
        let waiters = (0..<3).map { _ in Task { try await execution.finished() } }
        waiters[0].cancel()
        await #expect(throws: CancellationError.self) { try await waiters[0].value }
        #expect(execution.state == .running)
        clock.advance(by: .seconds(1))
        #expect(try await waiters[1].value == .succeeded)
        #expect(try await waiters[2].value == .succeeded)
        #expect(ends.elements == [.succeeded])
    }
}
