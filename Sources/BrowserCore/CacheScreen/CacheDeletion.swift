/// What is to be deleted, settled when the question is put: what the table shows may change before the answer.
enum CacheDeletion: Sendable, Equatable {
    /// By their identifiers; a lone one has a name.
    case entries([String], name: String?, bytes: Int)
    /// All that a filter selects, a group by its name.
    case group(String, filter: String, entries: Int, bytes: Int)

    /// nil where there is nothing to delete.
    init?(_ state: CacheScreenState) {
        let targets = state.targets
        if !targets.isEmpty {
            let only = targets.count == 1 ? targets.keys.first.flatMap(state.place(of:)).flatMap(state.row(at:)) : nil
            self = .entries(targets.keys.sorted(), name: only?.name, bytes: Self.sum(targets.values))
        } else if let group = state.selectedGroup {
            let filter = [group.filter, state.filter.text].filter { !$0.isEmpty }.joined(separator: " ")
            let name = CacheText.name(of: group, by: state.grouping)
            self = .group(name, filter: filter, entries: group.entries, bytes: group.bytes)
        } else {
            return nil
        }
    }

    var question: String {
        switch self {
        case .entries(let ids, let name, let bytes):
            "delete \(name ?? CacheText.entries(ids.count)), \(Units.bytes(bytes))?"
        case .group(let name, _, let entries, let bytes):
            "delete all of \(name): \(CacheText.entries(entries)), \(Units.bytes(bytes))?"
        }
    }

    var effect: CacheScreenEffect {
        switch self {
        case .entries(let ids, _, _): .delete(ids)
        case .group(_, let filter, _, _): .deleteAll(filter: filter)
        }
    }

    private static func sum(_ bytes: some Sequence<Int>) -> Int {
        bytes.reduce(0) { sum, bytes in
            let (total, overflow) = sum.addingReportingOverflow(max(0, bytes))
            return overflow ? .max : total
        }
    }
}
