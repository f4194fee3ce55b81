import BrowserCore
import Raster

/// A frame as lines in the normal flow of a terminal, drawn over what was drawn before.
///
/// The cursor rests at the start of the block, where a terminal that wraps its lines anew keeps it, however many rows the
/// block takes then; below it there is nothing but the block. ECMA-48's CUU, EL and ED move and clear.
enum LineFrame {
    /// Draws a frame from the cursor on, and clears what is below it.
    ///
    /// A row that is too long is cut, not wrapped (DECAWM): a terminal may be narrower than it says. tmux wraps anew 250 ms
    /// before it tells the new size.
    static func draw(_ frame: Frame, theme: LineTheme) -> String {
        let rows = (0..<frame.size.rows).map { "\r" + line($0, of: frame, theme: theme) }
        guard !rows.isEmpty else { return "" }
        return "\u{1B}[?7l" + rows.joined(separator: "\n") + "\u{1B}[J" + up(rows.count - 1) + "\r\u{1B}[?7h"
    }

    /// Takes a block of so many rows away, from the cursor on.
    ///
    /// The first row is cleared by itself: who clears all of the screen has tmux keep what was on it in its history.
    static func erase(_ rows: Int) -> String {
        guard rows > 0 else { return "" }
        return rows == 1 ? "\r\u{1B}[K" : "\r\u{1B}[K\n\u{1B}[J\u{1B}[A"
    }

    private static func up(_ rows: Int) -> String { rows > 0 ? "\u{1B}[\(rows)A" : "" }

    private static func line(_ row: Int, of frame: Frame, theme: LineTheme) -> String {
        var text = ""
        var pen = Style.plain
        let cells = (0..<frame.size.columns).map { frame[$0, row] }
        let end = cells.lastIndex { $0 != .blank }.map { $0 + 1 } ?? 0
        for cell in cells[..<end] {
            guard let character = cell.character else { continue }
            if cell.style != pen {
                text += theme.sequence(for: cell.style)
                pen = cell.style
            }
            text.append(character)
        }
        if pen != .plain { text += theme.reset }
        return end < cells.count ? text + "\u{1B}[K" : text
    }
}

/// Theme tokens in the terminal's own sixteen colours (ECMA-48 SGR); none with `NO_COLOR`.
struct LineTheme: Sendable {
    let isColored: Bool

    init(environment: [String: String]) { isColored = (environment["NO_COLOR"] ?? "").isEmpty }

    var reset: String { "\u{1B}[0m" }

    func sequence(for style: Style) -> String {
        var codes = ["0"]
        if style.bold { codes.append("1") }
        if style.inverse { codes.append("7") }
        if isColored, let code = code(for: style.foreground) { codes.append(code) }
        return "\u{1B}[\(codes.joined(separator: ";"))m"
    }

    private func code(for token: ThemeToken) -> String? {
        switch token {
        case .text, .selection, .background: nil
        case .dim, .barTrack, .divider: "90"
        case .accent, .bar: "36"
        case .ok: "32"
        case .warn: "33"
        case .error: "31"
        }
    }
}
