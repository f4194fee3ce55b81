/// Tests whether slowing down reduces a host's refusals; pure.
///
/// A host that takes so many requests a second refuses a smaller part of fewer requests. One that refuses for another
/// reason refuses the same part of them.
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

        var count: Int { answered + refused }
        var shareRefused: Double { Double(refused) / Double(max(1, count)) }
    }

    /// After so many requests it is known whether slowing down helps.
    private static let length = 16

    private let start: Duration
    /// Whether a refusal said that there were too many requests (429), as against perhaps (503).
    private(set) var isCertain: Bool
    private var before: Tally
    private var firsts = Tally()
    private var retries = Tally()

    /// Makes a trial that begins now.
    ///
    /// - Parameters:
    ///   - start: When the host was slowed down.
    ///   - answered: How many requests it had answered lately, before that.
    ///   - refused: How many it had refused.
    ///   - isCertain: Whether it said that they were too many.
    init(start: Duration, answered: Int, refused: Int, isCertain: Bool) {
        self.start = start
        self.isCertain = isCertain
        before = Tally(answered: answered, refused: refused)
    }

    /// Counts a request; one that was sent before the start counts for the time before.
    mutating func note(_ outcome: Outcome, sent: Duration, isRetry: Bool, isCertain: Bool = false) {
        if isCertain { self.isCertain = true }
        if sent < start {
            before.add(outcome)
        } else if isRetry {
            retries.add(outcome)
        } else {
            firsts.add(outcome)
        }
    }

    /// Whether too few requests are counted to tell.
    var isUndecided: Bool { firsts.count + retries.count < Self.length }

    /// Whether slowing down does not help.
    ///
    /// Either retries are refused again and again though nothing says that they are too many; or the host answers some
    /// requests, and refuses about as many first requests, or requests of all kinds, as before.
    var isInVain: Bool {
        let all = Tally(answered: firsts.answered + retries.answered, refused: firsts.refused + retries.refused)
        if !isCertain, retries.refused >= max(4, 4 * retries.answered) { return true }
        guard all.answered >= 4, 5 * all.answered >= 2 * all.refused else { return false }
        return isRefusedAsBefore(firsts) || isCertain && isRefusedAsBefore(all)
    }

    /// What is refused now and then may still be chance.
    private func isRefusedAsBefore(_ tally: Tally) -> Bool {
        guard tally.refused >= (tally.answered == 0 ? 4 : 8) else { return false }
        let (share, earlier) = (tally.shareRefused, before.shareRefused)
        return isCertain ? share >= 0.85 * earlier && share <= earlier + 0.25 : share >= 0.6 * earlier
    }
}
