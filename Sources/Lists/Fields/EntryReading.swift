/// An entry while its fields are read, in any order.
///
/// A bad alternative or low-data place is told and left out; any other bad field makes the whole entry a bad one.
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
        do {
            try entry.set(field, to: value, from: base)
        } catch {
            if field == .alternatives || field == .lowData { notes.append(error.description) } else { fault = error }
        }
    }

    /// What was read: the entry, or what is wrong with it.
    func finish(into events: inout [ListEvent]) {
        let isMissing = fault == nil && entry.location.isEmpty
        let reasons = isMissing ? ["no url"] : fault.map { [$0.description] } ?? notes
        for reason in reasons { events.append(.rejected(line: entry.line, reason: reason)) }
        if fault == nil, !isMissing { events.append(.entry(entry)) }
    }
}
