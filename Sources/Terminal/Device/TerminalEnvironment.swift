/// What the environment's variables tell about the terminal.
public struct TerminalEnvironment: Equatable, Sendable {
    /// `TERM`.
    public var terminal: String
    /// `TERM_PROGRAM`, else `LC_TERMINAL`.
    public var program: String
    /// `COLORTERM`.
    public var colorTerminal: String
    /// `NO_COLOR` is set to something.
    public var noColor: Bool
    public var multiplexer: Multiplexer?
    /// Which variable says so; empty without a multiplexer.
    public var multiplexerReason = ""
    /// Whether the terminal is at the other end of a network (`SSH_CONNECTION`, `SSH_TTY`).
    public var isRemote: Bool

    /// A program between us and the terminal.
    public enum Multiplexer: String, Hashable, Sendable {
        case tmux, screen
    }

    /// Reads the variables of `variables`, which are `ProcessInfo.processInfo.environment` for the process itself.
    public init(_ variables: [String: String]) {
        terminal = variables["TERM"] ?? ""
        program = variables["TERM_PROGRAM"] ?? variables["LC_TERMINAL"] ?? ""
        colorTerminal = variables["COLORTERM"] ?? ""
        noColor = !(variables["NO_COLOR"] ?? "").isEmpty
        isRemote = ["SSH_CONNECTION", "SSH_TTY"].contains { variables[$0]?.isEmpty == false }
        let signs: [(Bool, Multiplexer, String)] = [
            (variables["TMUX"]?.isEmpty == false, .tmux, "TMUX is set"),
            (terminal.hasPrefix("tmux"), .tmux, "TERM says so"),
            (variables["STY"]?.isEmpty == false, .screen, "STY is set"),
            (terminal.hasPrefix("screen"), .screen, "TERM says so"),
        ]
        guard let sign = signs.first(where: \.0) else { return }
        (multiplexer, multiplexerReason) = (sign.1, sign.2)
    }

    /// Whether the terminal can place text at all.
    public var isCapable: Bool { !["", "dumb", "unknown", "emacs"].contains(terminal) }

    /// The entries of the terminal database to try, in this order.
    ///
    /// Everything that calls itself `xterm` today has 256 colours; its entry knows of 8.
    var databaseNames: [String] { terminal == "xterm" ? ["xterm-256color", "xterm"] : [terminal] }

    /// Whether the terminal is the Linux kernel's own console.
    public var isLinuxConsole: Bool { terminal.hasPrefix("linux") }

    /// Whether the kitty protocol may be spoken: multiplexers take it for a title.
    var mayKnowKitty: Bool { readsControlStrings && multiplexer == nil }

    /// Whether the terminal may be asked for its background.
    ///
    /// GNU screen answers DA1 itself but passes this question on to the terminal outside, whose answer comes after that
    /// of DA1, perhaps when the program has ended.
    var mayAskBackground: Bool { readsControlStrings && multiplexer != .screen }

    /// Whether the terminal reads control strings without printing them; the Linux console prints some.
    var readsControlStrings: Bool { !isLinuxConsole && !terminal.hasPrefix("vt") }
}
