import Lists

extension ListEvent {
    /// The event, with an entry that names another list turned into a rejection.
    var picturesOnly: ListEvent {
        guard case .entry(let entry) = self, let reason = listInList else { return self }
        return .rejected(line: entry.line, reason: reason)
    }

    /// The reason for rejecting an entry that names another list; nil for every other event.
    var listInList: String? {
        guard case .entry(let entry) = self, entry.kind == .list else { return nil }
        return "a list in a list; give it as a source of its own"
    }
}
