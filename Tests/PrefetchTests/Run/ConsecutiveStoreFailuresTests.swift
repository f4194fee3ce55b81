import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch

@Suite(.timeLimit(.minutes(1))) struct ConsecutiveStoreFailuresTests {
    private let start = ContinuousClock.now

    /// What the last of so many failures says, that many milliseconds apart.
    private func verdict(_ count: Int, every milliseconds: Int, interruptedAfter last: Int? = nil) -> Bool {
        var run = ConsecutiveStoreFailures()
        var verdict = false
        for number in 0..<count {
            verdict = run.add(at: start + .milliseconds(number * milliseconds))
            if number == last { run.reset() }
        }
        return verdict
    }

    @Test(arguments: [(20, 316, true), (20, 315, false), (19, 1_000, false), (1_000, 1, false), (6_001, 1, true)])
    func `enough consecutive failures over enough time mean that the cache cannot store`(
        count: Int, milliseconds: Int, isSo: Bool
    ) {
        #expect(verdict(count, every: milliseconds) == isSo)
    }

    @Test func `twenty consecutive failures suffice if no time passes`() {
        var run = ConsecutiveStoreFailures()
        let verdicts = (0..<20).map { _ in run.add(at: start, isTemporary: false) }
        #expect(verdicts == Array(repeating: false, count: 19) + [true])
    }

    @Test func `a stored item resets the count of failures`() {
        #expect(!verdict(30, every: 1_000, interruptedAfter: 15))
        #expect(verdict(36, every: 1_000, interruptedAfter: 15))
    }
}
