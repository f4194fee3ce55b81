import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoCacheScreen

@Suite(.timeLimit(.minutes(1)))
struct CacheScreenTests {
    @Test
    func `120 columns: totals, table, keys`() throws {
        var screen = InspectionScreen.filled()
        screen.press(.character("j"), .character(" "), .character("k"))
        #expect(try Golden.mismatch(of: screen.frame.text, with: "wide") == nil)
    }

    @Test
    func `i shows the details of the entry below the table, with its picture`() throws {
        var screen = InspectionScreen.filled(columns: 100, rows: 34)
        screen.press(.character("j"), .character("i"))
        let request = try #require(screen.detailRequest)
        screen.send(.details(request, InspectionScreen.details))
        screen.send(.preview(request, CachePreview(picture: PictureID(7), size: PixelSize(width: 100, height: 80))))
        #expect(try Golden.mismatch(of: screen.frame.text, with: "details") == nil)
        #expect(screen.frame.pictures.map(\.picture) == [PictureID(7)])
    }

    @Test func `an expiry just below a week is shown as seven days`() {
        var screen = InspectionScreen(columns: 120, rows: 30)
        screen.answer { $0.secondsToExpiry = 604_799 }
        #expect(screen.frame.row(2).contains("in 7 d"))
    }

    @Test
    func `J and K scroll long details; those of another entry start at the top`() throws {
        // Given a low screen, where the details end before the headers
        var screen = InspectionScreen.filled(columns: 80, rows: 24)
        screen.press(.character("i"))
        screen.send(.details(try #require(screen.detailRequest), InspectionScreen.details))
        #expect(!screen.frame.text.contains("Cache-Control") && screen.frame.text.contains("J K "))
        // When they are scrolled past their end, and back by one
        for _ in 0..<30 { screen.press(.character("J")) }
        #expect(screen.frame.text.contains("Cache-Control"))
        screen.press(.character("K"))
        #expect(!screen.frame.text.contains("Cache-Control") && screen.frame.text.contains("Content-Type"))
        // Then the next entry's details start at their first line
        screen.press(.character("j"))
        #expect(screen.frame.text.contains("address"))
    }

    @Test
    func `80 columns: the less important columns are dropped`() throws {
        #expect(
            try Golden.mismatch(of: InspectionScreen.filled(columns: 80, rows: 24).frame.text, with: "narrow") == nil)
    }

    @Test
    func `g groups by host, type, kind and age; Enter opens a group, Esc returns to the groups`() throws {
        var screen = InspectionScreen.filled()
        screen.press(.character("g"))
        #expect(screen.query?.grouping == .host)
        screen.answer()
        #expect(try Golden.mismatch(of: screen.frame.text, with: "groups") == nil)
        screen.press(.down, .enter)
        #expect(screen.query?.grouping == nil && screen.query?.filter == "host:cdn.example.net")
        screen.answer()
        #expect(screen.frame.text.contains("in cdn.example.net"))
        screen.press(.escape)
        #expect(screen.query?.grouping == .host)
        screen.answer()
        #expect(screen.state.viewport.cursor == 1)
        for grouping in [CacheGrouping.type, .kind, .age, nil] {
            screen.press(.character("g"))
            #expect(screen.query?.grouping == grouping)
            screen.answer()
        }
    }

    @Test
    func `shown details are read again when the cache has changed`() throws {
        var screen = InspectionScreen.filled()
        screen.press(.character("i"))
        let request = try #require(screen.detailRequest)
        screen.send(.totals(InspectionScreen.totals()))
        #expect(screen.effects.isEmpty)
        screen.send(.totals(InspectionScreen.totals(misses: 131)))
        #expect(screen.effects.contains(.facts(request, id: "key-0")))
        screen.send(.details(request, InspectionScreen.details))
        #expect(screen.frame.text.contains("round(20)"))
    }

    @Test
    func `ages grow without reading from the cache`() {
        var screen = InspectionScreen.filled()
        #expect(screen.state.row(at: 2)?.secondsSinceUse == 180)
        screen.send(.tick(milliseconds: 25_000))
        #expect(screen.state.row(at: 2)?.secondsSinceUse == 205)
        #expect(screen.state.row(at: 2)?.secondsToExpiry == 518_375)
    }

    @Test
    func `a reopened screen restores order, cursor and details`() {
        var screen = InspectionScreen.filled()
        screen.press(.character("s"), .character("S"), .character("i"))
        screen.answer()
        for _ in 0..<7 { screen.press(.down) }
        var again = InspectionScreen()
        again.state = screen.state.reopened()
        again.send(.resized(GridSize(columns: 120, rows: 30), .fallback))
        #expect(again.query?.order == .size && again.query?.ascending == true)
        again.answer()
        #expect(again.state.viewport.cursor == 7 && again.state.showsDetails)
    }

    @Test(arguments: [Key.enter, .character("i")])
    func `an empty table shows no details`(key: Key) {
        var screen = InspectionScreen()
        screen.entries = 0
        screen.send(.resized(GridSize(columns: 120, rows: 31), .fallback))
        screen.answer()
        screen.press(key)
        #expect(!screen.state.showsDetails)
        // There is nothing else to close.
        screen.press(.character("q"))
        #expect(screen.effects.contains(.quit))
    }

    @Test
    func `q is labelled back only if there is another screen`() {
        var state = CacheScreenState(isStandalone: true)
        _ = state.update(.resized(GridSize(columns: 120, rows: 30), .fallback))
        #expect(state.frame.row(29).contains("q quit"))
        #expect(InspectionScreen.filled().frame.row(29).contains("q back"))
    }

    @Test
    func `t shows hits and evictions`() throws {
        var screen = InspectionScreen.filled(columns: 80, rows: 28)
        screen.press(.character("t"))
        #expect(try Golden.mismatch(of: screen.frame.text, with: "totals") == nil)
    }

    @Test
    func `a small totals screen keeps both columns and scrolls to the other rows`() {
        var screen = InspectionScreen.filled(columns: 40, rows: 12)
        screen.press(.character("t"))
        #expect(screen.frame.text.contains("this run") && screen.frame.text.contains("all runs"))
        #expect(!screen.frame.text.contains("on disk"))
        for _ in 0..<30 { screen.press(.character("j")) }
        #expect(screen.frame.text.contains("on disk"))
        screen.press(.escape)
        #expect(screen.state.focus == .table)
    }

    @Test
    func `the selected entry is the anchor of the query; at the top there is none`() {
        var screen = InspectionScreen.filled()
        screen.press(.character("r"))
        #expect(screen.query?.anchor == nil)
        screen.answer()
        for _ in 0..<5 { screen.press(.down) }
        screen.press(.character("r"))
        #expect(screen.query?.anchor == "key-5")
        // When the result is another window around it
        guard case .query(let id, let query)? = screen.effects.first else { return }
        screen.entries = 5_412
        let rows = (0..<query.limit).map(InspectionScreen.row)
        screen.send(.rows(id, offset: 5_000, rows: rows, count: 5_412))
        #expect(screen.state.viewport.cursor == 5_005 && screen.state.selected?.id == "key-5")
    }

    @Test
    func `a preview of another entry is released, the previous one when the next arrives`() throws {
        var screen = InspectionScreen.filled()
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

    @Test
    func `with few rows the details leave the selected row visible`() throws {
        var screen = InspectionScreen.filled(columns: 30, rows: 10)
        screen.press(.down, .character("i"))
        #expect(screen.state.layout.table.rows == 1 && screen.frame.row(2).contains(screen.state.selected?.name ?? "-"))
        screen.send(.details(try #require(screen.detailRequest), InspectionScreen.details))
        #expect(screen.frame.text.contains("address"))
        screen.press(.down)
        #expect(screen.frame.row(2).contains(screen.state.selected?.name ?? "-"))
    }

    @Test
    func `? lists the keys on pages, and typing searches them`() throws {
        var screen = InspectionScreen.filled(columns: 80, rows: 24)
        screen.press(.character("?"))
        #expect(try Golden.mismatch(of: screen.frame.text, with: "help") == nil)
        // What does not fit is on the next page.
        screen.press(.pageDown)
        #expect(screen.frame.text.contains("page 2 of 2"))
        screen.send(.resized(GridSize(columns: 80, rows: 40), .fallback))
        #expect(screen.frame.text.contains("down, up") && !screen.frame.text.contains("page "))
        screen.press(.home)
        for letter in "hit rates" { screen.press(.character(letter)) }
        #expect(screen.frame.text.contains("▌ t ") && !screen.frame.text.contains("down, up"))
        // Enter presses the key that was found.
        screen.press(.enter)
        #expect(screen.state.focus == .totals(top: 0))
    }

    @Test(arguments: [60, 80, 90, 100, 140, 160])
    func `no line of the help is cut, and each has its key`(columns: Int) {
        var screen = InspectionScreen.filled(columns: columns, rows: 60)
        screen.press(.character("?"))
        let text = screen.frame.text
        #expect(!text.contains("…") && text.contains("delete the marked or selected"))
        #expect(text.contains(" host: ") && text.contains(" size> "))
    }

    @Test
    func `Esc clears the search of the help, then closes the help`() {
        var screen = InspectionScreen.filled(columns: 80, rows: 24)
        screen.press(.character("?"), .character("w"), .character("r"), .character("o"))
        #expect(screen.frame.text.contains("no key or action like wro · Esc clears"))
        screen.press(.escape)
        #expect(screen.frame.text.contains("down, up"))
        screen.press(.escape)
        #expect(screen.state.focus == .table)
    }

    @Test
    func `at most three screens around the visible rows are read`() {
        let screen = InspectionScreen()
        let expected = CacheQuery(order: .access, ascending: false, filter: "", offset: 0, limit: 78)
        #expect(screen.query == expected)
    }

    @Test
    func `rows are read again only when the loaded ones do not suffice`() {
        var screen = InspectionScreen.filled()
        for _ in 0..<70 {
            screen.press(.down)
            #expect(screen.effects.isEmpty)
        }
        screen.press(.end)
        #expect(screen.query?.offset == 412 - 26 - 26)
        screen.press(.up)
        #expect(screen.effects.isEmpty)
    }

    @Test
    func `rows of an older query are dropped`() {
        var screen = InspectionScreen.filled()
        screen.press(.character("s"))
        screen.send(.rows(RequestID(1), offset: 0, rows: [InspectionScreen.row(3)], count: 1))
        #expect(screen.state.count == 412)
        screen.answer()
        screen.entries = 5
        screen.press(.character("r"))
        screen.answer()
        #expect(screen.state.count == 5)
    }

    @Test
    func `s cycles through the orders, S reverses the order, both from the top`() {
        var screen = InspectionScreen.filled()
        screen.press(.end)
        screen.answer()
        screen.press(.character("s"))
        #expect(screen.query?.order == .size)
        #expect(screen.query?.offset == 0)
        screen.press(.character("S"))
        #expect(screen.query?.ascending == true)
    }

    @Test
    func `the filter is sent to the index as it is typed, Esc clears it`() {
        var screen = InspectionScreen.filled()
        screen.press(.character("/"), .character("h"), .character("o"))
        #expect(screen.query?.filter == "h")
        #expect(screen.state.pending?.filter == "ho")
        #expect(screen.frame.cursor == Position(column: 5, row: 29))
        screen.press(.escape)
        #expect(screen.query?.filter == "")
    }

    @Test
    func `the selection survives rows inserted before it; another order starts at the top`() {
        for (key, place) in [(Character("r"), 5), ("s", 0)] {
            var screen = InspectionScreen.filled()
            screen.press(.down, .down)
            screen.press(.character(key))
            screen.answer(newcomers: 3)
            #expect(screen.state.viewport.cursor == place)
            #expect((screen.state.selected?.id == "key-2") == (key == "r"))
        }
    }

    @Test
    func `an invalid filter shows its error and no rows until it is corrected`() throws {
        var screen = InspectionScreen.filled()
        screen.press(.character("/"), .character("x"))
        guard case .query(let id, _)? = screen.effects.first else {
            Issue.record("\(screen.effects)")
            return
        }
        screen.send(.queryFailed(id, "'x': expected a size"))
        #expect(screen.state.count == 0 && !screen.frame.text.contains("nothing matches"))
        #expect(screen.frame.row(28).contains("'x': expected a size"))
        // The query is repeated, because the cache may be available again
        screen.send(.tick(milliseconds: 2000))
        #expect(screen.query != nil)
        screen.press(.backspace)
        screen.answer()
        #expect(screen.state.count > 0 && !screen.frame.row(29).contains("expected"))
    }

    @Test
    func `details are closed when their entry is gone and read again when it changed`() {
        var screen = InspectionScreen.filled()
        screen.press(.character("i"))
        #expect(screen.detailRequest != nil)
        screen.send(.totals(InspectionScreen.totals(misses: 131)))
        screen.answer()
        #expect(screen.detailRequest == nil)
        screen.send(.totals(InspectionScreen.totals(misses: 132)))
        screen.answer { $0.isPinned = true }
        #expect(screen.detailRequest != nil)
    }

    @Test
    func `every two seconds the totals are read, and the window only if they have changed`() {
        var screen = InspectionScreen.filled()
        screen.send(.tick(milliseconds: 1999))
        #expect(screen.effects.isEmpty)
        screen.send(.tick(milliseconds: 2000))
        #expect(screen.effects == [.totals])
        screen.send(.totals(InspectionScreen.totals()))
        #expect(screen.query == nil)
        screen.send(.totals(InspectionScreen.totals(misses: 131)))
        #expect(screen.query != nil)
        screen.send(.tick(milliseconds: 9000))
        #expect(screen.effects.isEmpty)
    }

    @Test
    func `the window is read again after 30 s even if the totals are unchanged`() {
        var screen = InspectionScreen.filled()
        screen.send(.tick(milliseconds: 30_000))
        #expect(screen.query != nil)
    }

    @Test
    func `q, Ctrl-Z, Ctrl-L and Ctrl-C quit, suspend and redraw`() {
        var screen = InspectionScreen.filled()
        screen.press(.character("q"), .control("z"), .control("l"), .control("c"))
        #expect(screen.effects == [.quit, .suspend, .redraw, .quit])
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `every frame is valid under random keys and sizes`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var screen = InspectionScreen.filled()
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

    @Test func `at twenty columns cut texts end with an ellipsis`() throws {
        var screen = InspectionScreen.filled(columns: 20, rows: 12)
        #expect(try Golden.mismatch(of: screen.frame.text, with: "twenty") == nil)
        screen.press(.character("?"))
        #expect(try Golden.mismatch(of: screen.frame.text, with: "twenty-help") == nil)
        screen.press(.escape, .character("t"))
        #expect(try Golden.mismatch(of: screen.frame.text, with: "twenty-totals") == nil)
        screen.press(.escape, .character("g"))
        screen.answer()
        #expect(try Golden.mismatch(of: screen.frame.text, with: "twenty-groups") == nil)
    }
}
