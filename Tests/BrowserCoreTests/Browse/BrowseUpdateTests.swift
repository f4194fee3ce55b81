import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite("The browser's messages and effects", .timeLimit(.minutes(1)))
struct BrowseUpdateTests {
    private func browser(
        items: Int = 240, options: BrowseOptions = BrowseOptions(), rows: Int = 30, columns: Int = 120
    ) -> Browser {
        var browser = Browser(options: options, size: GridSize(columns: columns, rows: rows))
        browser.add(count: items)
        return browser
    }

    @Test
    func `the first item is selected and loaded, the others are prefetched`() throws {
        let browser = browser(items: 5)
        let load = try #require(browser.effects.load)
        #expect(load.item == ItemID(0))
        #expect(!load.reload)
        #expect(load.box == PixelSize(width: 610, height: 460))
        #expect(browser.effects.prefetch == [1, 2, 3, 4])
    }

    @Test
    func `a new selection cancels the old load, starts the new one, and prefetches the next items first`() throws {
        var browser = browser()
        let first = try #require(browser.effects.load)
        let effects = browser.press(.character("j"))
        #expect(effects.cancelled == [first.id])
        #expect(effects.load?.item == ItemID(1))
        #expect(effects.prefetch?.prefix(4) == [2, 3, 4, 5])
        #expect(effects.prefetch?.contains(1) == false)
    }

    @Test
    func `moving backwards reverses the prefetch order`() {
        var browser = browser()
        browser.press(.character("G"))
        #expect(browser.press(.character("k")).prefetch?.prefix(3) == [237, 236, 235])
    }

    @Test
    func `visible rows are prefetched before rows off the screen`() throws {
        var browser = browser()
        for _ in 0..<10 { browser.press(.down) }
        let order = try #require(browser.effects.prefetch)
        #expect(Array(order.prefix(26)) == Array(11..<27) + Array((0..<10).reversed()))
        #expect(order[26] == 27)
    }

    @Test
    func `a prefetch order has at most 512 items and is renewed when half of them are done`() throws {
        var browser = browser(items: 2000)
        let order = try #require(browser.effects.prefetch)
        #expect(order.count == 512)
        var later: [[Int]] = []
        for index in order.prefix(256) {
            let effects = browser.send(.statusChanged(ItemID(index), .onDisk(bytes: 1)))
            if let next = effects.prefetch { later.append(next) }
        }
        #expect(later.count == 1)
        #expect(later.first?.first == 257)
        #expect(later.first?.count == 512)
    }

    @Test
    func `when all items are cached an empty prefetch order is sent once`() {
        var browser = browser(items: 4)
        var orders: [[Int]] = []
        for index in 0..<4 {
            if let order = browser.send(.statusChanged(ItemID(index), .inMemory(bytes: 9))).prefetch {
                orders.append(order)
            }
        }
        #expect(orders == [[]])
        #expect(browser.press(.character("j")).prefetch == nil)
    }

    @Test
    func `without prefetch no prefetch order is sent`() {
        var browser = browser(options: BrowseOptions(prefetches: false))
        #expect(browser.effects.prefetch == nil)
        #expect(browser.press(.character("p")).isEmpty)
    }

    @Test(
        arguments: [
            ([Key.down, .down, .up], 1), ([.character("j")], 1), ([.character("G")], 239), ([.end, .home], 0),
            ([.character("G"), .character("g"), .character("g")], 0), ([.control("d")], 13), ([.pageDown], 27),
            ([.control("f"), .control("b")], 0), ([.up], 0), ([.end, .control("u")], 226),
            ([.down, .character("g"), .character("j")], 1), ([.down, .character("y"), .character("q")], 1),
        ])
    func `movement keys move the selection`(keys: [Key], row: Int) {
        var browser = browser()
        for key in keys { browser.press(key) }
        #expect(browser.state.selected == ItemID(row))
    }

    @Test
    func `a new size asks for the picture anew, in the new box`() throws {
        var browser = browser()
        let first = try #require(browser.effects.load)
        let effects = browser.send(.resized(GridSize(columns: 160, rows: 50), CellSize(width: 8, height: 16)))
        let load = try #require(effects.load)
        #expect(load.item == first.item)
        #expect(load.box == PixelSize(width: 97 * 8, height: 43 * 16))
        #expect(effects.cancelled == [first.id])
    }

    @Test
    func `a picture of the current request is placed, one of a stale request is released`() throws {
        var browser = browser()
        let first = try #require(browser.effects.load)
        let second = try #require(browser.press(.character("j")).load)
        let facts = ShownPicture.sample(5, size: PixelSize(width: 100, height: 100))
        #expect(browser.send(.slotPicture(first.id, facts)) == [.releasePicture(PictureID(5))])
        #expect(browser.frame.pictures.isEmpty)
        browser.send(.slotPicture(second.id, .sample(6, size: PixelSize(width: 100, height: 100))))
        #expect(browser.frame.pictures.map(\.picture) == [PictureID(6)])
    }

    @Test
    func `Esc restores the selection before the filter, Enter keeps the found item selected`() {
        var browser = browser()
        browser.press(.character("j"), .character("j"))
        browser.press(.character("/"))
        browser.type("PICTURE-2")
        #expect(browser.state.selected == ItemID(2))
        browser.type("3")
        #expect(browser.state.selected == ItemID(23))
        browser.press(.escape)
        #expect(browser.state.list.count == 240)
        #expect(browser.state.selected == ItemID(2))
        browser.press(.character("/"))
        browser.type("PICTURE-23")
        browser.press(.enter)
        #expect(browser.state.list.count == 11)
        browser.press(.escape)
        #expect(browser.state.list.count == 240)
        #expect(browser.state.selected == ItemID(23))
    }

    @Test
    func `an exclamation mark inverts the filter; without a match the list is empty`() {
        var browser = browser()
        browser.press(.character("/"))
        browser.type("!picture-2")
        #expect(browser.state.list.count == 240 - 51)
        browser.press(.control("u"))
        browser.send(.pasted("no such picture"))
        #expect(browser.state.list.count == 0)
        #expect(browser.state.selected == nil)
        #expect(browser.frame.faults.isEmpty)
    }

    @Test
    func `new items are filtered and the selection is kept`() {
        var browser = browser()
        browser.press(.character("/"))
        browser.type("-1")
        browser.press(.down, .down)
        let selected = browser.state.selected
        browser.add(count: 1000)
        #expect(browser.state.selected == selected)
        #expect(browser.state.list.count == 1 + 10 + 100 + 240)
    }

    @Test
    func `r reloads past the caches, R retries all failures, x cancels`() throws {
        var browser = browser()
        #expect(browser.press(.character("r")).load?.reload == true)
        browser.send(.statusChanged(ItemID(4), .failed(reason: "503")))
        browser.send(.statusChanged(ItemID(3), .failed(reason: "404")))
        #expect(browser.press(.character("R")).prefix(2) == [.retryItem(ItemID(4)), .retryItem(ItemID(3))])
        let load = try #require(browser.press(.character("r")).load)
        #expect(browser.press(.character("x"), .character("c")) == [.cancelItem(ItemID(0)), .cancelLoad(load.id)])
    }

    @Test
    func `R retries a failed picture through the caches`() throws {
        var browser = browser()
        let load = try #require(browser.effects.load)
        browser.send(.slotFailed(load.id, FailureFacts(title: "503", detail: "", attempts: 3)))
        #expect(browser.press(.character("R")).load?.reload == false)
    }

    @Test(arguments: [false, true])
    func `R reports the result when all retries have succeeded or failed`(failsAgain: Bool) {
        var browser = browser()
        for index in 3...4 { browser.send(.statusChanged(ItemID(index), .failed(reason: "503"))) }
        browser.press(.character("R"))
        #expect(browser.state.notice?.text == "retrying 2")
        browser.send(.statusChanged(ItemID(3), .onDisk(bytes: 1)))
        browser.send(.statusChanged(ItemID(9), .onDisk(bytes: 1)))
        #expect(browser.state.notice?.text == "retrying 2")
        browser.send(.statusChanged(ItemID(4), failsAgain ? .failed(reason: "503") : .inMemory(bytes: 1)))
        #expect(browser.state.notice?.text == (failsAgain ? "1 succeeded, 1 failed again" : "all 2 succeeded"))
        browser.send(.tick(milliseconds: 10_000))
        browser.send(.statusChanged(ItemID(4), .onDisk(bytes: 1)))
        #expect(browser.state.notice == nil)
        // A cancelled item no longer counts.
        for index in 5...6 { browser.send(.statusChanged(ItemID(index), .failed(reason: "503"))) }
        browser.press(.character("R"))
        browser.send(.removedFromCaches([ItemID(5)]))
        browser.send(.statusChanged(ItemID(6), .onDisk(bytes: 1)))
        #expect(browser.state.notice?.text == "it succeeded")
    }

    @Test
    func `p pauses and resumes, Space marks and moves down`() {
        var browser = browser()
        #expect(browser.press(.character("g"), .character("p")) == [.setPrefetchPaused(true)])
        #expect(browser.press(.character("g"), .character("p")) == [.setPrefetchPaused(false)])
        browser.press(.character(" "), .character(" "), .character("k"), .character(" "))
        #expect(browser.state.marked == [ItemID(0)])
        #expect(browser.state.selected == ItemID(2))
    }

    @Test
    func `Enter shows full screen with a larger picture, Esc returns`() {
        var browser = browser()
        #expect(browser.press(.enter).load?.box == PixelSize(width: 1200, height: 580))
        #expect(browser.press(.escape).load?.box == PixelSize(width: 610, height: 460))
    }

    @Test
    func `the palette runs the selected action`() {
        var browser = browser()
        browser.press(.character("?"))
        browser.type("last pic")
        browser.press(.enter)
        #expect(browser.state.selected == ItemID(239))
        browser.press(.character("?"))
        browser.type("qui")
        #expect(browser.press(.enter) == [.quit])
    }

    @Test
    func `while a long list is filtered keys work, and Esc restores the selection`() {
        var browser = Browser()
        browser.add(count: 30_000)
        browser.press(.character("G"), .character("/"))
        browser.type("9")
        #expect(browser.state.list.isFiltering && browser.state.tickInterval == 1)
        #expect(browser.state.viewport.cursor == 0)
        browser.press(.escape)
        #expect(!browser.state.list.isFiltering && browser.state.selected == ItemID(29_999))
        browser.press(.character("/"))
        browser.type("9")
        for time in 1...9 { browser.send(.tick(milliseconds: time)) }
        #expect(!browser.state.list.isFiltering && browser.state.selected == ItemID(29_999))
        // "No match" appears only at the end.
        browser.type("none")
        for time in 10...29 { browser.send(.tick(milliseconds: time)) }
        #expect(!browser.state.list.isFiltering && browser.frame.text.contains("nothing matches"))
        browser.press(.control("u"))
        browser.type("~none")
        #expect(browser.state.list.isFiltering && !browser.frame.text.contains("nothing matches"))
    }

    @Test(arguments: BrowseAction.allCases.filter { ![.markAllButLargest, .markAllButFirst].contains($0) })
    func `every action is found in the help by its title`(action: BrowseAction) throws {
        var browser = browser()
        browser.press(.character("?"))
        browser.send(.pasted(action.traits.title))
        let panel =
            if case .help(let palette) = browser.state.focus { browser.state.helpPanel(palette) } else {
                nil as HelpPanel<HelpAction>?
            }
        #expect(panel?.action == .browser(action))
    }

    @Test(arguments: TaskAction.allCases)
    func `over the tasks the help offers the task actions and runs them`(action: TaskAction) throws {
        var (typed, run) = (browser(), browser())
        for number in [5, 9] {
            typed.send(.statusChanged(ItemID(number), .failed(reason: "404")))
            run.send(.statusChanged(ItemID(number), .failed(reason: "404")))
        }
        typed.press(.character("w"))
        run.press(.character("w"), .character("?"))
        run.type(action.traits.title)
        let key = try #require(KeyName.key(action.traits.keys[0]))
        #expect(run.press(.enter) == typed.press(key))
        #expect(run.state == typed.state)
    }

    @Test
    func `the task panel cancels and retries the selected task`() {
        var browser = browser()
        browser.send(.statusChanged(ItemID(9), .failed(reason: "404")))
        browser.send(.statusChanged(ItemID(5), .loading(received: 1, total: 2, rate: nil)))
        browser.press(.character("w"))
        #expect(browser.press(.character("x")).first == .cancelItem(ItemID(5)))
        #expect(browser.press(.character("j"), .character("r")).contains(.retryItem(ItemID(9))))
        // Closing the help returns to the tasks.
        browser.press(.character("?"), .escape)
        #expect(browser.state.hasPopup)
        browser.press(.escape)
        #expect(!browser.state.hasPopup)
    }

    @Test
    func `hints show the configured keys`() throws {
        var options = BrowseOptions()
        for (key, name) in [("J", "down"), ("K", "up"), ("H", "help"), ("f9", "full-screen")] {
            try options.keyMap.bind([key], to: name)
        }
        var browser = browser()
        browser.send(.optionsChanged(options))
        #expect(browser.frame.row(29).contains("J K move") && browser.frame.row(29).contains("H help"))
        browser.press(.character("?"))
        #expect(browser.frame.text.contains("? does nothing here: H shows the keys"))
        browser.send(.tick(milliseconds: 9000))
        browser.press(.function(9))
        #expect(browser.frame.text.contains("F9 Esc back"))
    }

    @Test
    func `Esc in the chain editor returns to the processor menu; process none clears the chain`() {
        var browser = browser()
        browser.press(.character("P"), .character("e"), .escape)
        #expect(browser.state.screen == .processors)
        browser.press(.escape)
        for (text, chain) in [("process bw", "bw"), ("process none", "")] {
            browser.press(.character(":"))
            browser.type(text)
            browser.press(.enter)
            #expect(browser.state.options.processor == chain)
        }
    }

    @Test
    func `a repeated line is a duplicate and is not prefetched`() {
        var browser = browser()
        let next = browser.state.list.items.count
        browser.send(
            .itemsAdded([
                BrowseItem(id: ItemID(next), name: "again", place: "", location: "", duplicated: ItemID(3)),
                BrowseItem(id: ItemID(next + 1), name: "other", place: "", location: ""),
            ]))
        #expect(browser.state.statuses.status(of: next, at: 0) == .duplicate(of: ItemID(3)))
        browser.press(.character("G"), .character("k"))
        let order = browser.state.prefetch.order
        #expect(order.contains(ItemID(next + 1)) && !order.contains(ItemID(next)))
    }

    @Test
    func `Ctrl-C, Ctrl-Z and Ctrl-L work while a filter is typed`() {
        var browser = browser()
        #expect(browser.press(.character("q")) == [.quit])
        browser.press(.character("/"))
        #expect(browser.press(.control("c")) == [.abort])
        #expect(browser.press(.control("z")) == [.suspend])
        #expect(browser.press(.control("l")) == [.redraw])
        #expect(browser.send(.resumed) == [.redraw])
    }

    @Test
    func `a notice is shown for five seconds, a warning until a key is pressed`() {
        var browser = browser()
        browser.send(.notice("saved\u{1B}[2J"))
        #expect(browser.frame.text.contains("saved\u{FFFD}[2J"))
        browser.send(.tick(milliseconds: 5000))
        #expect(!browser.frame.text.contains("saved"))
        browser.send(.warning("disk full"))
        browser.send(.tick(milliseconds: 6000))
        browser.press(.down)
        #expect(browser.frame.text.contains("disk full"))
        browser.send(.tick(milliseconds: 7000))
        #expect(!browser.frame.text.contains("disk full"))
        browser.send(.warning("disk full"))
        browser.send(.tick(milliseconds: 99_000))
        #expect(browser.frame.text.contains("disk full"))
        browser.press(.down)
        #expect(!browser.frame.text.contains("disk full"))
    }

    @Test(arguments: ["?", "w", "P", "/", "t"])
    func `opening another screen removes the notice`(key: Character) {
        var browser = browser()
        browser.send(.notice("saved"))
        browser.press(.character(key))
        #expect(browser.state.notice == nil)
    }

    @Test
    func `Esc and a key that arrive together are two keys, unless the combination is bound`() throws {
        var browser = browser()
        browser.press(.character("/"), .character("b"), .alt("j"))
        #expect(browser.state.focus == .list && browser.state.filter.text.isEmpty)
        #expect(browser.state.viewport.cursor == 1)

        var options = BrowseOptions()
        try options.keyMap.bind(["alt-j"], to: "bottom")
        browser.send(.optionsChanged(options))
        browser.press(.alt("j"))
        #expect(browser.state.viewport.cursor == browser.state.list.count - 1)
    }

    @Test(arguments: [Key.enter, .character("t"), .character("S")])
    func `an empty list opens no other screen`(key: Key) {
        var browser = Browser()
        browser.send(.listFinished(skipped: 0))
        browser.press(key)
        #expect(browser.frame.text.contains("no pictures here"))
        #expect(browser.state.notice?.text == "there is no picture to show")
    }

    @Test func `the error of an unreadable list stays visible in the empty list`() {
        var browser = Browser()
        browser.send(.listUnreadable("http://a.org/list.txt: 404 Not Found"))
        browser.send(.listFinished(skipped: 0))
        browser.press(.character("j"))
        #expect(browser.frame.text.contains("404 Not Found") && !browser.frame.text.contains("no pictures here"))
    }

    @Test
    func `a cancelled item is shown as skipped`() {
        var browser = browser()
        browser.press(.down)
        browser.press(.character("x"), .character("c"), .up)
        #expect(browser.frame.text.contains("skipped"))
        browser.press(.character("w"))
        #expect(browser.frame.text.contains("1 skipped"))
    }

    @Test
    func `ticks are requested only while something moves`() throws {
        var browser = browser(items: 1)
        #expect(browser.state.tickInterval == 100)
        let load = try #require(browser.effects.load)
        let facts = ShownPicture.sample(1, size: PixelSize(width: 9, height: 9), origin: .network)
        browser.send(.slotPicture(load.id, facts))
        #expect(browser.state.tickInterval == 16)
        browser.send(.tick(milliseconds: 5000))
        #expect(browser.state.tickInterval == nil)
    }

    @Test
    func `unknown items and extreme numbers are ignored without a trap`() {
        var browser = browser()
        browser.send(.statusChanged(ItemID(-1), .waiting))
        browser.send(.statusChanged(ItemID(.max), .failed(reason: "")))
        browser.send(.itemsAdded([BrowseItem(id: ItemID(7), name: "again", place: "", location: "")]))
        #expect(browser.state.list.items.count == 240)
        let rate = ItemStatus.loading(received: .max, total: .min, rate: .max)
        for index in 0..<5 { browser.send(.statusChanged(ItemID(index), rate)) }
        browser.send(.statusChanged(ItemID(5), .retrying(attempt: .max, of: .min, seconds: .max, reason: "")))
        browser.send(.statusChanged(ItemID(6), .duplicate(of: ItemID(.max))))
        browser.send(.tick(milliseconds: .max))
        browser.send(.tick(milliseconds: .min))
        browser.send(.resized(GridSize(columns: .max, rows: .max), CellSize(width: .max, height: .max)))
        browser.send(.resized(GridSize(columns: 90, rows: 20), .fallback))
        #expect(browser.frame.faults.isEmpty)
    }
}
