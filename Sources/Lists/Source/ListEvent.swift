/// What reading a list tells, in the order of the list.
public enum ListEvent: Hashable, Sendable {
    case entry(ListEntry)
    /// A part of a line that was left out of its entry, which comes with the rest, and what is wrong with it.
    case noted(line: Int, reason: String)
    /// A line, or a part of it, that names no picture, and what is wrong with it; reading goes on.
    ///
    /// The reason quotes at most a scheme or a folder's name, never a whole URL.
    case rejected(line: Int, reason: String)
}
