import Raster

/// All that the cache inspection screen is made from: a window of the index, never all of it.
public struct CacheScreenState: Sendable, Equatable {
    enum Focus: Sendable, Equatable {
        case table, filter, confirm, help
    }

    /// The rows on hand and the query they answer.
    struct Window: Sendable, Equatable {
        let query: CacheQuery
        var rows: [CacheRow]
        let count: Int
    }

    public let isASCII: Bool
    var size = GridSize(columns: 0, rows: 0)
    /// Milliseconds of the last tick.
    var now = 0

    var order = CacheQuery.Order.used
    var ascending = false
    var filter = TextField()
    var viewport = Viewport()
    var window: Window?
    /// The query that has not been answered yet.
    var pending: CacheQuery?
    var lastRequest = RequestID(0)
    /// Whether the window must be read again, though it covers what is shown.
    var isStale = false
    var lastAnswer = 0

    /// Bytes of the marked entries by their identifier.
    var marks: [String: Int] = [:]
    var totals: CacheTotals?
    var focus = Focus.table
    var showsDetails = false
    var notice: Notice?

    /// How often the window is read again while nothing happens, in milliseconds.
    static let refreshInterval = 2000

    public init(isASCII: Bool = false) { self.isASCII = isASCII }

    /// Milliseconds to the next tick that is needed; the screen follows what other processes do to the cache.
    public var tickInterval: Int? { notice == nil ? CacheScreenState.refreshInterval : 250 }

    var count: Int { window?.count ?? 0 }
    var glyphs: GlyphSet { GlyphSet.set(isASCII: isASCII) }
    var layout: CacheScreenLayout { CacheScreenLayout(size: size, showsDetails: showsDetails) }

    /// The row of the table at a place in the whole result, when it is on hand.
    func row(at place: Int) -> CacheRow? {
        guard let window else { return nil }
        let offset = place - window.query.offset
        return window.rows.indices.contains(offset) ? window.rows[offset] : nil
    }

    var selected: CacheRow? { row(at: viewport.cursor) }

    /// What a deletion is about: the marked entries or, when there are none, the selected one.
    var targets: [String: Int] {
        if !marks.isEmpty { return marks }
        return selected.map { [$0.id: $0.bytes] } ?? [:]
    }
}

/// Where everything stands on the inspection screen.
struct CacheScreenLayout: Equatable {
    static let detailRows = 6

    let size: GridSize
    /// The line of totals and the column titles.
    let headerRows: Int
    let table: Rect
    let details: Rect
    let ruleRow: Int?
    let statusRow: Int?

    init(size: GridSize, showsDetails: Bool) {
        self.size = size
        headerRows = size.rows >= 5 ? 2 : 0
        ruleRow = size.rows >= 6 ? size.rows - 2 : nil
        statusRow = size.rows > 1 ? size.rows - 1 : nil
        let end = ruleRow ?? statusRow ?? size.rows
        let detailRows = showsDetails && end - headerRows >= 12 ? CacheScreenLayout.detailRows : 0
        let rows = end - headerRows - detailRows
        table = Rect(column: 0, row: headerRows, columns: size.columns, rows: rows)
        details = Rect(column: 0, row: headerRows + rows, columns: size.columns, rows: detailRows)
    }
}
