import Testing

@testable import Retrying

/// The requests a second that a host takes, learned from its refusals.
@Suite(.timeLimit(.minutes(1)))
struct AdaptiveRateLimiterTests {
    /// A host that answered so many requests in its first second and then refused one.
    private func refused(after answers: Int = 100, isCertain: Bool = true) -> AdaptiveRateLimiter {
        var limiter = AdaptiveRateLimiter()
        for _ in 0..<answers { limiter.recordAnswer(sent: .milliseconds(500), isRetry: false, at: .milliseconds(500)) }
        _ = limiter.recordRefusal(sent: .zero, isRetry: false, isCertain: isCertain, at: .seconds(1))
        return limiter
    }

    private func rate(_ limiter: AdaptiveRateLimiter, afterSeconds seconds: Double) -> Double? {
        limiter.rate(at: .seconds(1) + .seconds(seconds)).map { ($0 * 10).rounded() / 10 }
    }

    @Test func `a host without refusals is not limited`() {
        var limiter = AdaptiveRateLimiter()
        for _ in 0..<1_000 {
            let wait = limiter.tryAcquire(at: .zero)
            #expect(wait == nil)
            limiter.recordAnswer(sent: .zero, isRetry: false, at: .zero)
        }
        #expect(limiter.rate(at: .zero) == nil)
    }

    @Test(arguments: [(0, 70), (5, 100), (10, 130), (15, 340), (30, 3_850)] as [(Double, Double)])
    func `the rate rises slowly towards the refused rate and quickly beyond it`(seconds: Double, expected: Double) {
        #expect(rate(refused(), afterSeconds: seconds) == expected)
    }

    @Test func `a minute without a refusal ends the limit`() {
        #expect(rate(refused(), afterSeconds: 59.9) != nil)
        #expect(rate(refused(), afterSeconds: 60) == nil)
    }

    @Test func `requests are admitted one by one at the rate`() {
        var limiter = refused(after: 10)
        let turn = Duration.seconds(1) + .seconds(1 / 7.0)
        let waits = [.seconds(1), turn, turn].map { limiter.tryAcquire(at: $0) }
        #expect(waits[0] == .seconds(1 / 7.0))
        #expect(waits[1] == nil)
        #expect(waits[2] != nil)
    }

    @Test func `answers to requests sent before a refusal do not raise the refused rate`() {
        var limiter = refused(after: 10)
        for _ in 0..<5 { limiter.recordAnswer(sent: .milliseconds(900), isRetry: false, at: .milliseconds(1_100)) }
        #expect(rate(limiter, afterSeconds: 5) == 15)
        limiter.recordAnswer(sent: .milliseconds(1_050), isRetry: false, at: .milliseconds(1_200))
        #expect(rate(limiter, afterSeconds: 5) == 15)
    }

    @Test func `the rate does not grow while no request is admitted`() {
        var limiter = refused()
        limiter.pause(until: .seconds(101), at: .seconds(2))
        #expect(rate(limiter, afterSeconds: 100) == 70)
        let wait = limiter.tryAcquire(at: .seconds(99))
        #expect(wait == .seconds(2))
        #expect(rate(limiter, afterSeconds: 105) == 100)
        // What is over does not come back.
        limiter.pause(until: .seconds(300), at: .seconds(250))
        #expect(rate(limiter, afterSeconds: 299) == nil)
    }

    @Test func `a late wake-up does not lower the rate`() {
        // Given a host that takes some 70 a second, asked every 20 ms
        var limiter = refused()
        var passed = 0
        for turn in 1...50 {
            while limiter.tryAcquire(at: .seconds(1) + .milliseconds(turn * 20)) == nil { passed += 1 }
        }
        #expect((70...80).contains(passed))
    }

    @Test func `refusals of requests sent before the last refusal are ignored`() {
        var limiter = refused()
        let news = [999, 1_100].map {
            limiter.recordRefusal(sent: .milliseconds($0), isRetry: false, isCertain: true, at: .milliseconds(1_200))
        }
        #expect(news == [false, true])
        #expect(limiter.rate(at: .milliseconds(1_200)).map { $0 < 70 } == true)
    }

    @Test func `after an unused rate a refusal lowers the rate to the used one`() {
        // Given a host that was let do 3,850 a second, of which it was asked for 20
        var limiter = refused()
        for _ in 0..<20 { limiter.recordAnswer(sent: .seconds(31), isRetry: false, at: .seconds(31)) }
        _ = limiter.recordRefusal(sent: .seconds(31), isRetry: false, isCertain: true, at: .seconds(31))
        #expect(limiter.rate(at: .seconds(31)) == 14)
    }

    @Test(arguments: [(0, 3), (30, 3), (31, 4)])
    func `uncertain refusals limit the rate only if several occur`(answers: Int, refusals: Int) {
        var limiter = AdaptiveRateLimiter()
        for _ in 0..<answers { limiter.recordAnswer(sent: .zero, isRetry: false, at: .zero) }
        let news = (1...refusals).map { _ in
            limiter.recordRefusal(sent: .zero, isRetry: false, isCertain: false, at: .zero)
        }
        #expect(news.firstIndex(of: true) == refusals - 1)
    }

    @Test(arguments: [(true, 0.1), (false, 1)])
    func `a host that refuses everything is asked at the minimum rate`(isCertain: Bool, rate: Double) {
        var limiter = AdaptiveRateLimiter()
        for quarter in 0..<200 {
            let now = Duration.milliseconds(quarter * 250)
            _ = limiter.recordRefusal(sent: now, isRetry: false, isCertain: isCertain, at: now)
        }
        #expect(limiter.rate(at: .milliseconds(199 * 250)) == rate)
    }

    @Test(arguments: [(3, 0, true), (4, 0, false), (7, 2, true), (8, 2, false)])
    func `refusals that continue at a low rate are ignored`(refused: Int, answered: Int, isSlowed: Bool) {
        // Given a host slowed down by refusals that may have another reason
        var limiter = AdaptiveRateLimiter()
        for _ in 0..<3 { _ = limiter.recordRefusal(sent: .zero, isRetry: false, isCertain: false, at: .zero) }
        #expect(limiter.rate(at: .zero) != nil)
        // When so many retries are answered, and so many refused
        for _ in 0..<answered { limiter.recordAnswer(sent: .seconds(1), isRetry: true, at: .seconds(1)) }
        for second in 1...refused {
            _ = limiter.recordRefusal(sent: .seconds(second), isRetry: true, isCertain: false, at: .seconds(second))
        }
        // Then it is let alone, and not slowed down for that
        #expect((limiter.rate(at: .seconds(10)) != nil) == isSlowed)
        guard !isSlowed else { return }
        for _ in 0..<9 {
            _ = limiter.recordRefusal(sent: .seconds(99), isRetry: false, isCertain: false, at: .seconds(99))
        }
        #expect(limiter.rate(at: .seconds(99)) == nil)
        _ = limiter.recordRefusal(sent: .seconds(99), isRetry: false, isCertain: true, at: .seconds(99))
        #expect(limiter.rate(at: .seconds(99)) != nil)
    }

    @Test func `a host that refuses every first request is soon not limited any more`() {
        // Given a host that refused all it was asked
        var limiter = AdaptiveRateLimiter()
        for _ in 0..<6 { _ = limiter.recordRefusal(sent: .zero, isRetry: false, isCertain: true, at: .zero) }
        #expect(limiter.rate(at: .zero) == 2)
        // When, slowed down, it refuses first requests still and answers retries
        var now = Duration.seconds(1)
        for _ in 0..<4 {
            limiter.recordAnswer(sent: now, isRetry: true, at: now)
            _ = limiter.recordRefusal(sent: now, isRetry: false, isCertain: true, at: now)
            now += .seconds(1)
        }
        // Then it gets what comes, and refusals mean nothing
        #expect(limiter.rate(at: now) == nil && limiter.ignoresRefusals(isCertain: true, at: now))
    }

    @Test func `refusals at full speed do not count as refusals at a low rate`() {
        // Given a host that was slowed down, and was well for more than a minute
        var limiter = AdaptiveRateLimiter()
        for _ in 0..<3 { _ = limiter.recordRefusal(sent: .zero, isRetry: false, isCertain: false, at: .zero) }
        for second in 70..<80 { limiter.recordAnswer(sent: .seconds(second), isRetry: false, at: .seconds(second)) }
        // When it refuses everything, retries too
        for isRetry in [false, false, true, true, true, true] {
            _ = limiter.recordRefusal(sent: .seconds(90), isRetry: isRetry, isCertain: false, at: .seconds(90))
        }
        // Then it is slowed down again
        #expect(!limiter.ignoresRefusals(isCertain: false, at: .seconds(90)) && limiter.rate(at: .seconds(90)) != nil)
    }

    @Test func `times that go backwards count as the newest time`() {
        var limiter = refused()
        limiter.recordAnswer(sent: .zero, isRetry: false, at: .zero)
        _ = limiter.recordRefusal(sent: .seconds(-5), isRetry: false, isCertain: false, at: .seconds(-5))
        let wait = limiter.tryAcquire(at: .zero)
        #expect(wait != nil)
    }
}
