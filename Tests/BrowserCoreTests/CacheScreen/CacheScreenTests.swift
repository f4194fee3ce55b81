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
    /// The number of the details that the last message asked for.
    var detailRequest: RequestID? {
        for case .details(let id, _, _) in effects { return id }
        return nil
    }

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

    /// Answers the query that the last message asked, as the index would; `newcomers` entries stand before all others.
    mutating func answer(newcomers: Int = 0, changing change: (inout CacheRow) -> Void = { _ in }) {
        guard let (id, query) = request else { return }
        if query.grouping != nil {
            return send(.groups(id, offset: query.offset, rows: (query.offset..<4).map(Screen.group), count: 4))
        }
        let places = query.offset..<max(query.offset, min(entries, query.offset + query.limit))
        var rows = places.map { Screen.row($0 < newcomers ? entries + $0 : $0 - newcomers) }
        for place in rows.indices { change(&rows[place]) }
        send(.rows(id, offset: query.offset, rows: rows, count: entries))
    }

    static func row(_ number: Int) -> CacheRow {
        let names = ["dunes-at-noon.jpg", "dunes-at-noon.jpg", "poster.png", "broken.jpg", "夜の港と灯台.webp"]
        let isProcessed = number % 5 == 1
        return CacheRow(
            id: "key-\(number)", state: number % 5 == 3 ? .damaged : (number % 7 == 6 ? .expired : .live),
            isPinned: number % 5 == 2, kind: isProcessed ? "processed" : "original",
            host: number % 5 == 2 ? "cdn.example.net" : "images.example.org", name: names[number % 5],
            bytes: 90_112 + number * 200_000, size: number % 5 == 3 ? nil : PixelSize(width: 1680, height: 1050),
            processor: isProcessed ? "downsample |> round(20)" : "", hits: number * 3, secondsSinceUse: number * 90,
            secondsSinceStore: number * 700, secondsToExpiry: number % 5 == 4 ? nil : 518_400)
    }

    static func group(_ number: Int) -> CacheGroupRow {
        let hosts = ["images.example.org", "cdn.example.net", "夜の港.example", ""]
        return CacheGroupRow(
            value: hosts[number % 4], filter: "host:\(hosts[number % 4])", entries: 300 / (number + 1),
            bytes: 900_000_000 / (number + 1), hits: 700 - number)
    }

    static let details = CacheRowDetails(
        key: "3fa9c2d1b04e", address: "https://images.example.org/2026/07/dunes-at-noon.jpg?token=…", format: "JPEG",
        digest: String(repeating: "ab", count: 32), etag: "\"5f3-1a\"", lastModified: "Sat, 21 Nov 2026 10:25:19 GMT",
        headers: ["Content-Type: image/jpeg", "Cache-Control: max-age=86400"],
        eviction: "after 12 entries, 4.5 MiB used longer ago", variants: ["processed  round(20)  912×570  PNG"])
}

@Suite("The cache screen")
struct CacheScreenTests {
    private func screen(columns: Int = 120, rows: Int = 30) -> Screen {
        var screen = Screen(columns: columns, rows: rows)
        screen.answer()
        screen.send(.totals(totals()))
        return screen
    }

    private func totals(misses: Int = 130) -> CacheTotals {
        var (run, life) = (CacheTotals.Tally(), CacheTotals.Tally())
        (run.memory, run.disk, run.missed, run.bytesSaved) = (70, 21, 9, 40_000_000)
        (life.memory, life.disk, life.revalidated, life.missed) = (500, 370, 40, misses)
        (life.bytesSaved, life.damaged) = (9_878_424_780, 3)
        life.evictions = ["expired": 14, "sizeLimit": 1_203]
        return CacheTotals(
            entries: 412, bytes: 1_503_238_553, space: 1_503_300_000, limit: 5_368_709_120,
            diskBytes: 1_604_000_000,
            memoryBytes: 118 << 20, memoryLimit: 256 << 20, run: run, life: life, damaged: 1, expired: 14)
    }

    @Test("120 columns: totals, table, keys")
    func wide() throws {
        var screen = screen()
        screen.press(.character("j"), .character(" "), .character("k"))
        try Golden.expect(screen.frame.text, matches: "wide")
    }

    @Test("i shows all that is known of the entry below, with its picture")
    func details() throws {
        var screen = screen(columns: 100, rows: 34)
        screen.press(.character("j"), .character("i"))
        let request = try #require(screen.detailRequest)
        screen.send(.details(request, Screen.details))
        screen.send(.preview(request, CachePreview(picture: PictureID(7), size: PixelSize(width: 100, height: 80))))
        try Golden.expect(screen.frame.text, matches: "details")
        #expect(screen.frame.pictures.map(\.picture) == [PictureID(7)])
    }

    @Test("J and K move in details that are longer than their pane; another entry's begin at the top")
    func longDetails() throws {
        // Given a low screen, where the details end before the headers
        var screen = screen(columns: 80, rows: 24)
        screen.press(.character("i"))
        screen.send(.details(try #require(screen.detailRequest), Screen.details))
        #expect(!screen.frame.text.contains("Cache-Control") && screen.frame.text.contains("J K "))
        // When they are moved further than they go, and back by one
        for _ in 0..<30 { screen.press(.character("J")) }
        #expect(screen.frame.text.contains("Cache-Control"))
        screen.press(.character("K"))
        #expect(!screen.frame.text.contains("Cache-Control") && screen.frame.text.contains("Content-Type"))
        // Then the next entry's begin with what matters most
        screen.press(.character("j"))
        #expect(screen.frame.text.contains("address"))
    }

    @Test("80 columns: the less needed columns go")
    func narrow() throws {
        try Golden.expect(screen(columns: 80, rows: 24).frame.text, matches: "narrow")
    }

    @Test("g groups by host, type, kind and age; Enter lists a group's entries, Esc goes back to it")
    func groups() throws {
        var screen = screen()
        screen.press(.character("g"))
        #expect(screen.query?.grouping == .host)
        screen.answer()
        try Golden.expect(screen.frame.text, matches: "groups")
        screen.press(.down, .enter)
        #expect(screen.query?.grouping == nil && screen.query?.filter == "host:cdn.example.net")
        screen.answer()
        #expect(screen.frame.text.contains("in cdn.example.net"))
        screen.press(.escape)
        #expect(screen.query?.grouping == .host)
        screen.answer()
        #expect(screen.state.viewport.cursor == 1)
        for grouping in [CacheQuery.Grouping.type, .kind, .age, nil] {
            screen.press(.character("g"))
            #expect(screen.query?.grouping == grouping)
            screen.answer()
        }
    }

    @Test("d on a group asks for all of it and deletes by its filter")
    func groupDeletion() {
        var screen = screen()
        screen.press(.character("g"))
        screen.answer()
        screen.press(.character("d"))
        #expect(
            screen.frame.row(29).hasPrefix(
                " delete all of images.example.org: 300 entries, 858 MiB, pinned ones too?"))
        screen.press(.character("y"))
        #expect(screen.effects == [.deleteAll(filter: "host:images.example.org")])
    }

    @Test("D asks for all that the filter lists, and deletes by it; groups go one by one")
    func listedDeletion() {
        var screen = screen()
        screen.press(.character("/"))
        for character in "age>1d" { screen.press(.character(character)) }
        screen.press(.enter)
        #expect(screen.state.pending == nil || screen.query == nil)
        screen.press(.character("r"))
        screen.answer()
        screen.press(.character("D"))
        #expect(screen.frame.row(29).hasPrefix(" delete all that is listed: 412 entries, pinned ones too?"))
        screen.press(.character("y"))
        #expect(screen.effects == [.deleteAll(filter: "age>1d")])
        screen.press(.character("g"))
        screen.answer()
        screen.press(.character("D"))
        #expect(screen.state.focus == .table)
    }

    @Test("The question says what of it is pinned")
    func pinnedDeletion() {
        var screen = screen()
        screen.press(.down, .down, .character("d"))
        #expect(screen.frame.row(29).hasPrefix(" delete poster.png, 479 KiB, pinned?"))
        screen.press(.character("n"), .character(" "), .character(" "), .character("d"))
        #expect(screen.frame.row(29).hasPrefix(" delete 2 entries, 1.1 MiB, 1 of them pinned?"))
    }

    @Test("Marks outlive no entry, and know what has become of theirs")
    func marksFollow() {
        var screen = screen()
        screen.press(.character(" "), .character(" "))
        screen.send(.totals(totals(misses: 131)))
        #expect(screen.effects.contains(.find(["key-0", "key-1"])))
        var row = Screen.row(1)
        row.isPinned = true
        screen.send(.found([row, Screen.row(9)]))
        screen.press(.character("d"))
        #expect(screen.frame.row(29).hasPrefix(" delete dunes-at-noon.jpg, 283 KiB, pinned?"))
    }

    @Test("Details that are shown are read again when the cache has changed")
    func detailsReadAgain() throws {
        var screen = screen()
        screen.press(.character("i"))
        let request = try #require(screen.detailRequest)
        screen.send(.totals(totals()))
        #expect(screen.effects.isEmpty)
        screen.send(.totals(totals(misses: 131)))
        #expect(screen.effects.contains(.facts(request, id: "key-0")))
        screen.send(.details(request, Screen.details))
        #expect(screen.frame.text.contains("round(20)"))
    }

    @Test("Ages grow while nothing is read")
    func ages() {
        var screen = screen()
        #expect(screen.state.row(at: 2)?.secondsSinceUse == 180)
        screen.send(.tick(milliseconds: 25_000))
        #expect(screen.state.row(at: 2)?.secondsSinceUse == 205)
        #expect(screen.state.row(at: 2)?.secondsSinceStore == 1_425)
        #expect(screen.state.row(at: 2)?.secondsToExpiry == 518_375)
    }

    @Test("The mouse chooses, opens, sorts, scrolls and presses the keys of the last line")
    func mouse() {
        var screen = screen(columns: 120, rows: 30)
        func click(_ column: Int, _ row: Int) {
            screen.send(
                .mouse(MouseEvent(action: .press, button: .left, position: Position(column: column, row: row))))
        }
        func turn(_ action: MouseEvent.Action, _ row: Int) {
            screen.send(.mouse(MouseEvent(action: action, button: .other, position: Position(column: 5, row: row))))
        }
        click(20, 5)
        #expect(screen.state.viewport.cursor == 3 && !screen.state.showsDetails)
        click(20, 5)
        #expect(screen.state.showsDetails)
        turn(.scrollDown, 3)
        #expect(screen.state.viewport.cursor == 6)
        turn(.scrollUp, 3)
        #expect(screen.state.viewport.cursor == 3)
        turn(.scrollDown, 20)
        #expect(screen.state.viewport.cursor == 3)
        let title = screen.frame.row(1)
        let size = title.distance(
            from: title.startIndex, to: title.firstRange(of: "size")?.lowerBound ?? title.startIndex)
        click(size + 1, 1)
        #expect(screen.state.order == .size && !screen.state.ascending)
        click(size + 1, 1)
        #expect(screen.state.ascending)
        screen.send(.tick(milliseconds: 9_000))
        let last = screen.frame.row(29)
        let help = last.distance(
            from: last.startIndex, to: last.firstRange(of: "? help")?.lowerBound ?? last.startIndex)
        click(help, 29)
        #expect(screen.state.focus == .help(page: 0))
        click(20, 5)
        #expect(screen.state.focus == .table)
        click(20, 200)
    }

    @Test("A screen that is opened again shows what it showed")
    func reopening() {
        var screen = screen()
        screen.press(.character("s"), .character("S"), .character("i"))
        screen.answer()
        for _ in 0..<7 { screen.press(.down) }
        var again = Screen()
        again.state = screen.state.reopened()
        again.send(.resized(GridSize(columns: 120, rows: 30), .fallback))
        #expect(again.query?.order == .size && again.query?.ascending == true)
        again.answer()
        #expect(again.state.viewport.cursor == 7 && again.state.showsDetails)
    }

    @Test("q is said to lead back only where there is another screen")
    func leaving() {
        var state = CacheScreenState(isAlone: true)
        _ = CacheScreenUpdate.update(&state, .resized(GridSize(columns: 120, rows: 30), .fallback))
        #expect(CacheScreenView.frame(state).row(29).contains("q quit"))
        #expect(screen().frame.row(29).contains("q back"))
    }

    @Test("t tells how the look-ups were answered and what was evicted")
    func tallies() throws {
        var screen = screen(columns: 80, rows: 28)
        screen.press(.character("t"))
        try Golden.expect(screen.frame.text, matches: "totals")
    }

    @Test("A preview of an entry that is no longer chosen is let go, the one before when the next is there")
    func previews() throws {
        var screen = screen()
        screen.press(.character("i"))
        let first = try #require(screen.detailRequest)
        let preview = { CachePreview(picture: PictureID($0), size: PixelSize(width: 9, height: 9)) }
        screen.send(.preview(first, preview(1)))
        screen.press(.down)
        let second = try #require(screen.detailRequest)
        screen.send(.preview(first, preview(2)))
        #expect(screen.effects == [.releasePicture(PictureID(2))])
        screen.send(.preview(second, preview(3)))
        #expect(screen.effects == [.releasePicture(PictureID(1))])
        screen.press(.character("i"))
        #expect(screen.effects == [.releasePicture(PictureID(3))])
    }

    @Test("Where there are few rows the details leave the table the chosen one")
    func lowDetails() {
        var screen = screen(columns: 30, rows: 10)
        screen.press(.down, .character("i"))
        #expect(screen.state.layout.table.rows == 1 && screen.frame.row(2).contains(screen.state.selected?.name ?? "-"))
        #expect(screen.frame.text.contains("address"))
        screen.press(.down)
        #expect(screen.frame.row(2).contains(screen.state.selected?.name ?? "-"))
    }

    @Test("Pasted text presses nothing; where text is typed it is typed")
    func pastes() {
        var screen = screen()
        screen.send(.pasted("qdy"))
        #expect(screen.effects.isEmpty && screen.state.focus == .table)
        screen.press(.character("d"))
        screen.send(.pasted("y"))
        #expect(screen.effects.isEmpty && screen.frame.row(29).hasPrefix(" delete dunes"))
        screen.press(.character("n"), .character("/"))
        screen.send(.pasted("harbour\u{1B}[2J"))
        #expect(screen.query?.filter.hasPrefix("harbour") == true)
    }

    @Test("p pins or lets go, v checks, e asks for a path and writes, o opens")
    func actions() {
        var screen = screen()
        screen.press(.character("p"))
        #expect(screen.effects == [.setPinned(["key-0"], true)])
        // Before the cache has answered, the opposite.
        screen.press(.character("p"))
        #expect(screen.effects == [.setPinned(["key-0"], false)])
        screen.press(.character("v"))
        #expect(screen.effects == [.verify(["key-0"])])
        screen.press(.character("o"))
        #expect(screen.effects == [.open(["key-0"])])
        screen.press(.character("e"))
        #expect(screen.frame.row(29).hasPrefix(" write to: dunes-at-noon.jpg"))
        screen.press(.enter)
        #expect(screen.effects == [.export(["key-0"], path: "dunes-at-noon.jpg")])
        screen.press(.character("j"), .character("j"), .character("p"))
        #expect(screen.effects == [.setPinned(["key-2"], false)])
        screen.send(.changed("done"))
        #expect(screen.query != nil)
    }

    @Test("? lists the keys")
    func help() throws {
        var screen = screen(columns: 80, rows: 24)
        screen.press(.character("?"))
        try Golden.expect(screen.frame.text, matches: "help")
        // What does not fit is on the next page; any other key closes.
        screen.press(.down)
        #expect(screen.frame.row(2).contains("read the cache") && screen.state.focus == .help(page: 1))
        screen.send(.resized(GridSize(columns: 80, rows: 40), .fallback))
        #expect(screen.frame.row(2).contains("down, up"))
        screen.send(.resized(GridSize(columns: 80, rows: 24), .fallback))
        screen.press(.up)
        #expect(screen.state.focus == .help(page: 0))
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

    @Test("What is chosen stays chosen when others come before it; another order begins at its top")
    func following() {
        for (key, place) in [(Character("r"), 5), ("s", 0)] {
            var screen = screen()
            screen.press(.down, .down)
            screen.press(.character(key))
            screen.answer(newcomers: 3)
            #expect(screen.state.viewport.cursor == place)
            #expect((screen.state.selected?.id == "key-2") == (key == "r"))
        }
    }

    @Test("The question names a single entry and has room for its answers")
    func question() {
        var screen = screen(columns: 30, rows: 10)
        screen.press(.character("d"))
        #expect(screen.frame.row(9).hasPrefix(" delete"))
        #expect(screen.frame.row(9).contains("y delete  n keep"))
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

    @Test("What was asked about is what is deleted and written, whatever comes before it meanwhile")
    func settledTargets() {
        // Given a question about the first entry
        var screen = screen()
        screen.press(.character("d"))
        // When others come before it, and it is answered
        screen.send(.totals(totals(misses: 131)))
        screen.answer(newcomers: 200)
        #expect(screen.state.selected?.id == "key-412")
        #expect(screen.frame.row(29).hasPrefix(" delete dunes-at-noon.jpg"))
        screen.press(.character("y"))
        // Then it goes, and the same holds for what is exported
        #expect(screen.effects == [.delete(["key-0"])])
        screen.press(.character("e"))
        screen.send(.totals(totals(misses: 132)))
        screen.answer()
        #expect(screen.state.selected?.id == "key-0")
        screen.press(.enter)
        #expect(screen.effects == [.export(["key-412"], path: "poster.png")])
    }

    @Test("A filter that makes no sense says so for as long as it is one, and shows no rows as its answer")
    func senselessFilter() throws {
        var screen = screen()
        screen.press(.character("/"), .character("x"))
        guard case .query(let id, _)? = screen.effects.first else {
            Issue.record("\(screen.effects)")
            return
        }
        screen.send(.unanswered(id, "'x': expected a size"))
        #expect(screen.state.count == 0 && !screen.frame.text.contains("nothing matches"))
        #expect(screen.frame.row(29).contains("'x': expected a size"))
        // It is asked for again, as the cache may not have been able to answer
        screen.send(.tick(milliseconds: 2000))
        #expect(screen.query != nil)
        screen.press(.backspace)
        screen.answer()
        #expect(screen.state.count > 0 && !screen.frame.row(29).contains("expected"))
    }

    @Test("What is told of an entry follows what becomes of it elsewhere")
    func detailsFollow() {
        var screen = screen()
        screen.press(.character("i"))
        #expect(screen.detailRequest != nil)
        screen.send(.totals(totals(misses: 131)))
        screen.answer()
        #expect(screen.detailRequest == nil)
        screen.send(.totals(totals(misses: 132)))
        screen.answer { $0.isPinned = true }
        #expect(screen.detailRequest != nil)
    }

    @Test("p goes by what is marked: all of it pinned is let go")
    func pinningMarks() {
        var screen = screen()
        screen.press(.character(" "), .character("p"))
        #expect(screen.effects == [.setPinned(["key-0"], true)])
        screen.press(.character("p"))
        #expect(screen.effects == [.setPinned(["key-0"], false)])
    }

    @Test("Every two seconds the totals are looked at; the window is read again when they have changed")
    func refresh() {
        var screen = screen()
        screen.send(.tick(milliseconds: 1999))
        #expect(screen.effects.isEmpty)
        screen.send(.tick(milliseconds: 2000))
        #expect(screen.effects == [.totals])
        screen.send(.totals(totals()))
        #expect(screen.query == nil)
        screen.send(.totals(totals(misses: 131)))
        #expect(screen.query != nil)
        screen.send(.tick(milliseconds: 9000))
        #expect(screen.effects.isEmpty)
    }

    @Test("Ages change, so that the window is read again at last whatever the totals say")
    func aging() {
        var screen = screen()
        screen.send(.tick(milliseconds: 30_000))
        #expect(screen.query != nil)
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
            "jkgGsSr/ dDiutpve?nyoq夜\u{9B}".map { Key.character($0) } + [
                .escape, .enter, .backspace, .pageDown, .end, .up,
            ]
        for step in 0..<250 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                let columns = [0, 1, 3, 30, 80, 140].randomElement(using: &random) ?? 0
                screen.send(
                    .resized(GridSize(columns: columns, rows: Int.random(in: 0...40, using: &random)), .fallback))
            case 1: screen.entries = Int.random(in: 0...500, using: &random)
            case 2: screen.send(.tick(milliseconds: step * 700))
            case 3:
                let place = Position(
                    column: Int.random(in: 0..<150, using: &random), row: Int.random(in: 0..<45, using: &random))
                let action = [MouseEvent.Action.press, .scrollDown, .scrollUp].randomElement(using: &random) ?? .press
                screen.send(.mouse(MouseEvent(action: action, button: .left, position: place)))
            default: screen.press(keys.randomElement(using: &random) ?? .enter)
            }
            screen.answer()
            let faults = screen.frame.faults
            #expect(faults.isEmpty, "seed \(seed), step \(step)")
            if !faults.isEmpty { return }
        }
    }
}
