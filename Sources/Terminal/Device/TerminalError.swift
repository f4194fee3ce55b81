/// An error that prevents the use of the terminal.
package enum TerminalError: Error, Equatable, Sendable {
    /// The process has no terminal, or the terminal is gone.
    case noTerminal
    /// `TERM` is empty or names a terminal without cursor control: `dumb`, `unknown`.
    case incapable(terminal: String)
    /// The terminal database has no entry for the value of `TERM`.
    case unknownTerminal(String)
    /// A system call failed.
    case system(call: String, code: Int32)
    /// The process has already opened the terminal.
    case alreadyOpen
}
