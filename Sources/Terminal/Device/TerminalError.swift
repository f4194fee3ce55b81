/// Why the terminal cannot be used.
public enum TerminalError: Error, Equatable, Sendable {
    /// The process has no terminal, or it went away.
    case noTerminal
    /// `TERM` is empty or names a terminal that has no cursor control: `dumb`, `unknown`.
    case incapable(terminal: String)
    /// The terminal database has no entry for the value of `TERM`.
    case unknownTerminal(String)
    /// A call of the system failed.
    case system(call: String, code: Int32)
    /// Another part of the process holds the terminal.
    case alreadyOpen
}
