import AlcedoScreen
import Raster

/// A pending deletion, fixed when the question is shown, because the table may change before the answer.
struct CacheDeletion: Sendable, Equatable {
    var target: CacheTarget
    /// The name of a single entry, or a description of a filter's entries.
    let name: String?
    var entries: Int
    /// Unknown for all listed entries until they are measured.
    var bytes: Int?
    var pinned = 0

    /// Updates the amount that the deletion would remove; ignores a result for another one.
    mutating func setMeasured(_ measured: CacheTarget, entries: Int, bytes: Int) {
        guard measured.isSame(as: target) else { return }
        (target, self.entries, self.bytes) = (measured, entries, bytes)
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
        return [count, bytes.map { $0 > 0 ? Units.bytes($0) : "frees no space" }, isFilter ? "pinned ones too" : pins]
            .compactMap(\.self)
            .joined(separator: ", ")
    }
}

extension CacheDeletion {
    /// Creates a deletion of the marked or selected entries or the selected group; nil if there are none.
    init?(_ state: CacheScreenState) {
        let rows = state.targets.values
        if !rows.isEmpty {
            let bytes = rows.reduce(0) { $0.addingClamped(max(0, $1.bytes)) }
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
