import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite("Order and marks", .timeLimit(.minutes(1)))
struct SortingTests {
    private func browser(_ names: [String] = ["b.jpg", "a.jpg", "c.png"]) -> Browser {
        var browser = Browser(size: GridSize(columns: 100, rows: 24))
        browser.send(
            .itemsAdded(
                names.enumerated().map { index, name in
                    BrowseItem(id: ItemID(index), name: name, place: "/p", location: "/p/\(name)")
                }))
        browser.send(.listFinished(skipped: 0, reasons: []))
        return browser
    }

    private func rows(_ browser: Browser) -> [String] {
        (0..<browser.state.list.count).map { browser.state.list.items[browser.state.list.index(at: $0)].name }
    }

    @Test func `the sheet shows each order with its key and direction`() throws {
        var browser = browser()
        browser.press(.character("s"))
        #expect(try Golden.mismatch(of: browser.frame.text, with: "sort-sheet") == nil)
        browser.press(.escape)
        #expect(!browser.frame.text.contains("sort: now") && browser.state.list.order == .list)
    }

    @Test func `the letter of the current order turns its direction`() {
        var browser = browser()
        browser.type("sn")
        #expect(rows(browser) == ["a.jpg", "b.jpg", "c.png"] && browser.frame.row(0).contains("by name ▴"))
        browser.type("sn")
        #expect(rows(browser) == ["c.png", "b.jpg", "a.jpg"] && browser.frame.row(0).contains("by name ▾"))
        // New items are sorted in in this direction
        browser.send(.itemsAdded([BrowseItem(id: ItemID(3), name: "bb.jpg", place: "/p", location: "/p/bb.jpg")]))
        browser.send(.tick(milliseconds: 1))
        #expect(rows(browser) == ["c.png", "bb.jpg", "b.jpg", "a.jpg"])
        browser.type("sl")
        #expect(rows(browser) == ["b.jpg", "a.jpg", "c.png", "bb.jpg"])
    }

    @Test func `an order by chance has every item once, and another one each time`() {
        var browser = browser((0..<100).map { "\($0).jpg" })
        browser.type("sr")
        let first = rows(browser)
        #expect(Set(first).count == 100 && first != (0..<100).map { "\($0).jpg" })
        browser.send(.tick(milliseconds: 77))
        browser.type("sr")
        #expect(rows(browser) != first && Set(rows(browser)).count == 100)
    }

    @Test func `V inverts the marks, and the braces go through marked rows around the end`() {
        var browser = browser(["a", "b", "c", "d"].map { $0 + ".jpg" })
        browser.type(" GV")
        #expect(browser.state.marked == [1, 2, 3].map { ItemID($0) })
        browser.type("V}")
        #expect(browser.state.marked == [ItemID(0)] && browser.state.selected == ItemID(0))
        browser.type("V}}")
        #expect(browser.state.selected == ItemID(2))
        browser.type("{{")
        #expect(browser.state.selected == ItemID(3))
    }

    @Test func `only the rows of a filter are inverted`() {
        var browser = browser()
        browser.type("*/png")
        browser.press(.enter)
        browser.type("V")
        #expect(browser.state.marked == [ItemID(0), ItemID(1)])
    }

    @Test func `ctrl-o goes back to the picture that was looked at, and forth again`() {
        var browser = browser()
        browser.send(.tick(milliseconds: 2000))
        browser.type("j")
        browser.send(.tick(milliseconds: 2100))
        browser.type("j")
        browser.press(.control("o"))
        #expect(browser.state.selected == ItemID(0))
        browser.press(.control("o"))
        #expect(browser.state.selected == ItemID(2))
    }
}
