/// How a host's retries ended lately: of so many that older ones count for half.
struct RetryOutcomes: Sendable {
    private var answered = 0
    private var failed = 0

    mutating func note(isAnswered: Bool) {
        if isAnswered { answered += 1 } else { failed += 1 }
        if answered + failed >= 64 { (answered, failed) = (answered / 2, failed / 2) }
    }

    /// Whether what failed at first is answered then: at least four retries, and a quarter of all.
    var areWorthwhile: Bool { answered >= 4 && 3 * answered >= failed }
}
