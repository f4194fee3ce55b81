import TerminalGraphics

/// The terminal's properties according to environment variables.
package struct TerminalEnvironment: Equatable, Sendable {
    /// `TERM`.
    package var terminal: String
    /// `TERM_PROGRAM`, else `LC_TERMINAL`.
    package var program: String
    /// `COLORTERM`.
    package var colorTerminal: String
    /// Whether `NO_COLOR` is set and not empty.
    package var noColor: Bool
    /// The multiplexer between the program and the terminal.
    package var multiplexer: Passthrough?
    /// The variable that reveals the multiplexer; empty without one.
    package var multiplexerReason = ""
    /// Whether the terminal is on another host (`SSH_CONNECTION`, `SSH_TTY`).
    package var isRemote: Bool

    /// Evaluates the variables; for this process they are `ProcessInfo.processInfo.environment`.
    package init(_ variables: [String: String]) {
        terminal = variables["TERM"] ?? ""
        program = variables["TERM_PROGRAM"] ?? variables["LC_TERMINAL"] ?? ""
        colorTerminal = variables["COLORTERM"] ?? ""
        noColor = !(variables["NO_COLOR"] ?? "").isEmpty
        isRemote = ["SSH_CONNECTION", "SSH_TTY"].contains { variables[$0]?.isEmpty == false }
        let signs: [(Bool, Passthrough, String)] = [
            (variables["TMUX"]?.isEmpty == false, .tmux, "TMUX is set"),
            (terminal.hasPrefix("tmux"), .tmux, "TERM says so"),
            (variables["STY"]?.isEmpty == false, .screen, "STY is set"),
            (terminal.hasPrefix("screen"), .screen, "TERM says so"),
        ]
        guard let sign = signs.first(where: \.0) else { return }
        (multiplexer, multiplexerReason) = (sign.1, sign.2)
    }

    /// Whether the terminal has cursor control.
    package var isCapable: Bool { !["", "dumb", "unknown", "emacs"].contains(terminal) }

    /// The terminal database entries to try, in order.
    ///
    /// Terminals that call themselves `xterm` today have 256 colours, but that entry has only 8. Newer terminals than the
    /// database understand the sequences of xterm.
    var databaseNames: [String] { (terminal == "xterm" ? [] : [terminal]) + ["xterm-256color", "xterm"] }

    /// Whether the terminal is the Linux console.
    package var isLinuxConsole: Bool { terminal.hasPrefix("linux") }

    /// Whether kitty sequences may be sent: multiplexers would show them as a title.
    var mayKnowKitty: Bool { readsControlStrings && multiplexer == nil }

    /// Whether the background may be queried.
    ///
    /// GNU screen replies to DA1 itself but passes this query on, so the outer terminal's reply arrives after that of
    /// DA1, possibly after the program has ended.
    var mayAskBackground: Bool { readsControlStrings && multiplexer != .screen }

    /// Whether the terminal ignores unknown control strings; the Linux console prints some.
    var readsControlStrings: Bool { !isLinuxConsole && !terminal.hasPrefix("vt") }
}
