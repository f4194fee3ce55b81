import Lists

/// Texts of the user's own arguments, as they may be shown.
enum Redacted {
    static func text(_ argument: String) -> String { Redaction.display(argument) }

    /// A list that cannot be read has no line.
    static func rejection(_ line: Int, of list: String, reason: String) -> String {
        line > 0 ? "\(text(list)): line \(line): \(reason)" : reason
    }
}
