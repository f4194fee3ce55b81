import Raster

/// A message to the user and the time when it disappears.
package struct Notice: Sendable, Equatable {
    private static let duration = 5000
    private static let shortDuration = 2000

    package let text: String
    /// A shorter form for a narrow screen.
    private let short: String?
    package let style: Style
    /// The time when it disappears by itself; nil for a warning or a failure, which waits for a key.
    package private(set) var end: Int?
    /// Whether it is about the selected picture and leaves with the selection.
    package var isAboutPicture = false
    /// The time until which keys leave it there.
    private let seen: Int

    /// Creates a message at a time in milliseconds.
    ///
    /// A message about a success is shown for five seconds, a dim one about a key without effect for two. A warning or
    /// a failure stays until a key is pressed, for two seconds at least.
    package init(_ text: String, short: String? = nil, _ style: Style = .plain, at now: Int) {
        (self.text, self.short, self.style) = (SafeText.clean(text), short.map { SafeText.clean($0) }, style)
        seen = now + Self.shortDuration
        end = [.failure, .warning].contains(style) ? nil : style == .dim ? seen : now + Self.duration
    }

    /// Returns the longest form that fits a width; the shortest if none does.
    package func text(width: Int) -> String { CellWidth.of(text) <= width ? text : short ?? text }

    /// Takes note of a key that was pressed.
    package mutating func receiveKey(at now: Int) { end = end ?? max(now, seen) }

    /// Whether its time is over.
    package func isOver(at now: Int) -> Bool { end.map { now >= $0 } ?? false }
}

extension Canvas {
    /// Sets a message into a rule, where it hides no key; one that does not fit takes the row below, too, if it may.
    ///
    /// - Returns: Whether it took the row below.
    @discardableResult
    package mutating func write(_ notice: Notice, inRule row: Int, columns: Int, continues: Bool = false) -> Bool {
        let lines = notice.lines(columns: columns, continues: continues, glyphs)
        for (offset, line) in lines.enumerated() {
            let text = offset == 0 ? " \(line) " : line
            write(StyledText(text, notice.style), offset == 0 ? 2 : 3, row + offset, width: max(0, columns - 4))
        }
        return lines.count > 1
    }
}

extension Notice {
    /// Returns the message as it is set into a rule, and into the row below if it needs and may take that.
    package func lines(columns: Int, continues: Bool, _ glyphs: GlyphSet) -> [String] {
        let room = max(0, columns - 6)
        return Fitting.wrap(text(width: room), to: room, limit: continues ? 2 : 1, ellipsis: glyphs.ellipsis)
    }
}
