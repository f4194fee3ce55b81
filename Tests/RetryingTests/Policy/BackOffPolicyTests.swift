import Retrying
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct BackOffPolicyTests {
    @Test func `the interval grows by the multiplier`() {
        let policy = BackOffPolicy(initial: .seconds(1), multiplier: 2, randomization: 0)
        #expect(delays(of: policy, count: 4) == [1, 2, 4, 8].map { .seconds($0) })
    }

    @Test func `jitter is centred on the interval`() {
        let policy = BackOffPolicy(initial: .seconds(1), multiplier: 2, randomization: 0.25)
        #expect(delays(of: policy, count: 2, using: FixedRandom.lowest) == [.seconds(0.75), .seconds(1.5)])
        #expect(delays(of: policy, count: 2, using: FixedRandom.highest) == [.seconds(1.25), .seconds(2.5)])
    }

    @Test func `jitter remains when the interval is capped`() {
        let policy = BackOffPolicy(maxElapsed: .seconds(1_000_000))
        #expect(delays(of: policy, count: 100, using: FixedRandom.lowest).last == .seconds(30))
        #expect(delays(of: policy, count: 100, using: FixedRandom.highest).last == .seconds(60))
    }

    @Test func `the policy gives up when the next attempt would start too late`() {
        let policy = BackOffPolicy(
            initial: .seconds(1), multiplier: 1, randomization: 0, maxElapsed: .seconds(3))
        #expect(delays(of: policy, count: 100) == [.seconds(1), .seconds(1)])
    }

    @Test func `time spent in attempts counts towards the limit`() {
        var random = FixedRandom.lowest
        let late = AttemptFailure(index: 0, elapsed: .seconds(900), error: Broken())
        #expect(BackOffPolicy().decision(after: late, using: &random) == .giveUp)
    }
}
