/// The newest word of each of a run's conditions, and what they say together.
struct ConditionBoard: Sendable {
    enum Verdict: Sendable {
        case met, unmet, ended
    }

    /// How often the conditions have ceased to be met.
    ///
    /// By this count a lapse is noticed even when it was over before anyone looked.
    private(set) var lapses = 0
    private var values: [Bool]
    private var hasEndedUnmet = false

    init(count: Int) {
        values = Array(repeating: false, count: count)
    }

    var verdict: Verdict {
        if hasEndedUnmet { return .ended }
        return values.allSatisfy(\.self) ? .met : .unmet
    }

    mutating func report(_ value: Bool, of condition: Int) {
        let wasMet = verdict == .met
        values[condition] = value
        if wasMet, verdict != .met { lapses += 1 }
    }

    mutating func end(_ condition: Int) {
        if !values[condition] { hasEndedUnmet = true }
    }
}
