import Retrying
import TestSupport
import Testing

/// The spread of 10⁵ seeded draws against that of an even distribution.
@Suite(.timeLimit(.minutes(1)))
struct JitterTests {
    private static let drawCount = 100_000

    @Test func `full jitter is uniform from zero to the bound`() {
        let draws = draw(ExponentialPolicy(timeSlot: .seconds(8), jitter: .full), index: 0)
        expectEven(draws, from: 0, to: 8)
    }

    @Test func `full jitter is uniform when the cap is reached`() {
        let draws = draw(ExponentialPolicy(maxDelay: .seconds(10), jitter: .full), index: 1000)
        expectEven(draws, from: 0, to: 10)
    }

    @Test func `decorrelated jitter is uniform from the slot to a multiple of the previous delay`() {
        let failure = AttemptFailure(index: 0, error: Broken())
        let policy = ExponentialPolicy(timeSlot: .seconds(2), jitter: .decorrelated(growth: 3))
        expectEven(draw(policy.policy(after: failure, delay: .seconds(4)), index: 1), from: 2, to: 12)
    }

    @Test func `back-off jitter is uniform around its interval`() {
        expectEven(draw(BackOffPolicy(initial: .seconds(10), randomization: 0.5), index: 0), from: 5, to: 15)
    }

    @Test func `without jitter every delay is the same`() {
        #expect(Set(draw(ExponentialPolicy(jitter: .none), index: 3)) == [4])
    }

    private func draw(_ policy: any RetryPolicy, index: Int) -> [Double] {
        var random = SeededRandom(seed: 42)
        let failure = AttemptFailure(index: index, error: Broken())
        return (0..<Self.drawCount).compactMap { _ in
            guard case .retry(let delay) = policy.decision(after: failure, using: &random) else { return nil }
            return delay / .seconds(1)
        }
    }

    /// Of n even draws the mean strays by width/√(12n), about 0.1 % of the width, and the extremes by width/n.
    private func expectEven(
        _ draws: [Double], from low: Double, to high: Double, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let width = high - low
        let mean = draws.reduce(0, +) / Double(draws.count)
        let belowQuarter = draws.count { $0 < low + width / 4 }
        #expect(draws.count == Self.drawCount, sourceLocation: sourceLocation)
        #expect(abs(mean - (low + high) / 2) < 0.005 * width, sourceLocation: sourceLocation)
        #expect(abs(Double(belowQuarter) / Double(draws.count) - 0.25) < 0.01, sourceLocation: sourceLocation)
        #expect(draws.allSatisfy { (low...high).contains($0) }, sourceLocation: sourceLocation)
        #expect((draws.min() ?? high) < low + 0.001 * width, sourceLocation: sourceLocation)
        #expect((draws.max() ?? low) > high - 0.001 * width, sourceLocation: sourceLocation)
    }
}
