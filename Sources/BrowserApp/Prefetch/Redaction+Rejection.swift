import Lists

extension Redaction {
    /// What is said of a line that is no use; a list that cannot be read has none.
    static func rejection(_ line: Int, of list: String, reason: String) -> String {
        line > 0 ? "\(display(list)): line \(line): \(reason)" : reason
    }
}
