import AlcedoScreen
import Raster

/// A pending deletion, fixed when the question is shown, because the table may change before the answer.
struct CacheDeletion: Sendable, Equatable {
    private(set) var target: CacheTarget
    /// The entries; empty if a filter selects them.
    let rows: [CacheRow]
    /// The entries of a filter in words.
    let words: String?
    private(set) var entries: Int
    /// The bytes of the entries; unknown for all listed entries until they are measured.
    private(set) var bytes: Int?
    /// The bytes that the deletion frees: content that other entries share stays.
    private var freed: Int?

    /// Updates the amount that the deletion would remove; ignores a result for another one.
    mutating func setMeasured(_ measured: CacheTarget, entries: Int, bytes: Int) {
        guard measured.isSame(as: target) else { return }
        // A filter may select other entries by now.
        if self.bytes == nil || self.entries != entries { self.bytes = bytes }
        (target, self.entries, freed) = (measured, entries, bytes)
    }

    var title: String { "delete \(CacheText.entries(entries))\(bytes.map { ", \(Units.bytes($0))" } ?? "")?" }

    /// Returns the question in at most `rows` rows: the addresses that fit, what stays on the disk, what is pinned.
    func sheet(columns: Int, rows: Int, _ glyphs: GlyphSet) -> Sheet {
        let notes = notes.map { StyledText("   \($0)", .warning) }
        let lines = words.map { [StyledText("   \($0)")] } ?? lines(columns: columns, glyphs)
        let room = rows - 1 - notes.count
        return Sheet(title: title, rows: (room > 0 ? Sheet.fitted(lines, to: room) : []) + notes, style: .failure)
    }

    /// The addresses, with what tells entries of one address apart on a screen that has room for it.
    private func lines(columns: Int, _ glyphs: GlyphSet) -> [StyledText] {
        let kinds = rows.map {
            let kind = columns < 80 ? "" : $0.processor.isEmpty ? $0.kind : $0.processor
            return Fitting.truncate(kind, to: 24, ellipsis: glyphs.ellipsis)
        }
        let width = kinds.map(CellWidth.of).max() ?? 0
        // The state in which a file was read tells its user nothing.
        let addresses = rows.map { row in
            row.address.hasPrefix("file:") ? String(row.address.prefix { $0 != "#" }) : row.address
        }
        // The sizes stand beside the longest address.
        let longest = addresses.map(CellWidth.of).max() ?? 0
        let columns = min(columns, longest + width + Units.bytesWidth + 9)
        return zip(zip(rows, addresses), kinds).map { row, kind in
            let size = Fitting.pad(Units.bytes(row.0.bytes), to: Units.bytesWidth, .trailing)
            return Sheet.row(row.1, end: "\(Fitting.pad(kind, to: width))  \(size)", columns: columns, glyphs)
        }
    }

    private var notes: [String] {
        let pinned = rows.count(where: \.isPinned)
        let pins = entries == 1 ? "it is pinned" : "\(Units.count(pinned)) of them \(pinned == 1 ? "is" : "are") pinned"
        let isShared = freed.map { $0 < bytes ?? 0 || $0 == 0 } ?? false
        let what = freed == 0 ? "these bytes" : "some of these bytes"
        return [
            isShared ? "other entries share \(what): frees \(Units.bytes(freed ?? 0))" : nil,
            words != nil ? "pinned ones too" : pinned > 0 ? pins : nil,
        ].compactMap(\.self)
    }
}

extension CacheDeletion {
    /// Creates a deletion of the marked or selected entries or the selected group; nil if there are none.
    init?(_ state: CacheScreenState) {
        let rows = state.targets.values.sorted { ($0.address, $0.kind, $0.id) < ($1.address, $1.kind, $1.id) }
        if !rows.isEmpty {
            self.init(
                target: .entries(state.targets.keys.sorted()), rows: rows, words: nil, entries: rows.count,
                bytes: rows.reduce(0) { $0.addingClamped(max(0, $1.bytes)) })
        } else if let group = state.selectedGroup {
            let filter = [group.filter, state.filter.text].filter { !$0.isEmpty }.joined(separator: " ")
            self.init(
                target: .filter(filter), rows: [], words: "all of \(CacheText.name(of: group, by: state.grouping))",
                entries: group.entries, bytes: group.bytes)
        } else {
            return nil
        }
    }

    /// Creates a deletion of all listed entries; nil if there are none or the list is not known.
    init?(allOf state: CacheScreenState) {
        guard state.problem == nil, let window = state.window, window.count > 0 else { return nil }
        self.init(target: .filter(window.query.filter), rows: [], words: "all that is listed", entries: window.count)
    }
}
