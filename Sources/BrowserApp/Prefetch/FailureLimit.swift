/// The number of failures after which a prefetch aborts.
package enum FailureLimit: Sendable, Hashable {
    case count(Int)
    /// A share of the finished items, 0…1; applied from the 100th item on.
    case share(Double)

    /// Parses a number or a percentage up to 100 %; returns nil for other text.
    package init?(_ text: String) {
        if text.hasSuffix("%") {
            guard let factor = ShareText.factor(text), factor <= 1 else { return nil }
            self = .share(factor)
        } else {
            guard let count = Int(text), count >= 0 else { return nil }
            self = .count(count)
        }
    }

    /// The number of finished items from which a share is applied.
    static let sample = 100

    /// Returns whether the number of failures exceeds the limit.
    func isPassed(failed: Int, of finished: Int) -> Bool {
        switch self {
        case .count(let count): failed > count
        case .share(let share): finished >= Self.sample && Double(failed) > share * Double(finished)
        }
    }
}
