/// The keys that matter now, with what they do, for the end of a status line.
enum HintLine {
    static func hint(_ key: String, _ title: String) -> StyledText {
        var text = StyledText(key)
        text.append(" " + title, .dim)
        return text
    }

    static func help(_ glyphs: GlyphSet) -> StyledText { hint("?", "help") }

    /// As many hints as fit into `room` cells; the last ones stay longest.
    static func text(_ hints: [StyledText], room: Int) -> StyledText {
        var kept = hints[...]
        while !kept.isEmpty, joined(kept).width > room { kept = kept.dropFirst() }
        return joined(kept)
    }

    private static func joined(_ hints: ArraySlice<StyledText>) -> StyledText {
        hints.reduce(into: StyledText()) { $0.append($1, gap: 2) }
    }
}
