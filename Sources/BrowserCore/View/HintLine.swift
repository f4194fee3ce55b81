/// The key hints at the end of a status line.
enum HintLine {
    /// A hint and the key that a click on it presses; nil if it presses none.
    struct Hint {
        let text: StyledText
        let key: Key?
    }

    static func hint(_ key: String, _ title: String) -> StyledText {
        var text = StyledText(key)
        text.append(" " + title, .dim)
        return text
    }

    /// Returns as many hints as fit into `room` cells; drops the first ones first.
    static func text(_ hints: [StyledText], room: Int) -> StyledText {
        joined(kept(hints.map { Hint(text: $0, key: nil) }, room: room))
    }

    /// Returns the hints that fit into `room` cells, the last ones first.
    static func kept(_ hints: [Hint], room: Int) -> ArraySlice<Hint> {
        var kept = hints[...]
        while !kept.isEmpty, joined(kept).width > room { kept = kept.dropFirst() }
        return kept
    }

    static func joined(_ hints: ArraySlice<Hint>) -> StyledText {
        hints.reduce(into: StyledText()) { $0.append($1.text, gap: gap) }
    }

    /// Returns the hint at a distance from the start of the line.
    static func hint(at distance: Int, in hints: ArraySlice<Hint>) -> Hint? {
        var start = 0
        for hint in hints {
            if (start..<start + hint.text.width).contains(distance) { return hint }
            start += hint.text.width + gap
        }
        return nil
    }

    private static let gap = 2
}
