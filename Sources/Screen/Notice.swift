import Raster

/// A message to the user and the time when it disappears.
package struct Notice: Sendable, Equatable {
    private static let duration = 5000
    private static let shortDuration = 2000

    package let text: String
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
    package init(_ text: String, _ style: Style = .plain, at now: Int) {
        (self.text, self.style) = (SafeText.clean(text), style)
        seen = now + Self.shortDuration
        end = [.failure, .warning].contains(style) ? nil : style == .dim ? seen : now + Self.duration
    }

    /// Takes note of a key that was pressed.
    package mutating func receiveKey(at now: Int) { end = end ?? max(now, seen) }

    /// Whether its time is over.
    package func isOver(at now: Int) -> Bool { end.map { now >= $0 } ?? false }
}

extension Canvas {
    /// Sets a message into a rule, where it hides no key.
    package mutating func write(_ notice: Notice, inRule row: Int, columns: Int) {
        let room = max(0, columns - 6)
        let text = Fitting.truncate(notice.text, to: room, ellipsis: glyphs.ellipsis)
        write(StyledText(" \(text) ", notice.style), 2, row, width: room + 2)
    }
}
