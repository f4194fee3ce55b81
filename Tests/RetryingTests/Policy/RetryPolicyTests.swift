import Retrying
import TestSupport
import Testing

/// Policies in general: the user's own, and what holds for all of them however they are made.
@Suite(.timeLimit(.minutes(1)))
struct RetryPolicyTests {
    struct Hopeless: Error {}

    /// Counts its failures in `userInfo`, and gives up after the third.
    struct Counting: RetryPolicy {
        func decision(after failure: AttemptFailure, using random: inout some RandomNumberGenerator) -> RetryDecision {
            count(failure) < 3 ? .retry(after: .zero) : .giveUp
        }

        func userInfo(after failure: AttemptFailure) -> (any Sendable)? { count(failure) }

        private func count(_ failure: AttemptFailure) -> Int { (failure.userInfo as? Int ?? 0) + 1 }
    }

    @Test func `a policy carries state between attempts, and each run starts afresh`() async throws {
        let job = Retrier(Counting()).job { throw Broken() }
        for _ in 0..<2 { #expect(await words(of: job).count == 4) }
    }

    /// The example of `RetryPolicy`'s documentation.
    struct Patience: RetryPolicy {
        var delay = Duration.seconds(1)

        func decision(after failure: AttemptFailure, using random: inout some RandomNumberGenerator) -> RetryDecision {
            failure.error is Hopeless ? .giveUp : .retry(after: delay)
        }

        func policy(after failure: AttemptFailure, delay: Duration) -> any RetryPolicy {
            Patience(delay: delay + .seconds(1))
        }
    }

    @Test func `a custom policy carries its history along`() async {
        let clock = ManualClock(advancesItself: true)
        let errors: [any Error] = [Broken(), Broken(), Broken(), Hopeless()]
        let attempts = Record<Void>()
        let job = Retrier(Patience(), clock: clock).job { throw errors[attempts.add(())] }

        let delays = await job.failure().reduce(into: []) { $0.append($1.delay) }

        #expect(delays == [.seconds(1), .seconds(2), .seconds(3), nil])
        #expect(clock.now.offset == .seconds(6))
    }

    /// A policy that answers nonsense.
    struct Nonsense: RetryPolicy {
        var answer: Duration

        func decision(after failure: AttemptFailure, using random: inout some RandomNumberGenerator) -> RetryDecision {
            .retry(after: answer)
        }
    }

    @Test func `a retrier clamps the delays of a policy`() async {
        let clock = ManualClock(advancesItself: true)
        for answer in [Duration.seconds(-5), .seconds(Int64.max)] {
            let job = Retrier(Nonsense(answer: answer), clock: clock).giveUpAfter(maxAttempts: 3).job { throw Broken() }
            let waits = await job.failure().reduce(into: []) { $0.append($1.delay) }
            let limited = answer < .zero ? Duration.zero : .seconds(3_153_600_000)
            #expect(waits == [limited, limited, nil])
        }
    }

    static let usual: [any RetryPolicy] = [
        .exponential(jitter: .none), .exponential(), .exponential(jitter: .decorrelated()), .constant(.seconds(60)),
        .none, .backOff(maxElapsed: .seconds(1_000_000_000)),
        .delays(maxRetryCount: .max), .delays(.custom { .seconds($0 % 61) }, maxRetryCount: .max),
    ]

    @Test(arguments: usual.indices)
    func `a million attempts stay within the bounds`(policy: Int) {
        var count = 0
        var lowest = Duration.seconds(100)
        var highest = Duration.zero
        drive(Self.usual[policy], attempts: 1_000_000, using: SeededRandom()) { delay in
            count += 1
            lowest = min(lowest, delay)
            highest = max(highest, delay)
        }
        #expect(count == 1_000_000)
        #expect(lowest >= .zero)
        #expect(highest <= .seconds(60))
    }

    static let durations: [Duration] = [
        .zero, .nanoseconds(1), .seconds(1), .seconds(-1), .seconds(Int64.max), .seconds(Int64.min),
        Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999),
    ]
    static let numbers: [Double] = [
        0, 1, -1, .infinity, -.infinity, .nan, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
    ]

    @Test func `an exponential policy stays within its cap for any duration`() {
        for slot in Self.durations {
            for cap in Self.durations {
                for jitter in [Jitter.none, .full, .decorrelated()] {
                    expectBounds(.exponential(timeSlot: slot, maxDelay: cap, jitter: jitter), cap: cap)
                }
            }
        }
    }

    @Test(arguments: numbers)
    func `a policy stays within its cap for any number`(number: Double) {
        for cap in Self.durations {
            expectBounds(.exponential(maxDelay: cap, jitter: .decorrelated(growth: number)), cap: cap)
            for other in Self.numbers {
                for initial in Self.durations {
                    expectBounds(
                        .backOff(
                            initial: initial, multiplier: number, randomization: other, maxInterval: cap,
                            maxElapsed: .seconds(Int64.max)), cap: cap)
                }
            }
        }
    }

    @Test(arguments: durations)
    func `a policy without a cap stays within a century for any duration`(duration: Duration) {
        let century = Duration.seconds(3_153_600_000)
        expectBounds(.constant(duration), cap: century)
        expectBounds(.delays(.constant(duration), maxRetryCount: .max), cap: century)
        expectBounds(.delays(.growing(by: duration), maxRetryCount: .max), cap: century)
        expectBounds(.delays(.custom { _ in duration }, maxRetryCount: .max), cap: century)
        expectBounds(.backOff(maxElapsed: duration), cap: .seconds(60))
    }

    /// The delays of the first attempts and of far ones lie between 0 and the cap.
    private func expectBounds(
        _ policy: any RetryPolicy, cap: Duration, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let limit = min(max(cap, .zero), .seconds(3_153_600_000))
        var isWithin = true
        for random in [FixedRandom.lowest, .highest] {
            drive(policy, attempts: 20, using: random) { isWithin = isWithin && $0 >= .zero && $0 <= limit }
        }
        var random = SeededRandom()
        for index in [1_000_000_000, Int.max, -1, Int.min] {
            let failure = AttemptFailure(index: index, elapsed: .seconds(Int64.max), error: Broken())
            guard case .retry(let delay) = policy.decision(after: failure, using: &random) else { continue }
            isWithin = isWithin && delay >= .zero && delay <= limit
        }
        #expect(isWithin, "\(policy)", sourceLocation: sourceLocation)
    }
}
