import Retrying
import TestSupport
import Testing

/// Delays that an error asks for itself.
@Suite(.timeLimit(.minutes(1)))
struct ServerDelayTests {
    struct Busy: Error {
        let pause: Duration?
    }

    private func firstDelay(asked: Duration?, _ retrier: Retrier) async -> Duration? {
        let job = retrier.timed(by: ManualClock(advancesItself: true)).giveUpAfter(maxAttempts: 2).job {
            throw Busy(pause: asked)
        }
        for await failure in job.failure() { return failure.delay }
        return nil
    }

    private var lowest: Retrier {
        withConstantDelay(.seconds(3)).randomized { FixedRandom.lowest }.honouringServerDelay { ($0 as? Busy)?.pause }
    }

    @Test func `the server's delay replaces the policy's`() async {
        #expect(await firstDelay(asked: .seconds(20), lowest) == .seconds(20))
        #expect(await firstDelay(asked: .zero, lowest) == .zero)
    }

    @Test func `the other modifiers receive the server's delay`() async {
        #expect(await firstDelay(asked: .seconds(20), lowest.giveUpAfter(timeout: .seconds(10))) == nil)
    }

    @Test func `jitter is added to the server's delay`() async {
        let highest = lowest.randomized { FixedRandom.highest }
        #expect(await firstDelay(asked: .seconds(20), highest) == .seconds(20.5))
        #expect(await firstDelay(asked: .zero, highest) == .seconds(0.5))
    }

    @Test func `without a server's delay the policy decides`() async {
        #expect(await firstDelay(asked: nil, lowest) == .seconds(3))
    }

    @Test func `a server's delay is respected up to the cap, and beyond it the run fails`() async {
        #expect(await firstDelay(asked: .seconds(60), lowest) == .seconds(60))
        #expect(await firstDelay(asked: .seconds(61), lowest) == nil)
    }

    @Test func `a negative delay is zero`() async {
        #expect(await firstDelay(asked: .seconds(-7), lowest) == .zero)
    }

    @Test func `the longest of several server delays is used`() async {
        let retrier = lowest.honouringServerDelay { _ in .seconds(5) }
        #expect(await firstDelay(asked: .seconds(2), retrier) == .seconds(5))
        #expect(await firstDelay(asked: .seconds(9), retrier) == .seconds(9))
    }

    @Test func `a policy that gives up overrides the server's delay`() async {
        let retrier = Retrier(.delays(maxRetryCount: 0)).honouringServerDelay { _ in .seconds(1) }
        #expect(await firstDelay(asked: .seconds(1), retrier) == nil)
    }
}
