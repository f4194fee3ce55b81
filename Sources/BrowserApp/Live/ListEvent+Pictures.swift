import Lists

extension ListEvent {
    /// The same, but that the name of another list is no picture.
    var picturesOnly: ListEvent {
        guard case .entry(let entry) = self, let reason = listInList else { return self }
        return .rejected(line: entry.line, reason: reason)
    }

    /// Why the programs pass it over when it names another list; nil for everything else.
    var listInList: String? {
        guard case .entry(let entry) = self, entry.kind == .list else { return nil }
        return "a list in a list; give it as a source of its own"
    }
}
