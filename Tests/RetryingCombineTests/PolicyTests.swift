import Foundation
import RetryingCombine
import TestSupport
import Testing

/// Policies: those of the module, those of users, and their chains.
@Suite(.timeLimit(.minutes(1)))
struct PolicyTests {
    let clock = ManualClock(advancesItself: true)

    /// What a policy was told, in words.
    private struct TracingPolicy: RetryPolicy {
        let trace: Recorder<String>
        var history: [Double] = []

        func retryDelay(for attemptFailure: AttemptFailure) -> Double { Double(history.count + 1) }

        func policyAfter(attemptFailure: AttemptFailure, delay: Double) -> any RetryPolicy {
            trace.add("after \(attemptFailure.index) \(delay), before that \(history)")
            return TracingPolicy(trace: trace, history: history + [delay])
        }
    }

    @Test func `a chain of policies carries its history, and each run starts with the first`() async {
        let trace = Recorder<String>()
        let retrier = Retrier(policy: TracingPolicy(trace: trace), conditionPublisher: nil).timed(by: clock)
            .giveUpAfter(maxAttempts: 3)
        for _ in 0..<2 {
            await #expect(throws: Broken(code: 3)) { try await retrier.job(Attempts(failing: 9).run).value }
        }
        let lines = ["after 0 1.0, before that []", "after 1 2.0, before that [1.0]"]
        #expect(trace.all == lines + lines)
        #expect(clock.now.offset == .seconds(6))
    }

    /// A policy that implements what the newest version of the model asks for.
    private struct DecidingPolicy: RetryPolicy {
        let places: Recorder<Bool>

        @MainActor func shouldRetry(on attemptFailure: AttemptFailure) -> RetryDecision {
            places.add(isOnMainQueue())
            return attemptFailure.index == 2 ? .giveUp : .retry(delay: -1)
        }

        @MainActor func policyAfter(attemptFailure: AttemptFailure, delay: TimeInterval) -> any RetryPolicy {
            places.add(isOnMainQueue())
            return self
        }
    }

    @Test func `policies are asked on the main queue`() async {
        let (places, heard) = (Recorder<Bool>(), Heard())
        let retrier = Retrier(policy: DecidingPolicy(places: places), conditionPublisher: nil)
        await #expect(throws: Broken(code: 3)) { try await retrier.job(Attempts(failing: 9).run).value }
        let cancellable = heard.subscribe(to: retrier.job(Attempts(failing: 9).run))
        await heard.untilFinished()
        #expect(places.all == Array(repeating: true, count: 10))
        withExtendedLifetime(cancellable) {}
    }

    @Test func `a policy that implements nothing retries every second`() async throws {
        struct PlainPolicy: RetryPolicy {}
        let job = Retrier(policy: PlainPolicy(), conditionPublisher: nil).timed(by: clock).job(Attempts(failing: 3).run)
        #expect(try await job.value == 4)
        #expect(clock.now.offset == .seconds(3))
    }

    @Test func `policies have the modifiers of retriers`() async {
        let policy = ConstantDelayRetryPolicy(delay: 1)
        let limits: [(any RetryPolicy, Int)] = [
            (policy.giveUpAfter(maxAttempts: 3), 3), (policy.giveUpAfter(maxAttempts: 0), 1),
            (policy.giveUpAfter(timeout: 2.5), 3),
            (policy.giveUpOnErrors { ($0 as? Broken)?.code == 2 }, 2),
            (policy.giveUp { failure, delay in failure.index == 3 && delay == 1 }, 4),
            (policy.giveUpAfter(maxAttempts: 5).giveUpAfter(maxAttempts: 2), 2),
        ]
        for (policy, count) in limits {
            let (attempts, clock) = (Attempts(failing: 99), ManualClock(advancesItself: true))
            let job = Retrier(policy: policy, conditionPublisher: nil).timed(by: clock).job(attempts.run)
            await #expect(throws: Broken(code: count)) { try await job.value }
        }
    }

    @Test func `limits of retriers add up, and the strictest applies`() async {
        let attempts = Attempts(failing: 99)
        let job = withConstantDelay().timed(by: clock).giveUpAfter(maxAttempts: 9).giveUpAfter(timeout: 4)
            .giveUpAfter(maxAttempts: 7).job(attempts.run)
        await #expect(throws: Broken(code: 4)) { try await job.value }
    }

    /// Returns the delays after the first failures.
    private func delays(of retrier: Retrier, count: Int) async -> [Double] {
        let seen = Recorder<Double>()
        let job = retrier.timed(by: clock).giveUp { failure, delay in
            seen.add(delay)
            return failure.index >= count - 1
        }.job(Attempts(failing: 99).run)
        _ = try? await job.value
        return seen.all
    }

    @Test func `exponential delays double up to the maximum`() async {
        let doubling = withExponentialBackoff(timeSlot: 0.5, maxDelay: 3, jitter: .none)
        #expect(await delays(of: doubling, count: 5) == [0.5, 1, 2, 3, 3])
        let defaults = await delays(of: withExponentialBackoff(jitter: .none), count: 9)
        #expect(defaults.first == 0.5 && defaults.suffix(2) == [60, 60])
    }

    @Test func `jitter stays within its bounds and varies`() async {
        let full = await delays(of: withExponentialBackoff(), count: 40)
        for (index, delay) in full.enumerated() { #expect((0...min(60, 0.5 * pow(2, Double(index)))).contains(delay)) }
        #expect(Set(full).count > 20)
        let decorrelated = await delays(of: withExponentialBackoff(jitter: .decorrelated()), count: 40)
        for (previous, delay) in zip(decorrelated, decorrelated.dropFirst()) {
            #expect((0.5...max(0.5, min(60, 3 * previous)) + 1e-6).contains(delay))
        }
        #expect(Set(decorrelated).count > 20)
    }

    @Test func `a constant delay is the same every time, 1 s by default`() async {
        #expect(await delays(of: withConstantDelay(), count: 3) == [1, 1, 1])
        #expect(await delays(of: withConstantDelay(0.25), count: 3) == [0.25, 0.25, 0.25])
        #expect(await delays(of: withNoDelay(), count: 3) == [0, 0, 0])
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, -1, 1e300])
    func `delays that are no times do no harm`(delay: Double) async {
        let job = withConstantDelay(delay).timed(by: clock).giveUpAfter(maxAttempts: 2).job(Attempts(failing: 9).run)
        await #expect(throws: Broken(code: 2)) { try await job.value }
        #expect(clock.now.offset >= .zero)
    }

    @Test func `the failures of a trial have the same start, those of the next a later one`() async {
        let (starts, condition) = (Recorder<Date>(), CurrentValueSubject<Bool, Never>(true))
        let manual = ManualClock()
        let job = withConstantDelay(1).timed(by: manual).onlyWhen(condition).job(Attempts(failing: 99).run)
        let before = Date()
        let cancellable = job.failure().sink { starts.add($0.trialStart) }
        await manual.untilSleepers()
        manual.advance(by: .seconds(1))
        await manual.untilSleepers()
        condition.send(false)
        await manual.untilNoSleepers()
        manual.advance(by: .seconds(9))
        condition.send(true)
        await starts.until(count: 3)
        let seen = starts.all
        #expect(seen[0] == seen[1] && seen[0] >= before && seen[0] < Date() + 1)
        #expect(abs(seen[2].timeIntervalSince(seen[0]) - 10) < 0.001)
        withExtendedLifetime(cancellable) {}
    }
}
