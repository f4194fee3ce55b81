import Retrying
import Testing

struct DelaysPolicyTests {
    @Test func secondsAreTheSameEveryTime() {
        #expect(delays(of: .delays()) == [.seconds(3), .seconds(3), .seconds(3)])
    }

    @Test func accumulatedDelaysGrowByOneInterval() {
        let policy = DelaysPolicy(.accumulated(.seconds(2)), maxRetryCount: 4)
        #expect(delays(of: policy) == [2, 4, 6, 8].map { .seconds($0) })
    }

    @Test func customDelaysComeFromTheFunction() {
        let policy = DelaysPolicy(.custom { .seconds($0 * $0 - 1) }, maxRetryCount: 4)
        #expect(delays(of: policy) == [0, 0, 3, 8].map { .seconds($0) })
    }

    @Test(arguments: [0, -1, Int.min])
    func noCountMeansNoRetry(count: Int) {
        #expect(delays(of: .delays(maxRetryCount: count)).isEmpty)
    }

    @Test func theCountIsOfAttemptsEvenWhenThePolicyStartedAfresh() {
        var random = FixedRandom.lowest
        let failure = AttemptFailure(index: 3, step: 0, error: Broken())
        #expect(DelaysPolicy(maxRetryCount: 3).decision(after: failure, using: &random) == .giveUp)
    }
}
