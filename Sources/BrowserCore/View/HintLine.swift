/// The key hints at the end of a status line: the last ones that fit.
struct HintLine {
    /// A hint and the key that a click on it presses; nil if it presses none.
    struct Hint {
        let text: StyledText
        let key: Key?

        init(_ signs: String, _ title: String, key: Key?) {
            var text = StyledText(signs)
            text.append(title.isEmpty ? "" : " " + title, .dim)
            (self.text, self.key) = (text, key)
        }

        init(_ key: Key, _ title: String, _ glyphs: GlyphSet) {
            self.init(KeyName.sign(key, glyphs), title, key: key)
        }
    }

    private static let gap = 2
    private var hints: ArraySlice<Hint>

    /// Creates a line of the hints that fit into `room` cells; drops the first ones first.
    init(_ hints: [Hint], room: Int = .max) {
        self.hints = hints[...]
        while !self.hints.isEmpty, width > room { self.hints = self.hints.dropFirst() }
    }

    var text: StyledText { hints.reduce(into: StyledText()) { $0.append($1.text, gap: Self.gap) } }
    var width: Int { text.width }

    /// Returns the key of the hint at a distance from the start of the line.
    func key(at distance: Int) -> Key? {
        var start = 0
        for hint in hints {
            if (start..<start + hint.text.width).contains(distance) { return hint.key }
            start += hint.text.width + Self.gap
        }
        return nil
    }
}
