import Retrying
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RetryJobTests {
    let clock = ManualClock()

    @Test func `a job makes no attempt before it is read`() async {
        let attempts = Record<Void>()
        let job = withNoDelay().job { attempts.add(()) }
        let iterator = job.makeAsyncIterator()
        #expect(attempts.elements.isEmpty)
        withExtendedLifetime(iterator) {}
    }

    @Test func `an attempt waits until the reader asks for the next event`() async {
        let attempts = Record<Void>()
        var iterator = withNoDelay().job { throw Broken(code: attempts.add(())) }.makeAsyncIterator()
        _ = await iterator.next()
        #expect(attempts.elements.count == 1)
        _ = await iterator.next()
        #expect(attempts.elements.count == 2)
    }

    @Test func `each subscription is a separate run`() async throws {
        let attempts = Record<Void>()
        let job = withNoDelay().job { attempts.add(()) }
        #expect(try await job.value == 0)
        #expect(try await job.value == 1)
        #expect(await words(of: job) == ["success 2", "completion"])
    }

    @Test func `nothing follows the completion`() async {
        var iterator = withNoDelay().job {}.makeAsyncIterator()
        #expect(await iterator.next().map(words) == "success ()")
        #expect(await iterator.next().map(words) == "completion")
        #expect(await iterator.next() == nil)
        #expect(await iterator.next() == nil)
    }

    @Test func `each filter selects one kind of event`() async {
        let attempts = Record<Void>()
        let job = withNoDelay().giveUpAfter(maxAttempts: 3).job {
            let index = attempts.add(())
            if index % 3 != 2 { throw Broken(code: index) }
            return index
        }
        #expect(await job.success().reduce(into: []) { $0.append($1) } == [2])
        #expect(await job.failure().reduce(into: []) { $0.append($1.index) } == [0, 1])
        let ends = await job.completion().reduce(into: []) { $0.append($1) }
        #expect(ends.count == 1 && ends.first.flatMap { $0 } == nil)
    }

    @Test func `cancelling before the start makes no attempt`() async {
        let attempts = Record<Void>()
        let job = withNoDelay().job { attempts.add(()) }
        let reader = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await words(of: job)
        }
        #expect(await reader.value == ["completion CancellationError()"])
        #expect(attempts.elements.isEmpty)
    }

    @Test func `cancelling during an attempt ends it and completes once`() async {
        let attempt = EndlessAttempt()
        let job = withNoDelay().job { try await attempt.run() }
        let reader = Task { await words(of: job) }
        await attempt.untilStarted()

        reader.cancel()
        reader.cancel()

        #expect(await reader.value == ["completion CancellationError()"])
        #expect(attempt.running == 0)
        #expect(attempt.started == 1)
    }

    @Test func `cancelling during a delay ends it at once`() async {
        let job = withConstantDelay().timed(by: clock).job { throw Broken() }
        let reader = Task { await words(of: job) }
        await clock.untilSleepers()

        reader.cancel()

        #expect(
            await reader.value == ["failure 0 Broken(code: 0) wait 1.0 seconds", "completion CancellationError()"])
        #expect(clock.sleeperCount == 0)
    }

    @Test func `cancelling one of several waiters does not affect the others`() async throws {
        let attempts = Record<Void>()
        let job = withConstantDelay().timed(by: clock).job {
            let index = attempts.add(())
            if index < 4 { throw Broken(code: index) }
            return "done"
        }
        let waiters = (0..<4).map { _ in Task { try await job.value } }
        await clock.untilSleepers(4)

        waiters[1].cancel()
        waiters[2].cancel()
        await #expect(throws: CancellationError.self) { try await waiters[1].value }
        await #expect(throws: CancellationError.self) { try await waiters[2].value }
        #expect(clock.sleeperCount == 2)

        clock.advance(by: .seconds(1))
        #expect(try await waiters[0].value == "done")
        #expect(try await waiters[3].value == "done")
        #expect(attempts.elements.count == 6)
        #expect(clock.sleeperCount == 0)
    }

    @Test func `a value returned after cancelling is not lost`() async throws {
        let attempt = EndlessAttempt()
        let job = withNoDelay().job { (try? await attempt.run()) ?? 9 }
        let reader = Task { try await job.value }
        await attempt.untilStarted()
        reader.cancel()
        #expect(try await reader.value == 9)
    }

    @Test func `a running attempt is aborted at the timeout only if requested`() async {
        let attempt = EndlessAttempt()
        let job = withNoDelay().timed(by: clock).giveUpAfter(timeout: .seconds(5), abortingAttempt: true)
            .job { try await attempt.run() }
        let reader = Task { await words(of: job) }
        await attempt.untilStarted()
        await clock.untilSleepers()

        clock.advance(by: .seconds(5))

        #expect(await reader.value == ["failure 0 timedOut", "completion timedOut"])
        #expect(attempt.running == 0)
    }

    @Test func `an attempt that ends in time cancels the timer`() async throws {
        let job = withNoDelay().timed(by: clock).giveUpAfter(timeout: .seconds(5), abortingAttempt: true).job { 3 }
        #expect(try await job.value == 3)
        #expect(clock.sleeperCount == 0)
    }

    @Test func `handlers of a job receive typed events and one completion`() async throws {
        let (first, second) = (Record<String>(), Record<String>())
        let job = withNoDelay().handleRetrierEvents { first.add("retrier " + words($0)) }.job { 7 }
            .handleRetrierEvents { first.add("job " + words($0)) }
            .handleRetrierEvents { event in if case .attemptSuccess(let value) = event { second.add("\(value + 1)") } }
        #expect(try await job.value == 7)
        #expect(first.elements == ["retrier success 7", "job success 7", "retrier completion", "job completion"])
        #expect(second.elements == ["8"])
    }
}
