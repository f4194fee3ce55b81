import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite("Files that change, and their dates", .timeLimit(.minutes(1)))
struct FileChangesTests {
    private func browser(_ names: [String] = ["a.jpg", "b.jpg", "c.png", "d.jpg"], isFile: Bool = true) -> Browser {
        var browser = Browser()
        browser.send(.itemsAdded(names.indices.map { item($0, names[$0], isFile: isFile) }))
        browser.send(.listFinished(skipped: 0))
        return browser
    }

    private func item(_ index: Int, _ name: String, isFile: Bool = true) -> BrowseItem {
        BrowseItem(
            id: ItemID(index), name: name, place: isFile ? "/p" : "a.org",
            location: isFile ? "/p/\(name)" : "https://a.org/\(name)")
    }

    private func rows(_ browser: Browser) -> [String] {
        (0..<browser.state.list.count).map { browser.state.list.items[browser.state.list.index(at: $0)].name }
    }

    @Test func `a changed file is reloaded`() {
        var browser = browser()
        let effects = browser.send(.fileChanged(ItemID(0), isThere: true))
        #expect(effects.contains { if case .load(_, ItemID(0), _, _, reload: true) = $0 { true } else { false } })
    }

    @Test func `a deleted file loses its row; the cursor goes to the next one or stays with its item`() {
        var browser = browser()
        browser.press(.down)
        browser.send(.fileChanged(ItemID(0), isThere: false))
        #expect(rows(browser) == ["b.jpg", "c.png", "d.jpg"] && browser.state.selected == ItemID(1))
        let effects = browser.send(.fileChanged(ItemID(1), isThere: false))
        #expect(rows(browser) == ["c.png", "d.jpg"] && browser.state.selected == ItemID(2))
        #expect(effects.load?.item == ItemID(2))
        for index in [2, 3] { browser.send(.fileChanged(ItemID(index), isThere: false)) }
        #expect(rows(browser).isEmpty && browser.state.selected == nil)
        // Late results of its transfer do not bring it back.
        browser.send(.statusChanged(ItemID(1), .inMemory(bytes: 5)))
        #expect(rows(browser).isEmpty && browser.state.statuses.kind(of: 1) == .gone)
    }

    @Test func `a file that reappears gets its row back`() {
        var browser = browser()
        for isThere in [false, true] { browser.send(.fileChanged(ItemID(1), isThere: isThere)) }
        #expect(rows(browser) == ["a.jpg", "b.jpg", "c.png", "d.jpg"])
        #expect(browser.state.statuses.kind(of: 1) == .waiting)
    }

    @Test(arguments: [true, false])
    func `the cursor returns with its file, unless the user has done something`(hasActed: Bool) {
        var browser = browser()
        browser.press(.down)
        for index in 0..<4 { browser.send(.fileChanged(ItemID(index), isThere: false)) }
        #expect(browser.state.selected == nil)
        if hasActed { browser.press(.down) }
        for index in 0..<4 { browser.send(.fileChanged(ItemID(index), isThere: true)) }
        #expect((browser.state.selected == ItemID(1)) == !hasActed)
    }

    @Test func `a mark comes back with its picture, as after an undo`() {
        var browser = browser()
        browser.press(.character(" "), .character(" "))
        for index in [0, 1] { browser.send(.fileChanged(ItemID(index), isThere: false)) }
        #expect(browser.state.marked.isEmpty)
        for index in [1, 0] { browser.send(.fileChanged(ItemID(index), isThere: true)) }
        #expect(browser.state.marked == [ItemID(0), ItemID(1)])
        // What was unmarked meanwhile stays so.
        browser.send(.fileChanged(ItemID(0), isThere: false))
        browser.press(.character("u"))
        browser.send(.fileChanged(ItemID(0), isThere: true))
        #expect(browser.state.marked.isEmpty)
    }

    @Test func `marks stay with their pictures when two swap their names`() {
        var browser = browser()
        browser.press(.character(" "))
        for index in [0, 1] { browser.send(.fileChanged(ItemID(index), isThere: false)) }
        browser.send(.renamed(item(0, "b.jpg")))
        browser.send(.renamed(item(1, "a.jpg")))
        for index in [0, 1] { browser.send(.fileChanged(ItemID(index), isThere: true)) }
        #expect(browser.state.marked == [ItemID(0)] && browser.state.list.items.name(at: 0) == "b.jpg")
    }

    @Test func `filters, sorting and marks skip deleted files`() {
        var browser = browser()
        browser.press(.character("*"))
        browser.send(.fileChanged(ItemID(1), isThere: false))
        #expect(browser.state.marked == [ItemID(0), ItemID(2), ItemID(3)])
        browser.state.mark(matching: "jpg")
        #expect(browser.state.marked == [ItemID(0), ItemID(2), ItemID(3)])
        _ = browser.state.run(.filter("jpg"))
        #expect(rows(browser) == ["a.jpg", "d.jpg"])
        _ = browser.state.run(.filter(""))
        _ = browser.state.run(.sort(.name))
        #expect(rows(browser) == ["a.jpg", "c.png", "d.jpg"])
        browser.send(.fileChanged(ItemID(1), isThere: true))
        #expect(Set(rows(browser)) == ["a.jpg", "b.jpg", "c.png", "d.jpg"])
    }

    @Test(arguments: [SortOrder.list, .name])
    func `the cursor goes to the next row when the filter drops its item`(order: SortOrder) {
        var browser = browser(isFile: false)
        _ = browser.state.run(.sort(order))
        for index in 0..<4 { browser.send(.statusChanged(ItemID(index), .failed(reason: "404 not found"))) }
        _ = browser.state.run(.filter("status:failed"))
        for _ in 0..<2 { browser.press(.down) }
        #expect(browser.state.selected == ItemID(2))
        browser.send(.statusChanged(ItemID(2), .onDisk(bytes: 1)))
        #expect(rows(browser) == ["a.jpg", "b.jpg", "d.jpg"] && browser.state.selected == ItemID(3))
        // It is at its place again when the filter accepts it again.
        browser.send(.statusChanged(ItemID(2), .failed(reason: "404 not found")))
        #expect(rows(browser) == ["a.jpg", "b.jpg", "c.png", "d.jpg"])
    }

    @Test func `sorting by date puts the newest first; new and changed files are sorted in`() {
        var browser = browser()
        _ = browser.state.run(.sort(.date))
        #expect(browser.send(.tick(milliseconds: 1)).contains(.readDates((0..<4).map { ItemID($0) })))
        browser.send(.datesRead([ItemID(0): 5, ItemID(1): 9, ItemID(2): -3]))
        // A file without a date, which cannot be read, comes last.
        #expect(rows(browser) == ["b.jpg", "a.jpg", "c.png", "d.jpg"])
        #expect(browser.state.selected == ItemID(0))
        browser.send(.itemsAdded([item(4, "e.jpg")]))
        #expect(browser.send(.tick(milliseconds: 2)).contains(.readDates([ItemID(4)])))
        browser.send(.datesRead([ItemID(4): 7]))
        #expect(rows(browser) == ["b.jpg", "e.jpg", "a.jpg", "c.png", "d.jpg"])
        browser.send(.fileChanged(ItemID(0), isThere: true))
        #expect(browser.send(.tick(milliseconds: 3)).contains(.readDates((0..<5).map { ItemID($0) })))
    }

    @Test func `dates changed under another order are read again when sorting by date`() {
        var browser = browser()
        for order in [SortOrder.date, .name] {
            _ = browser.state.run(.sort(order))
            browser.send(.tick(milliseconds: 1))
        }
        browser.send(.fileChanged(ItemID(2), isThere: true))
        _ = browser.state.run(.sort(.date))
        #expect(browser.send(.tick(milliseconds: 2)).contains(.readDates((0..<4).map { ItemID($0) })))
    }

    @Test func `s offers sorting by date only for lists of files`() {
        for isFile in [true, false] {
            var browser = browser(isFile: isFile)
            browser.press(.character("s"))
            #expect(browser.frame.text.contains("newest first") == isFile)
            browser.press(.character("d"))
            #expect((browser.state.list.order == .date) == isFile)
        }
    }

    @Test func `in a sorted list new files are sorted in at the next tick`() {
        var browser = browser()
        _ = browser.state.run(.sort(.name))
        browser.send(.itemsAdded([item(4, "bb.jpg")]))
        #expect(rows(browser).last == "bb.jpg" && browser.state.tickInterval != nil)
        browser.send(.tick(milliseconds: 1))
        #expect(rows(browser) == ["a.jpg", "b.jpg", "bb.jpg", "c.png", "d.jpg"])
    }

    @Test func `! runs a command on the marked pictures, or on the selected one`() {
        var browser = browser()
        browser.press(.character("!"))
        browser.type("rm {}")
        #expect(browser.press(.enter).contains(.runCommand("rm {}", [ItemID(0)])))
        browser.press(.character("*"), .character("!"))
        browser.type("mv {} /x")
        #expect(browser.press(.enter).contains(.runCommand("mv {} /x", (0..<4).map { ItemID($0) })))
    }
}
