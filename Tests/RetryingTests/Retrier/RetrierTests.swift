import Retrying
import TestSupport
import Testing

/// The modifiers that say when to stop and how long to wait, on a clock that moves itself.
@Suite(.timeLimit(.minutes(1)))
struct RetrierTests {
    let clock = ManualClock(advancesItself: true)

    private func failing(_ retrier: Retrier) async -> [String] {
        let attempts = Record<Void>()
        return await words(of: retrier.timed(by: clock).job { throw Broken(code: attempts.add(())) })
    }

    @Test func `the first attempt starts at once and a success ends the run`() async {
        let job = withConstantDelay().timed(by: clock).job { 7 }
        #expect(await words(of: job) == ["success 7", "completion"])
        #expect(clock.now.offset == .zero)
    }

    @Test func `failures are retried until a success`() async throws {
        let attempts = Record<Void>()
        let job = withExponentialBackoff(jitter: .none).timed(by: clock).job {
            let index = attempts.add(())
            if index < 3 { throw Broken(code: index) }
            return index
        }
        #expect(try await job.value == 3)
        #expect(clock.now.offset == .seconds(3.5))
    }

    @Test func `maxAttempts includes the first attempt`() async {
        #expect(
            await failing(withNoDelay().giveUpAfter(maxAttempts: 2)) == [
                "failure 0 Broken(code: 0) wait 0.0 seconds", "failure 1 Broken(code: 1)",
                "completion Broken(code: 1)",
            ])
    }

    @Test(arguments: [0, -1, Int.min])
    func `a maxAttempts of zero or less makes no attempt`(count: Int) async {
        #expect(await failing(withNoDelay().giveUpAfter(maxAttempts: count)) == ["completion noAttemptLeft"])
    }

    @Test func `the strictest limit applies in any order`() async {
        for counts in [[2, 5], [5, 2]] {
            let retrier = counts.reduce(withNoDelay()) { $0.giveUpAfter(maxAttempts: $1) }
            #expect(await failing(retrier).count == 3)
        }
    }

    @Test func `a run gives up when the next attempt would start at its timeout`() async {
        let events = await failing(withConstantDelay(.seconds(2)).giveUpAfter(timeout: .seconds(4)))
        #expect(events.count == 3)
        #expect(events.last == "completion Broken(code: 1)")
        #expect(clock.now.offset == .seconds(2))
    }

    @Test func `times may be numbers of seconds`() async {
        let (limited, repeated) = (ManualClock(advancesItself: true), ManualClock(advancesItself: true))
        let attempts = Record<Void>()
        let giving = withConstantDelay(.seconds(2)).giveUpAfter(timeout: 3.5).timed(by: limited).job { throw Broken() }
        #expect(await words(of: giving).count == 3 && limited.now.offset == .seconds(2))
        let poller = withNoDelay().repeating(withDelay: 30).giveUpAfter(maxAttempts: 1).timed(by: repeated).job {
            if attempts.add(()) == 2 { throw Broken() }
        }
        #expect(await words(of: poller).count == 4 && repeated.now.offset == .seconds(60))
    }

    @Test func `final errors are not retried`() async {
        let retrier = withNoDelay().giveUpOnErrors { ($0 as? Broken)?.code == 2 }
        #expect(await failing(retrier).last == "completion Broken(code: 2)")
    }

    @Test func `a custom rule receives failure and delay`() async {
        let retrier = withExponentialBackoff(jitter: .none).giveUp { failure, delay in
            failure.index == 3 && failure.elapsed == .seconds(3.5) && delay == .seconds(4)
        }
        #expect(await failing(retrier).last == "completion Broken(code: 3)")
    }

    @Test func `cancellation errors are never retried`() async {
        let job = withNoDelay().job { throw CancellationError() }
        #expect(
            await words(of: job) == ["failure 0 CancellationError()", "completion CancellationError()"])
    }

    @Test func `a run ends with the newest error`() async {
        let attempts = Record<Void>()
        let job = withNoDelay().giveUpAfter(maxAttempts: 3).job { throw Broken(code: attempts.add(())) }
        await #expect(throws: Broken(code: 2)) { try await job.value }
    }

    @Test func `handlers receive every event in order`() async {
        let seen = Record<String>()
        let retrier = withNoDelay().giveUpAfter(maxAttempts: 2).handleRetrierEvents { seen.add(words($0)) }
        let told = await failing(retrier)
        #expect(seen.elements == told)
        #expect(told.count == 3)
    }

    @Test func `event handlers see each failure, the success and the completion of a job`() async throws {
        let seen = Record<String>()
        let attempts = Record<Void>()
        let retrier = withConstantDelay(.seconds(2)).timed(by: clock).handleRetrierEvents { seen.add(words($0)) }
        let value = try await retrier.job {
            let index = attempts.add(())
            if index == 0 { throw Broken(code: index) }
            return index
        }.value
        #expect(value == 1)
        #expect(seen.elements == ["failure 0 Broken(code: 0) wait 2.0 seconds", "success 1", "completion"])
    }

    @Test func `the duration of the first attempt counts towards the timeout`() async {
        let attempts = Record<Void>()
        let job = withConstantDelay().giveUpAfter(timeout: .seconds(4)).timed(by: clock).job { [clock] in
            clock.advance(by: .seconds(3))
            throw Broken(code: attempts.add(()))
        }
        await #expect(throws: Broken(code: 0)) { try await job.value }
    }

    @Test func `a cancelled reader of a value makes no attempt`() async {
        let attempts = Record<Void>()
        let job = withNoDelay().job { attempts.add(()) }
        let reading = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await job.value
        }
        await #expect(throws: CancellationError.self) { try await reading.value }
        #expect(attempts.elements.isEmpty)
    }

    @Test func `repeating restarts attempts and delays`() async {
        let attempts = Record<Void>()
        let job = withExponentialBackoff(jitter: .none).repeating(withDelay: .seconds(10)).giveUpAfter(maxAttempts: 3)
            .timed(by: clock).job {
                let count = attempts.add(())
                if count != 2 { throw Broken(code: count) }
            }
        #expect(
            await words(of: job) == [
                "failure 0 Broken(code: 0) wait 0.5 seconds", "failure 1 Broken(code: 1) wait 1.0 seconds",
                "success ()",
                "failure 0 Broken(code: 3) wait 0.5 seconds", "failure 1 Broken(code: 4) wait 1.0 seconds",
                "failure 2 Broken(code: 5)", "completion Broken(code: 5)",
            ])
        #expect(clock.now.offset == .seconds(13))
    }

    @Test func `randomness comes from the given generator`() async {
        let retrier = withExponentialBackoff().giveUpAfter(maxAttempts: 6)
        let first = await failing(retrier.randomized { SeededRandom(seed: 5) })
        let same = await failing(retrier.randomized { SeededRandom(seed: 5) })
        let other = await failing(retrier.randomized { SeededRandom(seed: 6) })
        #expect(first == same)
        #expect(first != other)
    }
}
