import Retrying
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DelayRetryStrategyTests {
    private func run(_ strategy: some RetryStrategy) async -> [String] {
        let retrier = strategy.retrier(for: "a.example").timed(by: ManualClock(advancesItself: true))
        return await words(of: retrier.job { () throws -> Int in throw Broken() })
    }

    @Test func `the default interval between retries is three seconds`() async {
        #expect(
            await run(DelayRetryStrategy(maxRetryCount: 1)) == [
                "failure 0 Broken(code: 0) wait 3.0 seconds", "failure 1 Broken(code: 0)",
                "completion Broken(code: 0)",
            ])
    }

    @Test func `accumulated delays grow by the interval`() async {
        let all = await run(DelayRetryStrategy(maxRetryCount: 2, retryInterval: .accumulated(2)))
        #expect(all.prefix(2).map { String($0.suffix(11)) } == ["2.0 seconds", "4.0 seconds"])
    }

    @Test(arguments: [0, -1, Int.min]) func `a count of zero or less allows no retry`(count: Int) async {
        #expect(await run(DelayRetryStrategy(maxRetryCount: count)).count == 2)
    }
}
