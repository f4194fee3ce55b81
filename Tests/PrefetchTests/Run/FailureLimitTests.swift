import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch

@Suite(.timeLimit(.minutes(1))) struct FailureLimitTests {
    @Test func `a count limit is passed by one failure more`() {
        #expect(!FailureLimit.count(2).isPassed(failed: 2, of: 2))
        #expect(FailureLimit.count(2).isPassed(failed: 3, of: 100))
        #expect(FailureLimit.count(0).isPassed(failed: 1, of: 1))
    }

    @Test func `a share limit applies from one hundred items on`() {
        #expect(!FailureLimit.share(0.1).isPassed(failed: 99, of: 99))
        #expect(!FailureLimit.share(0.1).isPassed(failed: 10, of: 100))
        #expect(FailureLimit.share(0.1).isPassed(failed: 11, of: 100))
    }

    @Test func `numbers and percentages are read`() {
        #expect(FailureLimit("0") == .count(0))
        #expect(FailureLimit("12") == .count(12))
        #expect(FailureLimit("2.5%") == .share(0.025))
        for text in ["-1", "101%", "5 %", "%", "", "ten", "nan%"] { #expect(FailureLimit(text) == nil, "\(text)") }
    }
}
