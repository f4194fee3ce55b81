/// A pending deletion, fixed when the question is shown, because the table may change before the answer.
struct CacheDeletion: Sendable, Equatable {
    enum Target: Sendable, Equatable {
        /// Entries by their identifiers.
        case entries([String])
        /// All entries that a filter matches, except those newer than `last` if it is known.
        case filter(String, last: String? = nil)
    }

    var target: Target
    /// The name of a single entry, or a description of a filter's entries.
    let name: String?
    var entries: Int
    /// Unknown for all listed entries until they are measured.
    var bytes: Int?
    var pinned = 0

    /// The effect that measures the amount that the deletion would remove: content that other entries share stays.
    var measurement: CacheScreenEffect {
        switch target {
        case .entries(let ids): .measureEntries(ids)
        case .filter(let filter, _): .measure(filter: filter)
        }
    }

    /// The effect that performs the deletion.
    var effect: CacheScreenEffect {
        switch target {
        case .entries(let ids): .delete(ids)
        case .filter(let filter, let last): .deleteAll(filter: filter, last: last)
        }
    }

    /// Updates the size of some entries; ignores a result for others.
    mutating func setMeasured(_ ids: [String], bytes: Int) {
        if target == .entries(ids) { self.bytes = bytes }
    }

    /// Updates the amount that a filter matches; ignores a result for another filter.
    mutating func setMeasured(_ filter: String, entries: Int, bytes: Int, last: String) {
        guard case .filter(filter, _) = target else { return }
        (target, self.entries, self.bytes) = (.filter(filter, last: last), entries, bytes)
    }

    /// Returns the question in `width` cells; shortens the name, never the amount.
    func question(width: Int, ellipsis: String) -> String {
        let whole = "delete \(facts)?"
        let room = width - CellWidth.of(whole) - 2
        guard let name, room >= max(4, minimumNameWidth) else {
            let text = minimumNameWidth == 0 ? whole : "delete \(name ?? ""), \(facts)?"
            return Fitting.truncate(text, to: width, ellipsis: ellipsis)
        }
        return "delete \(Fitting.truncateMiddle(name, to: room, ellipsis: ellipsis)), \(facts)?"
    }

    /// The width of the question with the shortest form of its name.
    var minimumWidth: Int { CellWidth.of("delete \(facts)?") + (minimumNameWidth == 0 ? 0 : minimumNameWidth + 2) }

    private var isFilter: Bool { if case .filter = target { true } else { false } }

    /// Only a single entry needs its name; several have their number.
    private var minimumNameWidth: Int { isFilter ? 0 : name.map { min(6, CellWidth.of($0)) } ?? 0 }

    private var facts: String {
        let count = name == nil || isFilter ? CacheText.entries(entries) : nil
        let pins = pinned == 0 ? nil : entries == 1 ? "pinned" : "\(Units.count(pinned)) of them pinned"
        return [count, bytes.map { Units.bytes($0) }, isFilter ? "pinned ones too" : pins].compactMap(\.self)
            .joined(separator: ", ")
    }
}

extension CacheDeletion {
    /// Creates a deletion of the marked or selected entries or the selected group; nil if there are none.
    init?(_ state: CacheScreenState) {
        let rows = state.targets.values
        if !rows.isEmpty {
            let bytes = rows.reduce(0) { sum, row in
                let (total, overflow) = sum.addingReportingOverflow(max(0, row.bytes))
                return overflow ? .max : total
            }
            self.init(
                target: .entries(state.targets.keys.sorted()), name: rows.count == 1 ? rows.first?.name : nil,
                entries: rows.count, bytes: bytes, pinned: rows.count(where: \.isPinned))
        } else if let group = state.selectedGroup {
            let filter = [group.filter, state.filter.text].filter { !$0.isEmpty }.joined(separator: " ")
            self.init(
                target: .filter(filter), name: "all of \(CacheText.name(of: group, by: state.grouping))",
                entries: group.entries, bytes: group.bytes)
        } else {
            return nil
        }
    }

    /// Creates a deletion of all listed entries; nil if there are none or the list is not known.
    init?(allOf state: CacheScreenState) {
        guard state.problem == nil, let window = state.window, window.count > 0 else { return nil }
        self.init(target: .filter(window.query.filter), name: "all that is listed", entries: window.count)
    }
}
