/// When to ask the terminal: one round at a time, another one after it when that was wished for meanwhile.
struct ProbeRounds: Equatable {
    /// When the answers that are due were asked for; nil when none are.
    private(set) var askedAt: ContinuousClock.Instant?
    private var isWishedAgain = false

    /// Whether answers are due.
    var isDue: Bool { askedAt != nil }

    /// Whether to ask now; otherwise the wish is kept.
    mutating func wish(at now: ContinuousClock.Instant) -> Bool {
        guard !isDue else {
            isWishedAgain = true
            return false
        }
        askedAt = now
        return true
    }

    /// Takes note that the round ended; true when another one is to be begun.
    mutating func end() -> Bool {
        defer { isWishedAgain = false }
        askedAt = nil
        return isWishedAgain
    }
}
