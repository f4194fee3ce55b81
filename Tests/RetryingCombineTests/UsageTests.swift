import RetryingCombine
import TestSupport
import Testing

/// The library as users of its model type it, topic by topic.
@Suite(.timeLimit(.minutes(1)))
struct UsageTests {
    private func fetch() async throws -> String { "page" }

    @Test func `a retrier with all options serves a fetcher and a poller`() async throws {
        let conditionPublisher: AnyPublisher<Bool, Never> = Just(true).eraseToAnyPublisher()
        let retrier = withExponentialBackoff()
            .onlyWhen(conditionPublisher)
            .giveUpAfter(maxAttempts: 10)
            .giveUpAfter(timeout: 30)
            .giveUpOnErrors {
                $0 is Fatal
            }

        let fetcher = retrier.job { try await fetch() }
        let poller = retrier.repeating(withDelay: 0).job { try await fetch() }

        #expect(try await fetcher.value == "page")
        let heard = Recorder<String>()
        let cancellable = poller.success().prefix(3).sink { heard.add($0) }
        await heard.until(count: 3)
        #expect(heard.all == ["page", "page", "page"])
        withExtendedLifetime(cancellable) {}
    }

    @Test func `entry points take numbers of seconds`() async throws {
        let retriers = [
            withExponentialBackoff(timeSlot: 0.1, maxDelay: 2, jitter: .decorrelated(growthFactor: 2)),
            withExponentialBackoff(jitter: .none), withConstantDelay(), withConstantDelay(0.5), withNoDelay(),
            Retrier(policy: ConstantDelayRetryPolicy(delay: 0), conditionPublisher: nil),
            Retrier(policy: ExponentialBackoffRetryPolicy(), conditionPublisher: Just(true).eraseToAnyPublisher()),
        ]
        for retrier in retriers { #expect(try await retrier.job { 7 }.value == 7) }
    }

    @Test func `several handlers hear a job's events, with and without the event`() async throws {
        let (lines, calls) = (Recorder<String>(), Recorder<String>())
        let fetcher = withNoDelay().giveUpAfter(maxAttempts: 2).job { () -> Int in throw Broken() }
            .handleRetrierEvents {
                switch $0 {
                case .attemptSuccess(let value):
                    lines.add("fetched \(value)")
                case .attemptFailure(let failure):
                    lines.add("attempt #\(failure.index) failed with \(failure.error)")
                case .completion(let error):
                    lines.add("completed with \(error.map { "\($0)" } ?? "no error")")
                }
            }.handleRetrierEvents {
                calls.add("fun")
            }
        await #expect(throws: Broken()) { try await fetcher.value }
        #expect(
            lines.all == [
                "attempt #0 failed with Broken(code: 0)", "attempt #1 failed with Broken(code: 0)",
                "completed with Broken(code: 0)",
            ])
        #expect(calls.all == ["fun", "fun", "fun"])
    }

    @Test func `a job is a publisher, and has filters for each kind of event`() async {
        let attempts = Attempts(failing: 2)
        let fetcher = withNoDelay().job(attempts.run)
        let (heard, values, indexes, ends) = (Heard(), Recorder<Int>(), Recorder<UInt>(), Recorder<Bool>())
        var cancellables: Set<AnyCancellable> = []
        heard.subscribe(to: fetcher).store(in: &cancellables)
        await heard.untilFinished()
        let again = withNoDelay().job(Attempts(failing: 2).run)
        again.success().sink { values.add($0) }.store(in: &cancellables)
        await values.until(count: 1)
        let failing = withNoDelay().giveUpAfter(maxAttempts: 3).job(Attempts(failing: 9).run)
        failing.failure().sink { indexes.add($0.index) }.store(in: &cancellables)
        failing.completion().sink { ends.add($0 is Broken) }.store(in: &cancellables)
        await indexes.until(count: 3)
        await ends.until(count: 1)
        #expect(
            heard.all == [
                "failure 0 Broken(code: 1)", "failure 1 Broken(code: 2)", "success 3", "completion", "finished",
            ])
        #expect(values.all == [3] && indexes.all == [0, 1, 2] && ends.all == [true])
    }

    @Test func `filters and handlers go on any publisher of events`() async {
        let (values, calls) = (Recorder<Int>(), Recorder<String>())
        let job = withNoDelay().job { 7 }
        let cancellable = job.eraseToAnyPublisher().handleRetrierEvents { calls.add(words($0)) }.success()
            .sink { values.add($0) }
        await calls.until(count: 2)
        #expect(values.all == [7] && calls.all == ["success 7", "completion"])
        withExtendedLifetime(cancellable) {}
    }

    /// A policy that waits one second longer after each failure.
    private struct LinearPolicy: RetryPolicy {
        var delay: Double = 1

        func retryDelay(for attemptFailure: AttemptFailure) -> Double { delay }

        func shouldRetry(on attemptFailure: AttemptFailure) -> RetryDecision {
            attemptFailure.error is Fatal ? .giveUp : .retry(delay: retryDelay(for: attemptFailure))
        }

        func policyAfter(attemptFailure: AttemptFailure, delay: Double) -> any RetryPolicy {
            LinearPolicy(delay: delay + 1)
        }
    }

    private func withLinearDelay() -> Retrier { Retrier(policy: LinearPolicy(), conditionPublisher: nil) }

    @Test func `a policy of one's own has an entry point and all modifiers`() async throws {
        let clock = ManualClock(advancesItself: true)
        let attempts = Attempts(failing: 9)
        let job = withLinearDelay().timed(by: clock).giveUpAfter(maxAttempts: 4).job(attempts.run)
        await #expect(throws: Broken(code: 4)) { try await job.value }
        #expect(clock.now.offset == .seconds(1 + 2 + 3))
        await #expect(throws: Fatal.self) { try await withLinearDelay().job { throw Fatal() }.value }
    }

    @Test @MainActor func `the isolation of work and handlers is the caller's choice`() async throws {
        let screen = Screen()
        let value = try await withNoDelay().job { @MainActor in
            screen.lines.append("work")
            return isOnMainQueue()
        }.handleRetrierEvents { screen.lines.append(words($0)) }.value
        #expect(value)
        #expect(screen.lines == ["work", "success true", "completion"])
        #expect(try await withNoDelay().job { isOnMainQueue() }.value == false)
    }

    @MainActor private final class Screen {
        var lines: [String] = []
        var isFinal = true

        func give() -> Retrier { withNoDelay().giveUpOnErrors { [self] _ in isFinal } }
    }

    @Test @MainActor func `criteria may read the state of the main actor`() async {
        await #expect(throws: Broken(code: 1)) { try await Screen().give().job(Attempts(failing: 9).run).value }
    }
}
