import Raster

/// All that the cache inspection screen is made from: a window of the index, never all of it.
package struct CacheScreenState: Sendable, Equatable {
    enum Focus: Sendable, Equatable {
        case table, filter
        case totals(top: Int)
        case help(page: Int)
        /// The question whether this is to go.
        case confirm(CacheDeletion)
        /// The question where these entries are to be written.
        case export([String])
    }

    /// The rows on hand and the query they answer.
    struct Window: Sendable, Equatable {
        enum Rows: Sendable, Equatable {
            case entries([CacheRow])
            case groups([CacheGroupRow])
        }

        let query: CacheQuery
        private(set) var rows: Rows
        let count: Int

        mutating func setPinned(_ isPinned: Bool, _ ids: Set<String>) {
            guard case .entries(var entries) = rows else { return }
            for place in entries.indices where ids.contains(entries[place].id) { entries[place].isPinned = isPinned }
            rows = .entries(entries)
        }
    }

    /// What is known of the selected entry.
    struct Shown: Sendable, Equatable {
        let request: RequestID
        let id: String
        let box: PixelSize
        var details: CacheRowDetails?
        var preview: CachePreview?
    }

    package let isASCII: Bool
    /// Whether there is no other screen behind this one.
    package let isStandalone: Bool
    var size = GridSize(columns: 0, rows: 0)
    var cell = CellSize.fallback
    /// Milliseconds of the last tick.
    var now = 0

    var order = CacheQuery.Order.used
    var ascending = false
    var filter = TextField()
    /// What the entries are grouped by; nil lists them one by one.
    var grouping: CacheQuery.Grouping?
    /// The group whose entries are listed, while they are grouped.
    var openGroup: CacheGroupRow?
    /// Where the cursor stood among the groups, and where it is to stand when the next answer is there.
    var groupPlace = 0
    var returnPlace: Int?
    var viewport = Viewport()
    var window: Window?
    /// Why the last query has no answer, for as long as that holds.
    var problem: String?
    /// The query that has not been answered yet.
    var pending: CacheQuery?
    var lastRequest = RequestID(0)
    /// How often details were asked for.
    var detailRequests = 0
    /// Whether the window must be read again, though it covers what is shown.
    var isStale = false
    /// When the window was last read, and when the totals were last asked for.
    var lastRead = 0
    var lastTotalsRequest = 0

    /// The marked entries by their identifier, as they were last seen.
    var marks: [String: CacheRow] = [:]
    var totals: CacheTotals?
    var focus = Focus.table
    var showsDetails = false
    /// The first line of the details that is shown.
    var detailsTop = 0
    var shown: Shown?
    /// Where the chosen entries are to be written.
    var exportPath = TextField()
    var notice: Notice?

    /// How often the totals are looked at while nothing happens, in milliseconds; when they have changed, the window
    /// is read again.
    static let refreshInterval = 2000
    /// After how long the window is read again all the same, as ages change.
    static let staleInterval = 30_000

    package init(isASCII: Bool = false, isStandalone: Bool = false) {
        self.isASCII = isASCII
        self.isStandalone = isStandalone
    }

    /// A screen that begins where this one is: with what is filtered, sorted, grouped, marked and chosen.
    package func reopened() -> CacheScreenState {
        var state = CacheScreenState(isASCII: isASCII, isStandalone: isStandalone)
        (state.order, state.ascending, state.filter) = (order, ascending, filter)
        (state.grouping, state.openGroup, state.groupPlace) = (grouping, openGroup, groupPlace)
        (state.marks, state.showsDetails, state.totals) = (marks, showsDetails, totals)
        state.returnPlace = viewport.cursor
        return state
    }

    /// Milliseconds to the next tick that is needed; the screen follows what other processes do to the cache.
    package var tickInterval: Int? { notice == nil ? CacheScreenState.refreshInterval : 250 }

    var count: Int { window?.count ?? 0 }
    var glyphs: GlyphSet { GlyphSet.set(isASCII: isASCII) }
    var layout: CacheScreenLayout {
        CacheScreenLayout(size: size, showsDetails: showsDetails && !listsGroups && !showsTotals)
    }

    private var showsTotals: Bool { if case .totals = focus { true } else { false } }

    var totalsPanel: CacheTotalsPanel? { totals.map { CacheTotalsPanel(totals: $0, layout: layout, glyphs: glyphs) } }

    /// Whether groups are listed, not entries.
    var listsGroups: Bool { grouping != nil && openGroup == nil }

    /// What the index is asked for: the typed filter, and the group that is open.
    var wholeFilter: String {
        [openGroup?.filter, filter.text].compactMap { $0.flatMap { $0.isEmpty ? nil : $0 } }.joined(separator: " ")
    }

    /// The row of the table at a place in the whole result, when it is on hand.
    func row(at place: Int) -> CacheRow? {
        guard let window, case .entries(let rows) = window.rows else { return nil }
        let offset = place - window.query.offset
        return rows.indices.contains(offset) ? rows[offset].aged(bySeconds: (now - lastRead) / 1000) : nil
    }

    /// Where an entry stands in the whole result, when it is on hand.
    func place(of id: String) -> Int? {
        guard let window, case .entries(let rows) = window.rows else { return nil }
        return rows.firstIndex { $0.id == id }.map { window.query.offset + $0 }
    }

    /// Where the group of a filter stands, when it is on hand.
    func place(ofGroup filter: String) -> Int? {
        guard let window, case .groups(let rows) = window.rows else { return nil }
        return rows.firstIndex { $0.filter == filter }.map { window.query.offset + $0 }
    }

    func group(at place: Int) -> CacheGroupRow? {
        guard let window, case .groups(let rows) = window.rows else { return nil }
        let offset = place - window.query.offset
        return rows.indices.contains(offset) ? rows[offset] : nil
    }

    var selected: CacheRow? { row(at: viewport.cursor) }
    var selectedGroup: CacheGroupRow? { group(at: viewport.cursor) }

    /// What an action is about: the marked entries or, when there are none, the selected one.
    var targets: [String: CacheRow] {
        if !marks.isEmpty { return marks }
        return selected.map { [$0.id: $0] } ?? [:]
    }
}

/// Where everything stands on the inspection screen.
struct CacheScreenLayout: Equatable {
    /// The facts, their divider included, at least and at most.
    static let detailRows = 8...18
    /// From so many columns on there is a picture beside the facts.
    static let previewColumns = 70

    let size: GridSize
    /// The line of totals and the column titles.
    let headerRows: Int
    let table: Rect
    let details: Rect
    /// Within the details, at their right; empty where there is no room for it.
    let preview: Rect
    let ruleRow: Int?
    let statusRow: Int?

    init(size: GridSize, showsDetails: Bool) {
        self.size = size
        headerRows = size.rows >= 5 ? 2 : 0
        ruleRow = size.rows >= 6 ? size.rows - 2 : nil
        statusRow = size.rows > 1 ? size.rows - 1 : nil
        let end = ruleRow ?? statusRow ?? size.rows
        let room = end - headerRows
        let rows = showsDetails ? Self.tableRows(in: room) : room
        let detailRows = room - rows
        table = Rect(column: 0, row: headerRows, columns: size.columns, rows: rows)
        details = Rect(column: 0, row: headerRows + rows, columns: size.columns, rows: detailRows)
        let width = size.columns >= Self.previewColumns ? size.columns / 3 : 0
        preview = Rect(
            column: size.columns - width, row: details.row + 1, columns: max(0, width - 1),
            rows: max(0, detailRows - 1))
    }

    /// How much the details leave of some rows; where there are few, only the entry's own.
    private static func tableRows(in room: Int) -> Int {
        guard room >= detailRows.lowerBound + 4 else { return min(1, room) }
        return room - min(detailRows.upperBound, max(detailRows.lowerBound, room / 2))
    }
}
