import Retrying
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ExponentialPolicyTests {
    @Test func `without jitter delays double up to the cap`() {
        let policy = ExponentialPolicy(timeSlot: .milliseconds(100), maxDelay: .seconds(1), jitter: .none)
        #expect(delays(of: policy, count: 6) == [100, 200, 400, 800, 1000, 1000].map { .milliseconds($0) })
    }

    @Test func `with full jitter delays lie between zero and the doubled slot`() {
        #expect(delays(of: .exponential(), using: FixedRandom.lowest) == Array(repeating: .zero, count: 8))
        #expect(
            delays(of: .exponential(), using: FixedRandom.highest)
                == [0.5, 1, 2, 4, 8, 16, 32, 60].map { .seconds($0) })
    }

    @Test func `with decorrelated jitter the upper bound is a multiple of the previous delay`() {
        let policy = ExponentialPolicy(jitter: .decorrelated())
        #expect(
            delays(of: policy, using: FixedRandom.highest)
                == [0.5, 1.5, 4.5, 13.5, 40.5, 60, 60, 60].map { .seconds($0) })
        #expect(
            delays(of: policy, count: 3, using: FixedRandom.lowest) == [.zero, .milliseconds(500), .milliseconds(500)])
    }

    @Test func `decorrelated jitter grows from the actual delay`() throws {
        let failure = AttemptFailure(index: 0, error: Broken())
        let policy = ExponentialPolicy(jitter: .decorrelated()).policy(after: failure, delay: .seconds(7))
        var random = FixedRandom.highest
        #expect(
            policy.decision(after: AttemptFailure(index: 1, error: Broken()), using: &random)
                == .retry(after: .seconds(21)))
    }

    @Test(arguments: [1_000_000_000, Int.max, -1, Int.min])
    func `extreme attempt numbers have a delay`(step: Int) {
        var random = FixedRandom.highest
        let failure = AttemptFailure(index: step, error: Broken())
        let expected: Duration = step < 0 ? .milliseconds(500) : .seconds(60)
        for jitter in [Jitter.none, .full, .decorrelated()] {
            let policy = ExponentialPolicy(jitter: jitter)
            #expect(policy.decision(after: failure, using: &random) == .retry(after: expected))
        }
    }

    @Test func `a slot of zero has no delay`() {
        let policy = ExponentialPolicy(timeSlot: .zero, jitter: .none)
        #expect(delays(of: policy, count: 2000).allSatisfy { $0 == .zero })
    }
}
