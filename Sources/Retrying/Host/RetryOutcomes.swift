/// The recent outcomes of a host's retries; both counts are halved whenever they reach 64 together.
struct RetryOutcomes: Sendable {
    private var answered = 0
    private var failed = 0

    mutating func record(isAnswered: Bool) {
        if isAnswered { answered += 1 } else { failed += 1 }
        if answered + failed >= 64 { (answered, failed) = (answered / 2, failed / 2) }
    }

    /// Whether retries usually help: at least four were answered, and they are at least a quarter of all.
    var areWorthwhile: Bool { answered >= 4 && 3 * answered >= failed }
}
