/// An entry while its fields are read, in any order.
///
/// A bad field is told and left out, but for those without which the entry would be another: its place, its key, what
/// it is asked for with, how it is checked and what is made of it.
struct EntryReading {
    private var entry: ListEntry
    private let base: ListBase
    private var notes: [String] = []
    private var fault: FieldFault?

    init(line: Int, base: ListBase) {
        entry = ListEntry(line: line, location: "")
        self.base = base
    }

    mutating func set(_ field: ListField, to value: FieldValue) {
        do { try entry.set(field, to: value, from: base) } catch { note(error, of: field) }
    }

    /// Something is wrong with a field.
    mutating func note(_ problem: FieldFault, of field: ListField) {
        switch field {
        case .url, .key, .headers, .sha256, .process: fault = problem
        case .alternatives, .lowData, .priority, .timeToLive, .title, .pin, .tags: notes.append(problem.description)
        }
    }

    /// What was read: the entry, or what is wrong with it.
    ///
    /// `missing` is what is said where there is no address.
    func finish(into events: inout [ListEvent], missing: String = "no url") {
        if let reason = fault?.description ?? (entry.location.isEmpty ? missing : nil) {
            return events.append(.rejected(line: entry.line, reason: reason))
        }
        for reason in notes { events.append(.noted(line: entry.line, reason: reason)) }
        events.append(.entry(entry))
    }
}
