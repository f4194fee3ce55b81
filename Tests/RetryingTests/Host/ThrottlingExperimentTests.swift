import Testing

@testable import Retrying

/// Tests whether slowing down reduces a host's refusals.
@Suite(.timeLimit(.minutes(1)))
struct ThrottlingExperimentTests {
    struct Answers: Sendable {
        var firsts = (answered: 0, refused: 0)
        var retries = (answered: 0, refused: 0)
    }

    private func experiment(
        _ answers: Answers, refusedBefore: Int = 10, isCertain: Bool = false
    ) -> ThrottlingExperiment {
        var experiment = ThrottlingExperiment(
            start: .seconds(1), answered: 10 - refusedBefore, refused: refusedBefore, isCertain: isCertain)
        for (counts, isRetry) in [(answers.firsts, false), (answers.retries, true)] {
            for _ in 0..<counts.answered { experiment.record(.answered, sent: .seconds(2), isRetry: isRetry) }
            for _ in 0..<counts.refused { experiment.record(.refused, sent: .seconds(2), isRetry: isRetry) }
        }
        return experiment
    }

    @Test(arguments: [
        // A server that answers every second attempt.
        (Answers(firsts: (0, 4), retries: (4, 0)), 10, true),
        (Answers(firsts: (0, 3), retries: (4, 0)), 10, false),
        (Answers(firsts: (0, 4), retries: (3, 0)), 10, false),
        // One that refuses three of ten by chance, and one that no longer does.
        (Answers(firsts: (21, 8), retries: (6, 2)), 3, true),
        (Answers(firsts: (21, 7), retries: (6, 2)), 3, false),
        (Answers(firsts: (40, 8), retries: (6, 2)), 3, false),
        // One that is slowed to what it takes.
        (Answers(firsts: (60, 8)), 9, false),
        // One that answers nothing for a while, as its minute is used up.
        (Answers(firsts: (4, 12)), 5, false),
    ])
    func `slowing down is ineffective if first requests are refused as before`(
        answers: Answers, refusedBefore: Int, isIneffective: Bool
    ) {
        #expect(experiment(answers, refusedBefore: refusedBefore).isIneffective == isIneffective)
    }

    @Test(arguments: [
        // A server that refuses every picture once.
        (Answers(firsts: (0, 4), retries: (4, 0)), 10, true),
        // One that refuses two of three by chance.
        (Answers(firsts: (2, 5), retries: (2, 3)), 7, true),
        // One request a second, asked for two; half a request a second, asked for two; and for one.
        (Answers(firsts: (4, 4), retries: (4, 4)), 9, false),
        (Answers(firsts: (2, 6), retries: (2, 6)), 9, false),
        (Answers(firsts: (8, 8)), 9, false),
        // One that had saved up ten requests.
        (Answers(firsts: (5, 11)), 2, false),
        // One that lets nothing through.
        (Answers(firsts: (0, 16), retries: (0, 16)), 10, false),
    ])
    func `a host that refuses with 429 is slowed down as long as that helps`(
        answers: Answers, refusedBefore: Int, isIneffective: Bool
    ) {
        #expect(experiment(answers, refusedBefore: refusedBefore, isCertain: true).isIneffective == isIneffective)
    }

    @Test(arguments: [(0, 4, true), (0, 3, false), (2, 7, false), (2, 8, true)])
    func `slowing down is ineffective if retries are refused again`(answered: Int, refused: Int, isIneffective: Bool) {
        #expect(experiment(Answers(retries: (answered, refused))).isIneffective == isIneffective)
    }

    @Test func `late results of requests sent before the slowdown count for the time before`() {
        // Given a host that refuses eight of eighteen that are asked slowly
        var experiment = experiment(Answers(firsts: (10, 8)), refusedBefore: 5)
        #expect(experiment.isIneffective)
        // When it turns out to have refused nearly all before
        for _ in 0..<99 { experiment.record(.refused, sent: .milliseconds(999), isRetry: true) }
        // Then that helps
        #expect(!experiment.isIneffective)
    }
}
