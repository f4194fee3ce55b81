import AlcedoBrowserCore
import AlcedoConfig
import AlcedoScreen
import AlcedoTerminal
import Raster

/// The progress block on a terminal.
struct ProgressBlock {
    private let console: Console
    private let theme: LineTheme
    /// The height of the block on the terminal.
    private var drawnRows = 0

    init(console: Console, environment: [String: String]) {
        self.console = console
        theme = LineTheme(environment: environment)
    }

    mutating func draw(_ state: PrefetchScreenState) {
        let (columns, rows) = console.terminalSize
        // The last column stays empty, because terminals differ in when they wrap.
        let size = GridSize(columns: max(1, columns - 1), rows: max(1, rows - 1))
        let frame = PrefetchScreenView.frame(state, size: size)
        console.progress(LineFrame.draw(frame, theme: theme))
        drawnRows = frame.size.rows
    }

    mutating func erase() {
        console.progress(LineFrame.erase(drawnRows))
        drawnRows = 0
    }

    /// Leaves the drawn block where it is; the next one is drawn at the cursor.
    mutating func forget() { drawnRows = 0 }
}

/// Draws a frame as lines in the normal flow of a terminal, over the previous one.
///
/// The cursor rests at the start of the block. A terminal that rewraps its lines keeps it there, however many rows the
/// block then takes. CUU, EL and ED of ECMA-48 move and clear.
enum LineFrame {
    /// Returns the output that draws a frame at the cursor and clears everything below it.
    ///
    /// Rows that are too long are clipped, not wrapped (DECAWM), because a terminal may be narrower than it reported:
    /// tmux rewraps 250 ms before it reports the new size.
    static func draw(_ frame: Frame, theme: LineTheme) -> String {
        let rows = (0..<frame.size.rows).map { "\r" + line($0, of: frame, theme: theme) }
        guard !rows.isEmpty else { return "" }
        return "\u{1B}[?7l" + rows.joined(separator: "\n") + "\u{1B}[J" + up(rows.count - 1) + "\r\u{1B}[?7h"
    }

    /// Returns the output that removes a block of this height at the cursor.
    ///
    /// The first row is cleared separately: if the whole screen is cleared, tmux moves its contents into the history.
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

/// Theme tokens in the terminal's sixteen colours (ECMA-48 SGR); no colours with `NO_COLOR`.
struct LineTheme: Sendable {
    let isColored: Bool

    init(environment: [String: String]) { isColored = (environment["NO_COLOR"] ?? "").isEmpty }

    var reset: String { "\u{1B}[0m" }

    func sequence(for style: Style) -> String {
        var codes = ["0"]
        if style.bold { codes.append("1") }
        if isColored, let color = style.foreground.basicColor { codes.append(String(color)) }
        return "\u{1B}[\(codes.joined(separator: ";"))m"
    }
}
