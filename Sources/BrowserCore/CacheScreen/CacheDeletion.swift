/// What is to be deleted, settled when the question is put: what the table shows may change before the answer.
enum CacheDeletion: Sendable, Equatable {
    /// By their identifiers; a lone one has a name.
    case entries([String], name: String?, bytes: Int, pinned: Int)
    /// All that a filter selects, a group by its name; what comes after `last`, once that is known, stays.
    case group(String, filter: String, entries: Int, bytes: Int, last: String? = nil)
    /// All that a filter selects, as the table lists it; how much that is takes a while to know.
    case listed(filter: String, entries: Int, bytes: Int?, last: String? = nil)

    /// What is marked or chosen; nil where that is nothing.
    init?(_ state: CacheScreenState) {
        let targets = state.targets
        if !targets.isEmpty {
            let only = targets.count == 1 ? targets.values.first?.name : nil
            self = .entries(
                targets.keys.sorted(), name: only, bytes: Self.sum(targets.values.map(\.bytes)),
                pinned: targets.values.count(where: \.isPinned))
        } else if let group = state.selectedGroup {
            let filter = [group.filter, state.filter.text].filter { !$0.isEmpty }.joined(separator: " ")
            let name = CacheText.name(of: group, by: state.grouping)
            self = .group(name, filter: filter, entries: group.entries, bytes: group.bytes)
        } else {
            return nil
        }
    }

    /// All that the table lists; nil where that is nothing, or not known.
    init?(allOf state: CacheScreenState) {
        guard state.problem == nil, let window = state.window, window.count > 0 else { return nil }
        self = .listed(filter: window.query.filter, entries: window.count, bytes: nil)
    }

    /// Asks how much would go: contents that others need stay.
    var weighing: CacheScreenEffect {
        switch self {
        case .entries(let ids, _, _, _): .measureEntries(ids)
        case .group(_, let filter, _, _, _), .listed(let filter, _, _, _): .measure(filter: filter)
        }
    }

    /// With what would go of these entries; the same where others were weighed.
    func weighing(_ weighed: [String], bytes: Int) -> CacheDeletion {
        guard case .entries(weighed, let name, _, let pinned) = self else { return self }
        return .entries(weighed, name: name, bytes: bytes, pinned: pinned)
    }

    /// With what would go, contents that others need left out; the same where another filter was weighed.
    func weighing(_ weighed: String, entries: Int, bytes: Int, last: String) -> CacheDeletion {
        switch self {
        case .group(let name, weighed, _, _, _):
            .group(name, filter: weighed, entries: entries, bytes: bytes, last: last)
        case .listed(weighed, _, _, _): .listed(filter: weighed, entries: entries, bytes: bytes, last: last)
        case .entries, .group, .listed: self
        }
    }

    /// In so many cells: of what is too long the name is shortened, never what goes with it.
    func question(width: Int, ellipsis: String) -> String {
        let whole = "delete \(facts)?"
        let room = width - CellWidth.of(whole) - 2
        guard let name, room >= max(4, leastNameWidth) else {
            let text = leastNameWidth == 0 ? whole : "delete \(name ?? ""), \(facts)?"
            return Fitting.truncate(text, to: width, ellipsis: ellipsis)
        }
        return "delete \(Fitting.truncateMiddle(name, to: room, ellipsis: ellipsis)), \(facts)?"
    }

    /// How wide the question is with the least of its name.
    var leastWidth: Int { CellWidth.of("delete \(facts)?") + (leastNameWidth == 0 ? 0 : leastNameWidth + 2) }

    /// Many have their number; one has nothing but its name.
    private var leastNameWidth: Int {
        if case .entries(_, let name?, _, _) = self { min(6, CellWidth.of(name)) } else { 0 }
    }

    private var name: String? {
        switch self {
        case .entries(_, let name, _, _): name
        case .group(let name, _, _, _, _): "all of \(name)"
        case .listed: "all that is listed"
        }
    }

    private var facts: String {
        switch self {
        case .entries(let ids, let name, let bytes, let pinned):
            (name == nil ? CacheText.entries(ids.count) + ", " : "") + Units.bytes(bytes)
                + Self.note(of: ids.count, pinned)
        case .group(_, _, let entries, let bytes, _):
            "\(CacheText.entries(entries)), \(Units.bytes(bytes)), pinned ones too"
        case .listed(_, let entries, let bytes, _):
            "\(CacheText.entries(entries))\(bytes.map { ", " + Units.bytes($0) } ?? ""), pinned ones too"
        }
    }

    private static func note(of count: Int, _ pinned: Int) -> String {
        guard pinned > 0 else { return "" }
        return count == 1 ? ", pinned" : ", \(Units.count(pinned)) of them pinned"
    }

    var effect: CacheScreenEffect {
        switch self {
        case .entries(let ids, _, _, _): .delete(ids)
        case .group(_, let filter, _, _, let last), .listed(let filter, _, _, let last):
            .deleteAll(filter: filter, last: last)
        }
    }

    private static func sum(_ bytes: [Int]) -> Int {
        bytes.reduce(0) { sum, bytes in
            let (total, overflow) = sum.addingReportingOverflow(max(0, bytes))
            return overflow ? .max : total
        }
    }
}
