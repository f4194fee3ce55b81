import Retrying
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DelaysPolicyTests {
    @Test func `delays in seconds are constant`() {
        #expect(delays(of: .delays()) == [.seconds(3), .seconds(3), .seconds(3)])
    }

    @Test func `accumulated delays grow by one interval`() {
        let policy = DelaysPolicy(.accumulated(2), maxRetryCount: 4)
        #expect(delays(of: policy) == [2, 4, 6, 8].map { .seconds($0) })
    }

    @Test func `custom delays are those of the function`() {
        let policy = DelaysPolicy(.custom { .seconds($0 * $0 - 1) }, maxRetryCount: 4)
        #expect(delays(of: policy) == [0, 0, 3, 8].map { .seconds($0) })
    }

    @Test(arguments: [0, -1, Int.min])
    func `a count of zero or less allows no retry`(count: Int) {
        #expect(delays(of: .delays(maxRetryCount: count)).isEmpty)
    }

    @Test func `the count includes attempts before the policy was restarted`() {
        var random = FixedRandom.lowest
        let failure = AttemptFailure(index: 3, step: 0, error: Broken())
        #expect(DelaysPolicy(maxRetryCount: 3).decision(after: failure, using: &random) == .giveUp)
    }
}
