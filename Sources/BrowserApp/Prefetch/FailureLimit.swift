/// How many failures a prefetch bears.
public enum FailureLimit: Sendable, Hashable {
    case count(Int)
    /// A share of the finished ones, 0…1; judged from the 100th on.
    case share(Double)

    /// Reads a number or a percentage up to 100 %; nil when it is neither.
    public init?(_ text: String) {
        if text.hasSuffix("%") {
            guard let factor = ShareText.factor(text), factor <= 1 else { return nil }
            self = .share(factor)
        } else {
            guard let count = Int(text), count >= 0 else { return nil }
            self = .count(count)
        }
    }

    /// So many finished ones must there be before a share says something.
    static let sample = 100

    /// Whether more have failed than is borne.
    func isPassed(failed: Int, of finished: Int) -> Bool {
        switch self {
        case .count(let count): failed > count
        case .share(let share): finished >= Self.sample && Double(failed) > share * Double(finished)
        }
    }
}
