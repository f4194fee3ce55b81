import AlcedoScreen
import Raster
import TestSupport

@testable import AlcedoCacheScreen

/// A cache screen driven by messages, over an index of numbered entries.
struct InspectionScreen {
    var state = CacheScreenState()
    var effects: [CacheScreenEffect] = []
    var entries = 412

    init(columns: Int = 120, rows: Int = 30) {
        send(.resized(GridSize(columns: columns, rows: rows), .fallback))
    }

    var frame: Frame { state.frame }
    var query: CacheQuery? { request?.query }
    /// The request for details in the effects of the last message.
    var detailRequest: RequestID? {
        for case .details(let id, _, _) in effects { return id }
        return nil
    }

    /// The title and the rows of the question before deleting.
    var question: [String] {
        let sheet = state.layout.sheet
        return (sheet.row..<sheet.row + sheet.rows).map { row in
            let ends: (Character) -> Bool = { "─ ".contains($0) }
            let text = frame.row(row).drop(while: ends).reversed().drop(while: ends)
            return String(text.reversed())
        }
    }

    private var request: (id: RequestID, query: CacheQuery)? {
        for case .query(let id, let query) in effects { return (id, query) }
        return nil
    }

    mutating func send(_ message: CacheScreenMessage) {
        effects = state.update(message)
    }

    mutating func press(_ keys: Key...) {
        effects = keys.flatMap { state.update(.key($0)) }
    }

    /// Sends the result of the last query; `newcomers` entries precede all others.
    mutating func answer(newcomers: Int = 0, changing change: (inout CacheRow) -> Void = { _ in }) {
        guard let (id, query) = request else { return }
        if query.grouping != nil {
            return send(
                .groups(id, offset: query.offset, rows: (query.offset..<4).map(InspectionScreen.group), count: 4))
        }
        let places = query.offset..<max(query.offset, min(entries, query.offset + query.limit))
        var rows = places.map { InspectionScreen.row($0 < newcomers ? entries + $0 : $0 - newcomers) }
        for place in rows.indices { change(&rows[place]) }
        send(.rows(id, offset: query.offset, rows: rows, count: entries))
    }

    static func row(_ number: Int) -> CacheRow {
        let names = ["dunes-at-noon.jpg", "dunes-at-noon.jpg", "poster.png", "broken.jpg", "夜の港と灯台.webp"]
        let isProcessed = number % 5 == 1
        let host = number % 5 == 2 ? "cdn.example.net" : "images.example.org"
        return CacheRow(
            id: "key-\(number)", state: number % 5 == 3 ? .damaged : (number % 7 == 6 ? .expired : .live),
            isPinned: number % 5 == 2, kind: isProcessed ? "processed" : "original",
            host: host, name: names[number % 5], address: "https://\(host)/2026/\(names[number % 5])",
            bytes: 90_112 + number * 200_000, size: number % 5 == 3 ? nil : PixelSize(width: 1680, height: 1050),
            processor: isProcessed ? "downsample |> round(20)" : "", hits: number * 3, secondsSinceUse: number * 90,
            secondsToExpiry: number % 5 == 4 ? nil : 518_400)
    }

    static func group(_ number: Int) -> CacheGroup {
        let hosts = ["images.example.org", "cdn.example.net", "夜の港.example", ""]
        return CacheGroup(
            value: hosts[number % 4], filter: "host:\(hosts[number % 4])", entries: 300 / (number + 1),
            bytes: 900_000_000 / (number + 1), hits: 700 - number)
    }

    static let details = [
        ("address", "https://images.example.org/2026/07/dunes-at-noon.jpg?token=…"), ("key", "3fa9c2d1b04e"),
        ("kind", "processed: downsample |> round(20)"), ("state", "live"), ("picture", "JPEG, 1680×1050, RGB, 8 bits"),
        ("size", "283 KiB (290,112 bytes)"), ("used", "3 times, last 90 s ago; stored 11 min ago"),
        ("expires", "in 6 d"), ("eviction", "after 12 entries, 4.5 MiB used longer ago"), ("etag", "\"5f3-1a\""),
        ("modified", "Sat, 21 Nov 2026 10:25:19 GMT"), ("sha256", String(repeating: "ab", count: 32)),
        ("variant", "processed, round(20), 88 KiB, PNG, 912×570, 5c01a7d2e9f4"), ("header", "Content-Type: image/jpeg"),
        ("header", "Cache-Control: max-age=86400"),
    ].map { DetailLine($0, $1) }

    /// A screen whose first rows and totals have loaded.
    static func filled(columns: Int = 120, rows: Int = 30) -> InspectionScreen {
        var screen = InspectionScreen(columns: columns, rows: rows)
        screen.answer()
        screen.send(.totals(totals()))
        return screen
    }

    static func totals(misses: Int = 130) -> CacheStatistics {
        var (run, life) = (CacheTally(), CacheTally())
        (run.memoryHits, run.diskHits, run.misses, run.bytesSaved) = (70, 21, 9, 40_000_000)
        (life.memoryHits, life.diskHits, life.revalidated, life.misses) = (500, 370, 40, 40 + misses)
        (life.bytesSaved, life.damaged) = (9_878_424_780, 3)
        life.evictions = [.expired: 14, .sizeLimit: 1_203]
        var totals = CacheStatistics()
        (totals.entries, totals.bytes, totals.space) = (412, 1_503_238_553, 1_503_300_000)
        (totals.limit, totals.diskBytes) = (5_368_709_120, 1_604_000_000)
        (totals.memoryBytes, totals.memoryLimit) = (118 << 20, 256 << 20)
        (totals.run, totals.life, totals.damagedEntries, totals.expiredEntries) = (run, life, 1, 14)
        return totals
    }
}
