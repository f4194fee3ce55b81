import BrowserCore
import Raster

/// What stands on the terminal of the block that was drawn last.
struct DrawnBlock {
    private let size: GridSize

    /// Nothing.
    init() { size = GridSize(columns: 0, rows: 0) }

    init(_ frame: Frame) { size = frame.size }

    /// How many rows it takes now, in a terminal of so many columns.
    ///
    /// One that has become narrower cuts longer rows off, or wraps them anew.
    func rows(columns: Int, wrapsAnew: Bool) -> Int {
        let columns = max(1, columns)
        return wrapsAnew ? size.rows * max(1, (size.columns + columns - 1) / columns) : size.rows
    }

    /// Whether a terminal is known to wrap its rows anew when it is resized, as tmux, VTE, kitty, foot, WezTerm, Alacritty,
    /// Konsole, ghostty, iTerm2, VS Code and Windows Terminal do; xterm and GNU screen do not.
    ///
    /// What a terminal sets is inherited by those that are started within it, but they set `TERM` again.
    static func wrapsAnew(_ environment: [String: String]) -> Bool {
        func has(_ name: String) -> Bool { environment[name]?.isEmpty == false }
        let terminal = environment["TERM"] ?? ""
        if terminal.hasPrefix("screen") { return has("TMUX") }
        let names = ["tmux", "vte", "xterm-kitty", "xterm-ghostty", "foot", "wezterm", "alacritty", "konsole"]
        if names.contains(where: terminal.hasPrefix) { return true }
        guard !has("XTERM_VERSION") else { return false }
        let programs = ["WezTerm", "iTerm.app", "ghostty", "vscode"]
        return ["VTE_VERSION", "KONSOLE_VERSION", "WT_SESSION"].contains(where: has)
            || programs.contains(environment["TERM_PROGRAM"] ?? "")
    }
}
