import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite("The browser's screen", .timeLimit(.minutes(1)))
struct BrowseViewTests {
    private static let names = [
        "aurora-over-lake.jpg", "basalt-columns.png", "dunes-at-noon.jpg", "fjord.webp", "glacier.jpg", "harbour.gif",
        "island.jpg", "jetty.jpg", "kelp.png", "lagoon.jpg", "a-mountain-hut-with-a-very-long-name-in-the-evening.jpg",
        "夜の港と灯台の長い長い長い長い長い長い長い長い名前.png", "north-cape.jpg", "old-town.webp", "pier.jpg",
    ]

    /// A browser with a half loaded list and a shown picture.
    private func sketch(
        _ size: GridSize = GridSize(columns: 120, rows: 30), options: BrowseOptions = BrowseOptions()
    ) -> Browser {
        var browser = Browser(options: options, size: size)
        browser.add(names: BrowseViewTests.names + (15..<240).map { "picture-\($0).jpg" })
        browser.send(.listFinished(skipped: 0))
        let statuses: [ItemStatus] = [
            .inMemory(bytes: 421_888), .inMemory(bytes: 1_153_434), .inMemory(bytes: 943_718),
            .onDisk(bytes: 2_411_725), .loading(received: 62, total: 100, rate: 1_258_291),
            .loading(received: 318_464, total: nil, rate: 838_860),
            .retrying(attempt: 2, of: 4, seconds: 3, reason: "503"), .failed(reason: "404 Not Found"), .waiting,
            .connecting, .parked(seconds: 12, reason: "host failing", answer: "429 Too Many Requests"),
            .duplicate(of: ItemID(2)),
        ]
        for (index, status) in statuses.enumerated() { browser.send(.statusChanged(ItemID(index), status)) }
        browser.send(
            .usageChanged(
                CacheUsage(
                    memoryBytes: 123_731_968, memoryLimit: 268_435_456, diskBytes: 1_503_238_553,
                    diskLimit: 5_368_709_120)))
        browser.press(.character("j"), .character(" "))
        browser.press(.character("k"), .character("j"))
        return browser
    }

    private func showPicture(_ browser: inout Browser, origin: PictureOrigin = .network) throws {
        browser.press(.character("k"))
        let load = try #require(browser.press(.character("j")).load)
        let size = PixelSize(width: 1680, height: 1050).scaled(to: load.box)
        browser.send(.slotPicture(load.id, .sample(7, size: size, origin: origin)))
    }

    @Test
    func `120 columns: list, centred picture, facts and status line`() throws {
        var browser = sketch()
        try showPicture(&browser)
        browser.send(.tick(milliseconds: 400))
        #expect(try Golden.mismatch(of: browser.frame.text, with: "wide") == nil)
    }

    @Test
    func `an expired picture is labelled in the pane and in full screen`() throws {
        var browser = sketch()
        try showPicture(&browser, origin: .expired)
        browser.send(.tick(milliseconds: 400))
        #expect(browser.frame.text.contains("expired, host away"))
        browser.press(.enter)
        #expect(browser.frame.text.contains("expired, host away"))
    }

    @Test
    func `hosts with trouble are listed above the tasks with remaining time and retry budget`() throws {
        var browser = sketch()
        browser.press(.character("w"))
        browser.send(
            .hostsChanged([
                HostStatus(host: "a.example", trouble: .parked, seconds: 30, retriesUsed: 1, retriesAllowed: 12),
                HostStatus(
                    host: "b\u{1B}[31m.example:8080", trouble: .failing, seconds: 12, retriesUsed: 10,
                    retriesAllowed: 10),
                HostStatus(host: "c.example", trouble: .givenUp, seconds: 0, retriesUsed: 3, retriesAllowed: 2_010),
                HostStatus(host: "d.example", trouble: .recovering, seconds: 0, retriesUsed: 0, retriesAllowed: 10),
                HostStatus(host: "e.example", trouble: .failing, seconds: 9, retriesUsed: 0, retriesAllowed: 10),
            ]))
        browser.send(.tick(milliseconds: 5_000))
        #expect(try Golden.mismatch(of: browser.frame.text, with: "hosts") == nil)
    }

    @Test
    func `a row shows that its picture waits for its host or for a retry`() {
        var browser = sketch()
        browser.send(.tick(milliseconds: 400))
        let parked = ItemStatus.parked(seconds: 12, reason: "host failing", answer: "429 Too Many Requests")
        browser.send(.statusChanged(ItemID(2), parked))
        #expect(browser.frame.text.contains("12 s  429 Too Many Requests · host failing"))

        browser.send(.statusChanged(ItemID(2), .retrying(attempt: 2, of: 4, seconds: 3, reason: "503")))
        #expect(browser.frame.text.contains("3 s  503, try 2 of 4 · r asks now"))
    }

    @Test(arguments: [
        (ItemStatus.parked(seconds: 12, reason: "host failing", answer: ""), 0),
        (.retrying(attempt: 2, of: 4, seconds: 3, reason: "503"), 0), (.connecting, 2),
    ])
    func `nothing turns in a card whose next attempt is due later`(status: ItemStatus, turning: Int) {
        var browser = Browser(size: GridSize(columns: 120, rows: 30))
        browser.add(count: 1)
        browser.send(.statusChanged(ItemID(0), status))
        browser.send(.tick(milliseconds: 400))
        // One in the row, one in the card.
        let signs = browser.frame.text.filter { GlyphSet.unicode.spinner.contains(String($0)) }
        #expect(signs.count == turning)
    }

    @Test
    func `the header names the sort order`() throws {
        var browser = sketch()
        #expect(try !#require(browser.frame.text.split(separator: "\n").first).contains("by name"))
        browser.press(.character("s"), .character("n"))
        #expect(try #require(browser.frame.text.split(separator: "\n").first).contains("by name ▴"))
    }

    @Test
    func `80 columns of ASCII: the same layout without other characters`() throws {
        var browser = sketch(GridSize(columns: 80, rows: 24), options: BrowseOptions(isASCII: true))
        try showPicture(&browser)
        browser.send(.tick(milliseconds: 400))
        #expect(try Golden.mismatch(of: browser.frame.text, with: "ascii") == nil)
        #expect(!browser.frame.text.contains { !$0.isASCII })
    }

    @Test
    func `60 columns: two panes, then one of them by Tab`() throws {
        var browser = sketch(GridSize(columns: 60, rows: 20))
        #expect(try Golden.mismatch(of: browser.frame.text, with: "narrow") == nil)
        browser.press(.tab)
        #expect(try Golden.mismatch(of: browser.frame.text, with: "narrow-list") == nil)
        browser.press(.tab)
        #expect(try Golden.mismatch(of: browser.frame.text, with: "narrow-preview") == nil)
    }

    @Test
    func `a placeholder card is shown first, and an indicator in it after 100 ms`() throws {
        var browser = sketch()
        let load = try #require(browser.press(.character("j")).load)
        browser.send(.slotProgress(load.id, received: 500_000, total: 1_000_000))
        browser.send(.tick(milliseconds: 99))
        #expect(try Golden.mismatch(of: browser.frame.text, with: "placeholder") == nil)
        browser.send(.tick(milliseconds: 1000))
        #expect(try Golden.mismatch(of: browser.frame.text, with: "indicator") == nil)
    }

    @Test
    func `a custom indicator is shown below the card after 100 ms`() throws {
        var browser = Browser(options: options(indicator: .custom(rows: 4)))
        browser.add(count: 3)
        let load = try #require(browser.press(.character("j")).load)
        browser.send(.slotProgress(load.id, received: 500, total: nil))
        browser.send(.tick(milliseconds: 99))
        let before = browser.frame
        browser.send(.tick(milliseconds: 250))
        let placeholders = browser.frame.placeholders
        #expect(before.placeholders.isEmpty)
        #expect(placeholders.map(\.role) == [.indicator(elapsed: 250, received: 500, total: nil)])
        #expect(placeholders.map(\.rect.rows) == [4])
        #expect(browser.frame.text.contains("picture-1.jpg"))
        #expect(browser.state.tickInterval == 50)
    }

    @Test
    func `a custom placeholder fills the pane above the indicator`() throws {
        var options = options(indicator: .custom(rows: 4))
        options.hasOwnPlaceholder = true
        var browser = Browser(options: options)
        browser.add(count: 3)
        browser.press(.character("j"))
        browser.send(.tick(milliseconds: 250))
        let placeholders = browser.frame.placeholders
        #expect(placeholders.first?.role == .placeholder(name: "picture-1.jpg", place: "images.example.org"))
        #expect(placeholders.map(\.rect.rows) == [browser.state.layout.picture.rows - 4, 4])
        #expect(placeholders.last.map { $0.rect.row } == placeholders.first.map { $0.rect.row + $0.rect.rows })
    }

    private func options(indicator: IndicatorStyle) -> BrowseOptions {
        var options = BrowseOptions()
        options.indicator = indicator
        options.slot.indicatorInterval = 50
        return options
    }

    @Test func `60×40: the preview stands below the list`() throws {
        var browser = sketch(GridSize(columns: 60, rows: 40))
        try showPicture(&browser)
        #expect(try Golden.mismatch(of: browser.frame.text, with: "stacked") == nil)
    }

    @Test
    func `a failure card shows title, reason, attempts and the key to retry`() throws {
        var browser = sketch()
        let load = try #require(browser.press(.character("j")).load)
        let detail = "images.example.org answered 404 Not Found to GET /2026/07/fjord.webp; there is nothing to retry"
        browser.send(.slotFailed(load.id, FailureFacts(title: "404 Not Found", detail: detail, attempts: 4)))
        #expect(try Golden.mismatch(of: browser.frame.text, with: "failure") == nil)
    }

    @Test func `a long failure title is wrapped, in full screen too`() throws {
        for (size, key, name) in [
            (GridSize(columns: 160, rows: 30), Key?.none, "failure-wrapped"),
            (GridSize(columns: 60, rows: 14), Key.enter, "failure-full-screen"),
        ] {
            var browser = sketch(size)
            let load = try #require(browser.press(.character("j")).load)
            let title = "too large: 20000×800 pixels, limit 16384 a side (max-side in the config file)"
            let detail = "A picture of 20000×800 pixels is not decoded: each side may have 16384 pixels at most."
            let next = key.flatMap { browser.press($0).load } ?? load
            browser.send(.slotFailed(next.id, FailureFacts(title: title, detail: detail, attempts: 1)))
            #expect(try Golden.mismatch(of: browser.frame.text, with: name) == nil)
        }
    }

    @Test
    func `the task panel covers the preview and removes its picture`() throws {
        var browser = sketch()
        try showPicture(&browser)
        browser.press(.character("w"))
        #expect(try Golden.mismatch(of: browser.frame.text, with: "tasks") == nil)
        #expect(browser.frame.pictures.isEmpty)
    }

    @Test
    func `the selected task shows its times until the first byte`() {
        var browser = sketch()
        let times = TransferTimes(.init(lookup: 3, connect: 14, handshake: 24), firstByte: 95)
        browser.send(.resized(GridSize(columns: 160, rows: 30), CellSize.fallback))
        let text = "glacier.jpg  name 3 ms, connected in 14 ms, TLS 24 ms, first byte 95 ms"
        browser.send(.statusChanged(ItemID(4), .loading(received: 62, total: 100, rate: nil, times: times)))
        browser.press(.character("w"))
        #expect(browser.frame.text.contains(text))
        browser.press(.character("j"))
        #expect(!browser.frame.text.contains(text))
    }

    @Test
    func `the palette lists every action and typing filters it`() throws {
        var browser = sketch()
        try showPicture(&browser)
        browser.press(.character("?"))
        #expect(try Golden.mismatch(of: browser.frame.text, with: "help") == nil)
        #expect(browser.frame.pictures.isEmpty)
        browser.type("page")
        #expect(try Golden.mismatch(of: browser.frame.text, with: "help-search") == nil)
    }

    @Test
    func `i shows the details in the lower part of the preview`() throws {
        var browser = sketch()
        try showPicture(&browser)
        browser.press(.character("i"))
        #expect(try Golden.mismatch(of: browser.frame.text, with: "info") == nil)
    }

    @Test
    func `the header shows a filter being typed, with the cursor`() throws {
        var browser = sketch()
        browser.press(.character("/"))
        browser.type("jpg")
        #expect(try Golden.mismatch(of: browser.frame.text, with: "filter") == nil)
    }

    @Test
    func `full screen shows only the picture; its status line disappears after two seconds`() throws {
        var browser = sketch()
        let load = try #require(browser.press(.enter).load)
        let size = PixelSize(width: 1680, height: 1050).scaled(to: load.box)
        browser.send(.slotPicture(load.id, .sample(8, size: size)))
        #expect(try Golden.mismatch(of: browser.frame.text, with: "full-screen") == nil)
        browser.send(.tick(milliseconds: 2000))
        #expect(!browser.frame.cells.contains { $0 != Cell.blank })
        #expect(browser.frame.pictures.count == 1)
    }

    @Test
    func `only the selected row has the selection background`() {
        let frame = sketch().frame
        let inverse = (0..<frame.size.rows).filter { row in
            (0..<frame.size.columns).contains { frame[$0, row].style.background == .selection }
        }
        #expect(inverse == [3])
    }

    @Test(arguments: [(0, 0), (1, 1), (2, 1), (1, 9), (79, 24), (80, 24), (300, 90)])
    func `every frame is valid at any size`(columns: Int, rows: Int) {
        var browser = sketch(GridSize(columns: columns, rows: rows))
        for key in [Key.character("i"), .character("?"), .escape, .character("w"), .escape, .enter] {
            #expect(browser.frame.faults.isEmpty)
            #expect(browser.frame.size == GridSize(columns: columns, rows: rows))
            browser.press(key)
        }
    }
}
