/// When to ask the terminal: one round at a time, another one after it when that was wished for meanwhile.
struct ProbeRounds: Equatable {
    /// Whether answers are due.
    private(set) var isDue = false
    private var isWishedAgain = false

    /// Whether to ask now; otherwise the wish is kept.
    mutating func wish() -> Bool {
        guard !isDue else {
            isWishedAgain = true
            return false
        }
        isDue = true
        return true
    }

    /// Takes note that the round ended; true when another one is to be begun.
    mutating func end() -> Bool {
        defer { isWishedAgain = false }
        isDue = false
        return isWishedAgain
    }
}
