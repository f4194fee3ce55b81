/// The keys that matter now, with what they do, for the end of a status line.
enum HintLine {
    /// A hint, and the key that a click on it presses.
    struct Hint {
        let text: StyledText
        let key: Key?
    }

    static func hint(_ key: String, _ title: String) -> StyledText {
        var text = StyledText(key)
        text.append(" " + title, .dim)
        return text
    }

    /// As many hints as fit into `room` cells; the last ones stay longest.
    static func text(_ hints: [StyledText], room: Int) -> StyledText {
        joined(kept(hints.map { Hint(text: $0, key: nil) }, room: room))
    }

    /// The same, to be drawn and clicked.
    static func kept(_ hints: [Hint], room: Int) -> ArraySlice<Hint> {
        var kept = hints[...]
        while !kept.isEmpty, joined(kept).width > room { kept = kept.dropFirst() }
        return kept
    }

    static func joined(_ hints: ArraySlice<Hint>) -> StyledText {
        hints.reduce(into: StyledText()) { $0.append($1.text, gap: gap) }
    }

    /// The hint at a distance from where the line of hints begins.
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
