import Lists

extension Redaction {
    /// Returns the message about an unusable line, or the reason alone if there is no line.
    static func rejection(_ line: Int, of list: String, reason: String) -> String {
        line > 0 ? "\(display(list)): line \(line): \(reason)" : reason
    }
}
