/// Whether the terminal has yet to say that it read the last picture.
struct Acknowledgement: Equatable {
    /// How long it may take: 1 s; after that nothing is due any more.
    static let patience = Duration.seconds(1)

    /// Tells one picture's acknowledgement from another's.
    private(set) var round = 0
    private(set) var askedAt: ContinuousClock.Instant?
    /// How many answers did not come yet, late ones too.
    private(set) var owed = 0

    var isDue: Bool { askedAt != nil }

    /// Whether an answer may still come, however late.
    var isOwed: Bool { owed > 0 }

    mutating func ask(at now: ContinuousClock.Instant) {
        round += 1
        owed += 1
        askedAt = now
    }

    /// Takes the answer; how long it took, nil when none was due.
    mutating func receive(at now: ContinuousClock.Instant) -> Duration? {
        defer { askedAt = nil }
        owed = max(0, owed - 1)
        return askedAt.map { now - $0 }
    }

    /// Gives up on round `expired`; true when that was the one that is due.
    mutating func expire(_ expired: Int) -> Bool {
        guard isDue, expired == round else { return false }
        askedAt = nil
        return true
    }
}
