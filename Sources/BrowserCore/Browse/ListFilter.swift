import AlcedoFilters

/// The tests of list rows by a filter.
extension PictureFilter {
    /// Whether it has a regular expression, which takes long.
    var isSlow: Bool { patterns.contains { $0.form == .regex } }

    /// Whether the state and the facts of an item decide, which may change.
    var readsFacts: Bool { terms.contains { if case .text = $0 { false } else { true } } }

    /// Whether the user's marks decide.
    var readsMarks: Bool { terms.contains(.marked) }

    /// Whether the cameras or the times of capture decide.
    var readsCapture: Bool { terms.contains(where: \.readsCapture) }

    private var patterns: [TextPattern] { terms.compactMap(\.pattern) }

    /// Whether everything this filter accepts was accepted by `other`, so that only those items need a test.
    func narrows(_ other: PictureFilter) -> Bool {
        guard let word = onlyPattern, let old = other.onlyPattern,
            // A word without it is not searched in schemes.
            word.text.contains("://") == old.text.contains("://")
        else { return false }
        return word.narrows(old)
    }

    /// The only term if it is text and not negated.
    private var onlyPattern: TextPattern? {
        guard alternatives.count == 1, alternatives[0].count == 1 else { return nil }
        let literal = alternatives[0][0]
        return literal.isNegated ? nil : literal.term.pattern
    }

    /// A function that returns the matches in a text.
    typealias Matcher = (String) -> [Range<String.Index>]

    /// Returns a matcher for the names in rows.
    func matcher() -> Matcher {
        let patterns = alternatives.flatMap { $0.filter { !$0.isNegated }.compactMap(\.term.pattern) }
        if patterns.count == 1 { return patterns[0].ranges }
        return { text in
            patterns.flatMap { $0.ranges(in: text) }.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) {
                matches, match in
                if matches.last.map({ $0.upperBound <= match.lowerBound }) ?? true { matches.append(match) }
            }
        }
    }
}

extension FilterTerm {
    /// Whether it reads how a picture was taken, which no list row tells.
    var readsCapture: Bool {
        switch self {
        case .camera, .taken: true
        default: false
        }
    }

    fileprivate var pattern: TextPattern? { if case .text(let pattern) = self { pattern } else { nil } }
}
