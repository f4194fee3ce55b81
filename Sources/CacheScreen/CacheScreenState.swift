import AlcedoScreen
import Raster

/// The state of the cache screen; it holds a window of the index, never all of it.
package struct CacheScreenState: Sendable, Equatable {
    enum Focus: Sendable, Equatable {
        case table, filter
        case totals(top: Int)
        case help(HelpCursor)
        /// The question whether to delete.
        case confirm(CacheDeletion)
        /// The question where to write these entries.
        case export([String])
    }

    /// The loaded rows and their query.
    struct Window: Sendable, Equatable {
        enum Rows: Sendable, Equatable {
            case entries([CacheRow])
            case groups([CacheGroup])
        }

        let query: CacheQuery
        private(set) var rows: Rows
        let count: Int

        var entries: [CacheRow] { if case .entries(let rows) = rows { rows } else { [] } }
        var groups: [CacheGroup] { if case .groups(let rows) = rows { rows } else { [] } }

        mutating func setPinned(_ isPinned: Bool, _ ids: Set<String>) {
            guard case .entries(var entries) = rows else { return }
            for place in entries.indices where ids.contains(entries[place].id) { entries[place].isPinned = isPinned }
            rows = .entries(entries)
        }
    }

    /// The details of the selected entry; those of the last one stay until they arrive.
    struct Shown: Sendable, Equatable {
        let request: RequestID
        let id: String
        let box: PixelSize
        var details: [DetailLine] = []
        var preview: CachePreview?
    }

    package let isASCII: Bool
    /// Whether there is no other screen behind this one.
    package let isStandalone: Bool
    var size = GridSize(columns: 0, rows: 0)
    var cell = CellSize.fallback
    /// Milliseconds of the last tick.
    var now = 0

    var order = CacheOrder.access
    var ascending = false
    var filter = TextField()
    /// The property by which entries are grouped; nil lists single entries.
    var grouping: CacheGrouping?
    /// The group whose entries are listed while the table is grouped.
    var openGroup: CacheGroup?
    /// The cursor's row among the groups, and the row to restore with the next result.
    var groupPlace = 0
    var returnPlace: Int?
    var viewport = Viewport()
    var window: Window?
    /// The reason why the last query failed.
    var problem: String?
    /// The query that has no result yet.
    var pending: CacheQuery?
    var lastRequest = RequestID(0)
    /// The number of requests for details.
    var detailRequests = 0
    /// Whether the window must be read again although it covers the visible rows.
    var isStale = false
    /// Whether keys arrive together, as pasted text does.
    var areKeysTogether = false
    /// The times when the window was last read and the totals were last requested.
    var lastRead = 0
    var lastTotalsRequest = 0

    /// The marked entries by their identifier, as last seen.
    var marks: [String: CacheRow] = [:]
    var totals: CacheStatistics?
    var focus = Focus.table
    var showsDetails = false
    /// The first visible line of the details.
    var detailsTop = 0
    var shown: Shown?
    /// The path of an export.
    var exportPath = TextField()
    var notice: Notice?

    /// The interval at which totals are requested, in milliseconds; if they changed, the window is read again.
    static let refreshInterval = 2000
    /// The time after which the window is read again in any case, because ages change.
    static let staleInterval = 30_000

    package init(isASCII: Bool = false, isStandalone: Bool = false) {
        (self.isASCII, self.isStandalone) = (isASCII, isStandalone)
    }

    /// Returns a new screen with this one's filter, order, grouping, marks and selection.
    package func reopened() -> CacheScreenState {
        var state = CacheScreenState(isASCII: isASCII, isStandalone: isStandalone)
        (state.order, state.ascending, state.filter) = (order, ascending, filter)
        (state.grouping, state.openGroup, state.groupPlace) = (grouping, openGroup, groupPlace)
        (state.marks, state.showsDetails, state.totals) = (marks, showsDetails, totals)
        state.returnPlace = viewport.cursor
        return state
    }

    /// Milliseconds until the next tick; the screen polls, because other processes can change the cache.
    package var tickInterval: Int? { notice?.end == nil ? CacheScreenState.refreshInterval : 250 }

    var count: Int { window?.count ?? 0 }
    var glyphs: GlyphSet { GlyphSet.set(isASCII: isASCII) }
    var layout: CacheScreenLayout {
        CacheScreenLayout(
            size: size, showsDetails: showsDetails && !listsGroups && !showsTotals,
            sheetRows: { deletion?.sheet(columns: size.columns, rows: $0, glyphs).height ?? 0 })
    }

    var deletion: CacheDeletion? { if case .confirm(let deletion) = focus { deletion } else { nil } }

    private var showsTotals: Bool { if case .totals = focus { true } else { false } }

    var totalsPanel: CacheTotalsPanel? { totals.map { CacheTotalsPanel(totals: $0, layout: layout, glyphs: glyphs) } }

    /// Whether the table lists groups instead of entries.
    var listsGroups: Bool { grouping != nil && openGroup == nil }

    /// The query's filter: the typed one and that of the open group.
    var wholeFilter: String {
        [openGroup?.filter, filter.text].compactMap { $0.flatMap { $0.isEmpty ? nil : $0 } }.joined(separator: " ")
    }

    /// Returns the entry at a place of the whole result, if it is loaded.
    func row(at place: Int) -> CacheRow? {
        loaded(\.entries, at: place)?.aged(bySeconds: (now - lastRead) / 1000)
    }

    func group(at place: Int) -> CacheGroup? { loaded(\.groups, at: place) }

    private func loaded<Row>(_ rows: KeyPath<Window, [Row]>, at place: Int) -> Row? {
        guard let window else { return nil }
        let offset = place - window.query.offset
        return window[keyPath: rows].indices.contains(offset) ? window[keyPath: rows][offset] : nil
    }

    /// Returns the place of an entry or of a group in the whole result, if it is loaded.
    func place(ofEntry id: String?, group filter: String?) -> Int? {
        guard let window else { return nil }
        let index = window.entries.firstIndex { $0.id == id } ?? window.groups.firstIndex { $0.filter == filter }
        return index.map { window.query.offset + $0 }
    }

    var selected: CacheRow? { row(at: viewport.cursor) }
    var selectedGroup: CacheGroup? { group(at: viewport.cursor) }

    /// The entries that a command applies to: the marked ones, or the selected one if none is marked.
    var targets: [String: CacheRow] {
        if !marks.isEmpty { return marks }
        return selected.map { [$0.id: $0] } ?? [:]
    }
}

/// The areas of the cache screen.
struct CacheScreenLayout: Equatable {
    /// The minimum and maximum rows of the details, including their divider.
    static let detailRows = 8...18
    /// The width from which a picture is shown beside the details.
    static let previewColumns = 70

    let size: GridSize
    /// Rows of the totals and the column titles.
    let headerRows: Int
    let table: Rect
    let details: Rect
    /// The right part of the details; empty if there is no room for it.
    let preview: Rect
    /// The question before deleting, below the table instead of the details; empty without one or without room.
    let sheet: Rect
    let ruleRow: Int?
    let statusRow: Int?

    /// - Parameter sheetRows: returns the height of the open sheet in at most so many rows; 0 if none is open.
    init(size: GridSize, showsDetails: Bool, sheetRows: (Int) -> Int) {
        self.size = size
        headerRows = size.rows >= 5 ? 2 : 0
        ruleRow = size.rows >= 6 ? size.rows - 2 : nil
        statusRow = size.rows > 1 ? size.rows - 1 : nil
        let end = ruleRow ?? statusRow ?? size.rows
        let room = end - headerRows
        let rows = showsDetails ? Self.tableRows(in: room) : room
        let detailRows = room - rows
        let most = max(room / 2, min(Sheet.usualHeight, room - 3))
        let sheetRows = most > 1 ? min(most, sheetRows(most)) : 0
        sheet = Rect(column: 0, row: end - sheetRows, columns: size.columns, rows: sheetRows)
        table = Rect(column: 0, row: headerRows, columns: size.columns, rows: sheetRows > 0 ? room - sheetRows : rows)
        details = Rect(column: 0, row: headerRows + rows, columns: size.columns, rows: detailRows)
        let width = size.columns >= Self.previewColumns ? size.columns / 3 : 0
        preview = Rect(
            column: size.columns - width, row: details.row + 1, columns: max(0, width - 1),
            rows: max(0, detailRows - 1))
    }

    /// Returns the rows that the details leave to the table; at least the selected entry's row.
    private static func tableRows(in room: Int) -> Int {
        guard room >= detailRows.lowerBound + 4 else { return min(1, room) }
        return room - min(detailRows.upperBound, max(detailRows.lowerBound, room / 2))
    }
}
