import Raster
import TestSupport
import Testing

@testable import BrowserCore

/// An inspection screen driven by messages, over an index of numbered entries.
private struct Screen {
    var state = CacheScreenState()
    var effects: [CacheScreenEffect] = []
    var entries = 412

    init(columns: Int = 120, rows: Int = 30) {
        send(.resized(GridSize(columns: columns, rows: rows), .fallback))
    }

    var frame: Frame { CacheScreenView.frame(state) }
    var query: CacheQuery? { request?.query }

    private var request: (id: RequestID, query: CacheQuery)? {
        for case .query(let id, let query) in effects { return (id, query) }
        return nil
    }

    mutating func send(_ message: CacheScreenMessage) {
        effects = CacheScreenUpdate.update(&state, message)
    }

    mutating func press(_ keys: Key...) {
        effects = keys.flatMap { CacheScreenUpdate.update(&state, .key($0)) }
    }

    /// Answers the query that the last message asked, as the index would.
    mutating func answer() {
        guard let (id, query) = request else { return }
        let rows = (query.offset..<max(query.offset, min(entries, query.offset + query.limit))).map(Screen.row)
        send(.rows(id, offset: query.offset, rows: rows, count: entries))
    }

    static func row(_ number: Int) -> CacheRow {
        let names = ["dunes-at-noon.jpg", "dunes-at-noon.jpg", "poster.png", "broken.jpg", "夜の港と灯台.webp"]
        let isProcessed = number % 5 == 1
        return CacheRow(
            id: "key-\(number)", state: number % 5 == 3 ? .damaged : (number % 7 == 6 ? .expired : .fresh),
            isPinned: number % 5 == 2, kind: isProcessed ? "processed" : "original",
            host: number % 5 == 2 ? "cdn.example.net" : "images.example.org", name: names[number % 5],
            bytes: 90_112 + number * 200_000, size: number % 5 == 3 ? nil : PixelSize(width: 1680, height: 1050),
            processor: isProcessed ? "downsample |> round(20)" : "", hits: number * 3, secondsSinceUse: number * 90,
            secondsToExpiry: number % 5 == 4 ? nil : 518_400)
    }
}

@Suite("The cache screen")
struct CacheScreenTests {
    private func screen(columns: Int = 120, rows: Int = 30) -> Screen {
        var screen = Screen(columns: columns, rows: rows)
        screen.answer()
        screen.send(
            .totals(
                CacheTotals(
                    entries: 412, bytes: 1_503_238_553, limit: 5_368_709_120, hits: 870, lookups: 1000,
                    bytesSaved: 9_878_424_780)))
        return screen
    }

    @Test("120 columns: totals, table, keys")
    func wide() throws {
        var screen = screen()
        screen.press(.character("j"), .character(" "), .character("k"))
        try Golden.expect(screen.frame.text, matches: "wide")
    }

    @Test("80 columns: the less needed columns go, i shows them all below")
    func details() throws {
        var screen = screen(columns: 80, rows: 24)
        screen.press(.character("j"), .character("i"))
        try Golden.expect(screen.frame.text, matches: "details")
    }

    @Test("? lists the keys")
    func help() throws {
        var screen = screen(columns: 80, rows: 24)
        screen.press(.character("?"))
        try Golden.expect(screen.frame.text, matches: "help")
        screen.press(.escape)
        #expect(screen.state.focus == .table)
    }

    @Test("Reads three screens around what is visible, never all")
    func window() {
        let screen = Screen()
        let expected = CacheQuery(order: .used, ascending: false, filter: "", offset: 0, limit: 78)
        #expect(screen.query == expected)
    }

    @Test("Reads on only when the rows on hand do not do")
    func scrolling() {
        var screen = screen()
        for _ in 0..<70 {
            screen.press(.down)
            #expect(screen.effects.isEmpty)
        }
        screen.press(.end)
        #expect(screen.query?.offset == 412 - 26 - 26)
        screen.press(.up)
        #expect(screen.effects.isEmpty)
    }

    @Test("Rows of an older query are dropped")
    func stale() {
        var screen = screen()
        screen.press(.character("s"))
        screen.send(.rows(RequestID(1), offset: 0, rows: [Screen.row(3)], count: 1))
        #expect(screen.state.count == 412)
        screen.answer()
        screen.entries = 5
        screen.press(.character("r"))
        screen.answer()
        #expect(screen.state.count == 5)
    }

    @Test("s goes through the orders, S turns the order around, both from the top")
    func sorting() {
        var screen = screen()
        screen.press(.end)
        screen.answer()
        screen.press(.character("s"))
        #expect(screen.query?.order == .size)
        #expect(screen.query?.offset == 0)
        screen.press(.character("S"))
        #expect(screen.query?.ascending == true)
    }

    @Test("The filter is asked of the index as it is typed, Esc clears it")
    func filter() {
        var screen = screen()
        screen.press(.character("/"), .character("h"), .character("o"))
        #expect(screen.query?.filter == "h")
        #expect(screen.state.pending?.filter == "ho")
        #expect(screen.frame.cursor == Position(column: 5, row: 29))
        screen.press(.escape)
        #expect(screen.query?.filter == "")
    }

    @Test("d asks with count and bytes, y deletes, anything else keeps")
    func deletion() {
        var screen = screen()
        screen.press(.character(" "), .character(" "), .character("d"))
        #expect(screen.frame.row(29).hasPrefix(" delete 2 entries, 371 KiB?"))
        screen.press(.character("n"))
        #expect(screen.effects.isEmpty)
        screen.press(.character("d"), .character("y"))
        #expect(screen.effects == [.delete(["key-0", "key-1"])])
        screen.send(.deleted(entries: 2, bytes: 380_224))
        #expect(screen.query != nil)
        #expect(screen.frame.row(29).contains("deleted 2 entries, 371 KiB"))
        screen.press(.character("d"), .character("y"))
        #expect(screen.effects == [.delete(["key-2"])])
    }

    @Test("Every two seconds the window is read again, one query at a time")
    func refresh() {
        var screen = screen()
        screen.send(.tick(milliseconds: 1999))
        #expect(screen.effects.isEmpty)
        screen.send(.tick(milliseconds: 2000))
        #expect(screen.query != nil)
        screen.send(.tick(milliseconds: 9000))
        #expect(screen.effects.isEmpty)
    }

    @Test("Quit, suspend, redraw")
    func global() {
        var screen = screen()
        screen.press(.character("q"), .control("z"), .control("l"), .control("c"))
        #expect(screen.effects == [.quit, .suspend, .redraw, .quit])
    }

    @Test("Every frame keeps the rules under random keys and sizes", arguments: 1...6 as ClosedRange<UInt64>)
    func fuzz(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var screen = screen()
        let keys: [Key] =
            "jkgGsSr/ diuy?nq夜\u{9B}".map { Key.character($0) } + [.escape, .enter, .backspace, .pageDown, .end, .up]
        for step in 0..<250 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                let columns = [0, 1, 3, 30, 80, 140].randomElement(using: &random) ?? 0
                screen.send(
                    .resized(GridSize(columns: columns, rows: Int.random(in: 0...40, using: &random)), .fallback))
            case 1: screen.entries = Int.random(in: 0...500, using: &random)
            case 2: screen.send(.tick(milliseconds: step * 700))
            default: screen.press(keys.randomElement(using: &random) ?? .enter)
            }
            screen.answer()
            let faults = screen.frame.faults
            #expect(faults.isEmpty, "seed \(seed), step \(step)")
            if !faults.isEmpty { return }
        }
    }
}
