/// The newest word of each of a run's conditions, and what they say together.
struct ConditionBoard: Sendable {
    enum Verdict: Sendable {
        case met, unmet, ended
    }

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
        values[condition] = value
    }

    mutating func end(_ condition: Int) {
        if !values[condition] { hasEndedUnmet = true }
    }
}
