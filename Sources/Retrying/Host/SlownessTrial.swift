/// What a host does with what it is asked slowly, since it has refused requests for a reason that may be another than too
/// many of them; pure.
struct SlownessTrial: Sendable {
    enum Outcome { case answered, refused }

    private struct Tally {
        var answered = 0
        var refused = 0

        mutating func add(_ outcome: Outcome) {
            switch outcome {
            case .answered: answered += 1
            case .refused: refused += 1
            }
        }

        var shareRefused: Double { Double(refused) / Double(max(1, answered + refused)) }
    }

    private let start: Duration
    private var before: Tally
    private var firsts = Tally()
    private var retries = Tally()

    /// - Parameters:
    ///   - start: since when it is asked slowly.
    ///   - answered: how many requests it had answered lately when it was not.
    ///   - refused: how many it had refused.
    init(start: Duration, answered: Int, refused: Int) {
        self.start = start
        before = Tally(answered: answered, refused: refused)
    }

    /// Counts a request; one that was sent before it was asked slowly tells what it did then.
    mutating func note(_ outcome: Outcome, sent: Duration, isRetry: Bool) {
        if sent < start {
            before.add(outcome)
        } else if isRetry {
            retries.add(outcome)
        } else {
            firsts.add(outcome)
        }
    }

    /// Whether it is another reason: four times as many retries are refused again as are answered, or the host answers,
    /// but refuses first requests about as often as before.
    var isInVain: Bool { retries.refused >= max(4, 4 * retries.answered) || isRefusedAsBefore }

    private var isRefusedAsBefore: Bool {
        let (answers, refusals) = (firsts.answered + retries.answered, firsts.refused + retries.refused)
        // What is refused now and then may still be chance.
        guard firsts.refused >= (firsts.answered == 0 ? 4 : 8) else { return false }
        return answers >= 4 && 2 * answers >= refusals && firsts.shareRefused >= 0.6 * before.shareRefused
    }
}
