import AlcedoFilters
import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite(.timeLimit(.minutes(1)))
struct ListRowTests {
    private static let statuses: [ItemStatus] = [
        .waiting, .connecting, .loading(received: 0, total: nil, rate: nil),
        .loading(received: 1, total: 100, rate: nil), .loading(received: 100, total: 100, rate: 1_258_291),
        .onDisk(bytes: 88), .inMemory(bytes: 1_153_434),
        .retrying(attempt: 2, of: 4, seconds: 99, reason: "503 Service Unavailable"),
        .parked(seconds: 3, reason: "429"), .failed(reason: "404 Not Found"), .duplicate(of: ItemID(0)),
    ]

    private func browser(
        _ columns: Int = 120, _ items: [(name: String, place: String, location: String)] = [], rows: Int = 30
    ) -> Browser {
        var browser = Browser(size: GridSize(columns: columns, rows: rows))
        let items = items.enumerated().map {
            BrowseItem(id: ItemID($0), name: $1.name, place: $1.place, location: $1.location)
        }
        browser.send(.itemsAdded(items))
        browser.send(.listFinished(skipped: 0))
        return browser
    }

    private func files(_ paths: String...) -> [(name: String, place: String, location: String)] {
        paths.map { path in
            let parts = AddressParts(path)
            return (String(parts.file), parts.host.isEmpty ? String(parts.path) : String(parts.host), path)
        }
    }

    /// A row of the list without the preview.
    private func row(_ number: Int, _ browser: Browser) -> String {
        String(browser.frame.row(number + 1).prefix(browser.state.layout.listColumns))
    }

    @Test(arguments: [20, 40, 60, 79, 80, 100, 120, 160, 200, 300])
    func `a name starts at the same column in every state`(columns: Int) {
        var browser = browser(columns, files("/x/abcdefgh.jpg"))
        for status in Self.statuses {
            browser.send(.statusChanged(ItemID(0), status))
            let row = row(0, browser)
            let start = row.firstRange(of: "abc").map { row.distance(from: row.startIndex, to: $0.lowerBound) }
            #expect(start == ListColumns(width: browser.state.layout.listColumns, hasPlaces: false).name.start)
            #expect(browser.frame.faults.isEmpty)
        }
    }

    @Test func `percentage and rate keep their columns whether or not the other is known`() {
        var browser = browser(120, files("/x/a.jpg"))
        func column(of text: String) -> Int? {
            let row = row(0, browser)
            return row.firstRange(of: text).map { row.distance(from: row.startIndex, to: $0.upperBound) }
        }
        browser.send(.statusChanged(ItemID(0), .loading(received: 1, total: 100, rate: nil)))
        let percent = column(of: "1 %")
        browser.send(.statusChanged(ItemID(0), .loading(received: 1, total: 100, rate: 10)))
        #expect(column(of: "1 %") == percent)
        let rate = column(of: "10 B/s")
        browser.send(.statusChanged(ItemID(0), .loading(received: 99, total: 100, rate: 1_258_291)))
        #expect(column(of: "99 %") == percent && column(of: "1.2 MiB/s") == rate)
    }

    @Test func `a bar is half a row high and has a dim track`() {
        var browser = browser(120, files("/x/a.jpg"))
        browser.send(.statusChanged(ItemID(0), .loading(received: 50, total: 100, rate: 10)))
        let cells = (0..<56).map { browser.frame[$0, 1] }
        #expect(cells.count { $0.character == "━" && $0.style.foreground == .bar } == 4)
        #expect(cells.count { $0.character == "─" && $0.style.foreground == .barTrack } == 4)
    }

    @Test func `unique names stand alone, repeated ones have their folder in front, dim`() {
        let browser = browser(120, files("/p/holiday/3.jpg", "/p/garden/3.jpg", "/p/garden/4.jpg"))
        #expect(row(0, browser).contains(" holiday/3.jpg "))
        #expect(row(1, browser).contains(" garden/3.jpg "))
        #expect(row(2, browser).contains(" 4.jpg "))
        let start = ListColumns(width: browser.state.layout.listColumns, hasPlaces: true).name.start
        #expect(browser.frame[start, 2].style.foreground == .dim)
        #expect(browser.frame[start + 7, 2].style.foreground == .text)
    }

    @Test func `if the folders are equal too, the whole path is put in front`() {
        let browser = browser(
            120, files("https://a.example/x/3.jpg?w=1", "https://b.example/x/3.jpg", "https://a.example/y/4.jpg"))
        #expect(row(0, browser).contains(" a.example/x/3.jpg "))
        #expect(row(1, browser).contains(" b.example/x/3.jpg "))
        #expect(row(2, browser).contains(" 4.jpg "))
    }

    @Test func `a duplicate is distinguished by its state, not by its folder`() {
        var browser = Browser()
        for (number, other) in [nil, ItemID(0)].enumerated() {
            let item = BrowseItem(
                id: ItemID(number), name: "a.jpg", place: "h", location: "http://h/x/a.jpg", duplicated: other)
            browser.send(.itemsAdded([item]))
        }
        #expect(row(0, browser).contains(" ○ a.jpg "))
        #expect(row(1, browser).contains(" ≡ a.jpg "))
    }

    @Test func `a cycles through file names, paths and addresses`() {
        var browser = browser(120, files("https://a.example/x/y/3.jpg?w=80"))
        #expect(row(0, browser).contains(" 3.jpg "))
        browser.press(.character("a"))
        #expect(row(0, browser).contains(" x/y/3.jpg "))
        browser.press(.character("a"))
        #expect(row(0, browser).contains(" https://a.example/x/y/3.jpg?w=80"))
        browser.press(.character("a"))
        #expect(row(0, browser).contains(" 3.jpg "))
    }

    @Test func `the path before a name is shortened first and keeps a third of the width`() {
        let items = files("/pictures/of/a/very/long/holiday/3.jpg", "/b/3.jpg").reduce(into: ItemTable()) {
            $0.append(BrowseItem(id: ItemID($0.count), name: $1.name, place: $1.place, location: $1.location))
        }
        let text = NameText(of: 0, in: items, .path).text(width: 20, ellipsis: "…") { _ in [] }
        #expect(text.width == 20)
        #expect(text.spans.map(\.text) == ["/pictur…oliday/", "3.jpg"])
        let tiny = NameText(of: 0, in: items, .path).text(width: 6, ellipsis: "…") { _ in [] }
        #expect(tiny.spans.map(\.text) == ["3.jpg"])
    }

    @Test func `matches of a filter or regular expression are highlighted, those of an inverted one are not`() throws {
        func lit(_ filter: String, _ name: String) throws -> [String] {
            try NameText.text(name, .plain, matching: PictureFilter(filter, in: .list).matcher()).spans.filter {
                $0.style == .match
            }
            .map(
                \.text)
        }
        #expect(try lit("JP", "a.jpg-jpeg") == ["jp", "jp"])
        #expect(try lit("é", "CAFÉ.jpg") == ["É"])
        #expect(try lit("~[0-9]+", "a12b3.jpg") == ["12", "3"])
        #expect(try lit("!a", "b.jpg").isEmpty && lit("", "a").isEmpty && lit("~x*", "a").isEmpty)
    }

    @Test func `a wide list shows host, dimensions and type`() throws {
        var browser = browser(
            220, files("https://a.example/x/3.jpg", "https://b.example/x/4.gif", "https://b.example/x/noname"))
        browser.press(.character("j"))
        let load = try #require(browser.press(.character("k")).load)
        browser.send(.slotPicture(load.id, .sample(1, size: PixelSize(width: 20, height: 10))))
        #expect(row(0, browser).contains("a.example"))
        #expect(row(0, browser).contains("JPEG      1680×1050"))
        // What was not read yet is not known.
        #expect(!row(1, browser).contains("GIF") && !row(1, browser).contains("×"))
        browser.press(.character("a"))
        #expect(!row(0, browser).contains("a.example"))
    }

    @Test func `repeated names are found in a list of many thousands`() {
        var table = ItemTable()
        for number in 0..<20_000 {
            let name = number % 10_000 < 100 ? "\(number % 10_000).jpg" : "only-\(number).jpg"
            let folder = number < 10_000 ? "one" : "two"
            table.append(
                BrowseItem(id: ItemID(number), name: name, place: "h", location: "http://h/\(folder)/\(name)"))
        }
        #expect((0..<100).allSatisfy { table.distinction(at: $0) == "one/" || table.distinction(at: $0) == "h/one/" })
        // There may be about 1 % false positives, but no false negatives.
        #expect((100..<10_000).count { !table.distinction(at: $0).isEmpty } < 200)
    }

    @Test(arguments: [(20, 10), (60, 20), (100, 30), (160, 45), (200, 60)])
    func `the list matches its snapshots`(columns: Int, rows: Int) throws {
        let paths = (0..<40).map {
            "https://\($0 % 3 == 0 ? "cdn" : "images").example.org/2026/\($0 % 7)/\($0 % 30).jpg"
        }
        var browser = browser(
            columns, paths.map { files($0)[0] } + files("https://images.example.org/harbour.gif"), rows: rows)
        for (number, status) in Self.statuses.enumerated() { browser.send(.statusChanged(ItemID(number), status)) }
        for index in 11..<20 { browser.send(.statusChanged(ItemID(index), .inMemory(bytes: index * 91_000))) }
        for time in 1...6 {
            let bytes = time * 1_000_000
            let loaded = ItemStatus.loading(received: bytes, total: bytes, rate: nil)
            for status in [ItemStatus.connecting, loaded, .onDisk(bytes: bytes)] {
                browser.send(.statusChanged(ItemID(19 + time), status))
            }
            browser.send(.tick(milliseconds: time * 1000))
        }
        browser.press(.character("j"), .character(" "), .character("j"))
        let load = try #require(browser.press(.character("j")).load)
        let size = PixelSize(width: 1680, height: 1050).scaled(to: load.box)
        browser.send(.slotPicture(load.id, .sample(1, size: size, origin: .network)))
        browser.send(.tick(milliseconds: 7000))
        #expect(try Golden.mismatch(of: browser.frame.text, with: "list-\(columns)x\(rows)") == nil)
    }

    @Test func `a wide list of files shows when each was taken, and asks for visible rows once`() {
        var browser = browser(220, [])
        let items = ["/p/a.jpg", "/p/b.jpg", "https://h/c.jpg"].enumerated().map { index, location in
            BrowseItem(id: ItemID(index), name: "x", place: "", location: location)
        }
        let effects = browser.send(.itemsAdded(items))
        #expect(effects.contains(.readDates([ItemID(0), ItemID(1)])))
        browser.send(.datesRead([ItemID(0): 1_784_053_200]))
        #expect(row(0, browser).contains("2026-07-14") && !row(1, browser).contains("20"))
        #expect(!browser.press(.character("j")).contains(.readDates([ItemID(1)])))
        browser.send(.fileChanged(ItemID(1), isThere: true))
        #expect(browser.effects.contains(.readDates([ItemID(1)])))
    }
}
