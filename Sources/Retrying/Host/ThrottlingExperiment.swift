/// A pure test of whether limiting the rate reduces a host's refusals.
///
/// At a lower rate, a host that limits requests per second refuses a smaller share of them. A host that refuses for
/// another reason refuses the same share.
struct ThrottlingExperiment: Sendable {
    enum Outcome { case answered, refused }

    private struct Tally {
        var answered = 0
        var refused = 0

        mutating func add(_ outcome: Outcome) {
            if outcome == .answered { answered += 1 } else { refused += 1 }
        }

        var count: Int { answered + refused }
        var shareRefused: Double { Double(refused) / Double(max(1, count)) }
    }

    /// The number of requests that decide the experiment.
    private static let length = 16

    private let start: Duration
    /// Whether a refusal said that there were too many requests (429), in contrast to an uncertain one (503).
    private(set) var isCertain: Bool
    private var before: Tally
    private var firsts = Tally()
    private var retries = Tally()

    /// Creates an experiment that begins now, with the requests that the host answered and refused shortly before.
    init(start: Duration, answered: Int, refused: Int, isCertain: Bool) {
        (self.start, self.isCertain) = (start, isCertain)
        before = Tally(answered: answered, refused: refused)
    }

    /// Counts a request; a request that was sent before the start belongs to the time before.
    mutating func record(_ outcome: Outcome, sent: Duration, isRetry: Bool, isCertain: Bool = false) {
        if isCertain { self.isCertain = true }
        if sent < start {
            before.add(outcome)
        } else if isRetry {
            retries.add(outcome)
        } else {
            firsts.add(outcome)
        }
    }

    /// Whether too few requests were counted for a decision.
    var isUndecided: Bool { firsts.count + retries.count < Self.length }

    /// Whether limiting the rate does not help.
    ///
    /// That is so if at least four fifths of the retries are refused and no refusal is certain. It is also so if the
    /// host answers some requests, but refuses about the same share of first requests, or of all requests, as before.
    var isIneffective: Bool {
        let all = Tally(answered: firsts.answered + retries.answered, refused: firsts.refused + retries.refused)
        if !isCertain, retries.refused >= max(4, 4 * retries.answered) { return true }
        guard all.answered >= 4, 5 * all.answered >= 2 * all.refused else { return false }
        return isRefusedAsBefore(firsts) || isCertain && isRefusedAsBefore(all)
    }

    /// Returns whether the refused share is about as high as before; too few refusals may be chance, so the result is
    /// false.
    private func isRefusedAsBefore(_ tally: Tally) -> Bool {
        guard tally.refused >= (tally.answered == 0 ? 4 : 8) else { return false }
        let (share, earlier) = (tally.shareRefused, before.shareRefused)
        return isCertain ? share >= 0.85 * earlier && share <= earlier + 0.25 : share >= 0.6 * earlier
    }
}
