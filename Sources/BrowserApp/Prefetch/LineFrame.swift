import BrowserCore
import Raster

/// A frame as lines in the normal flow of a terminal, drawn over what was drawn before.
///
/// The cursor rests below the block; ECMA-48's CUU, CHA and EL move and clear. Rows are cleared one by one: who clears all
/// of the screen has tmux keep what was on it in its history.
enum LineFrame {
    /// Draws a frame over so many rows.
    ///
    /// A row that is too long is cut, not wrapped (DECAWM): a terminal may be narrower than it says. tmux wraps the block
    /// anew 250 ms before it tells the new size; what is drawn meanwhile must not add rows, which would never be counted.
    static func redraw(_ frame: Frame, over oldRows: Int, theme: LineTheme) -> String {
        var text = up(oldRows)
        for row in 0..<frame.size.rows { text += "\r" + line(row, of: frame, theme: theme) + "\n" }
        text += clear(oldRows - frame.size.rows)
        return "\u{1B}[?7l\(text)\u{1B}[?7h"
    }

    static func erase(_ rows: Int) -> String { up(rows) + clear(rows) }

    /// Clears the row of the cursor and so many below it; the cursor is back where it was.
    private static func clear(_ rows: Int) -> String {
        let rows = max(0, rows)
        return "\r\u{1B}[K" + String(repeating: "\n\u{1B}[K", count: rows) + up(rows)
    }

    private static func up(_ rows: Int) -> String { rows > 0 ? "\u{1B}[\(rows)A" : "" }

    /// As wide as the block, so that it is known into how many rows a narrower terminal wraps it; tmux forgets blanks at
    /// the end of a line that are not bold.
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
        return end < cells.count ? text + "\u{1B}[K\u{1B}[\(cells.count)G\u{1B}[1m \u{1B}[0m" : text
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
        // The track shows how much of a bar is left.
        if isColored, style.background == .barTrack { codes.append("100") }
        return "\u{1B}[\(codes.joined(separator: ";"))m"
    }

    private func code(for token: ThemeToken) -> String? {
        switch token {
        case .text, .selection: nil
        case .dim, .barTrack, .divider: "90"
        case .accent, .bar: "36"
        case .ok: "32"
        case .warn: "33"
        case .error: "31"
        }
    }
}
