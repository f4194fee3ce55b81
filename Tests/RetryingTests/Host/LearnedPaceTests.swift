import Testing

@testable import Retrying

/// The requests a second that a host takes, learned from its refusals.
struct LearnedPaceTests {
    /// A host that answered so many requests in its first second and then refused one.
    private func refused(after answers: Int = 100, isCertain: Bool = true) -> LearnedPace {
        var pace = LearnedPace()
        for _ in 0..<answers { pace.noteAnswer(at: .milliseconds(500)) }
        _ = pace.noteRefusal(sent: .zero, isCertain: isCertain, at: .seconds(1))
        return pace
    }

    private func rate(_ pace: LearnedPace, afterSeconds seconds: Double) -> Double? {
        pace.rate(at: .seconds(1) + .seconds(seconds)).map { ($0 * 10).rounded() / 10 }
    }

    @Test func `a host that refuses nothing takes what comes`() {
        var pace = LearnedPace()
        for _ in 0..<1_000 {
            let wait = pace.takeOne(at: .zero)
            #expect(wait == nil)
            pace.noteAnswer(at: .zero)
        }
        #expect(pace.rate(at: .zero) == nil)
    }

    @Test(arguments: [(0, 70), (5, 100), (10, 130), (15, 340), (30, 3_850)] as [(Double, Double)])
    func `what was too much is come near to slowly, and then left behind`(seconds: Double, expected: Double) {
        #expect(rate(refused(), afterSeconds: seconds) == expected)
    }

    @Test func `a minute without a refusal ends it`() {
        #expect(rate(refused(), afterSeconds: 59.9) != nil)
        #expect(rate(refused(), afterSeconds: 60) == nil)
    }

    @Test func `requests pass one by one at the rate`() {
        var pace = refused(after: 10)
        let turn = Duration.seconds(1) + .seconds(1 / 7.0)
        let waits = [.seconds(1), turn, turn].map { pace.takeOne(at: $0) }
        #expect(waits[0] == .seconds(1 / 7.0))
        #expect(waits[1] == nil)
        #expect(waits[2] != nil)
    }

    @Test func `what was under way at a refusal tells nothing new`() {
        var pace = refused()
        let news = [999, 1_100].map {
            pace.noteRefusal(sent: .milliseconds($0), isCertain: true, at: .milliseconds(1_200))
        }
        #expect(news == [false, true])
        #expect(pace.rate(at: .milliseconds(1_200)).map { $0 < 70 } == true)
    }

    @Test func `a rate that nobody used is no measure of what is too much`() {
        // Given a host that was let do 3,850 a second, of which it was asked for 20
        var pace = refused()
        for _ in 0..<20 { pace.noteAnswer(at: .seconds(31)) }
        _ = pace.noteRefusal(sent: .seconds(31), isCertain: true, at: .seconds(31))
        #expect(pace.rate(at: .seconds(31)) == 14)
    }

    @Test(arguments: [(0, 3), (30, 3), (31, 4)])
    func `refusals that may be something else need company`(answers: Int, refusals: Int) {
        var pace = LearnedPace()
        for _ in 0..<answers { pace.noteAnswer(at: .zero) }
        let news = (1...refusals).map { _ in pace.noteRefusal(sent: .zero, isCertain: false, at: .zero) }
        #expect(news.firstIndex(of: true) == refusals - 1)
    }

    @Test func `a host that always refuses is asked once in ten seconds at least`() {
        var pace = LearnedPace()
        for second in 0..<50 {
            _ = pace.noteRefusal(sent: .seconds(second), isCertain: true, at: .seconds(second))
        }
        #expect(pace.rate(at: .seconds(49)) == 0.1)
    }

    @Test func `moments that go backwards are the newest seen`() {
        var pace = refused()
        pace.noteAnswer(at: .zero)
        _ = pace.noteRefusal(sent: .seconds(-5), isCertain: false, at: .seconds(-5))
        let wait = pace.takeOne(at: .zero)
        #expect(wait != nil)
    }
}
