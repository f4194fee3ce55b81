import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite("Sorting, filtering and marking rows", .timeLimit(.minutes(1)))
struct RowsTests {
    private func browser(_ names: [String] = ["b10.jpg", "a.jpg", "b9.jpg", "C.png"]) -> Browser {
        var browser = Browser()
        browser.add(names: names)
        browser.send(.listFinished(skipped: 0))
        return browser
    }

    private func rows(_ browser: Browser) -> [String] {
        (0..<browser.state.list.count).map { browser.state.list.items[browser.state.list.index(at: $0)].name }
    }

    @Test
    func `s n sorts by name in natural order, ignoring case; the cursor stays with its item`() {
        var browser = browser()
        browser.press(.character("s"), .character("n"))
        #expect(rows(browser) == ["a.jpg", "b9.jpg", "b10.jpg", "C.png"])
        #expect(browser.state.selected == ItemID(0))
        #expect(browser.state.viewport.cursor == 2)
    }

    @Test
    func `sorting by state puts failures first, by size the largest`() {
        var browser = browser()
        browser.send(.statusChanged(ItemID(3), .failed(reason: "404")))
        browser.send(.statusChanged(ItemID(1), .onDisk(bytes: 10)))
        browser.send(.statusChanged(ItemID(2), .onDisk(bytes: 90)))
        _ = browser.state.run(.sort(.state))
        #expect(rows(browser) == ["C.png", "b10.jpg", "a.jpg", "b9.jpg"])
        _ = browser.state.run(.sort(.size))
        #expect(rows(browser).prefix(2) == ["b9.jpg", "a.jpg"])
        _ = browser.state.run(.sort(.list))
        #expect(rows(browser) == ["b10.jpg", "a.jpg", "b9.jpg", "C.png"])
    }

    @Test
    func `a filter applies to a sorted list, and new items are sorted in when the list has ended`() {
        var browser = Browser()
        browser.add(names: ["d.jpg", "b.png"])
        _ = browser.state.run(.sort(.name))
        browser.add(names: ["a.jpg"])
        #expect(rows(browser) == ["b.png", "d.jpg", "a.jpg"])
        browser.send(.listFinished(skipped: 0))
        #expect(rows(browser) == ["a.jpg", "b.png", "d.jpg"])
        browser.press(.character("/"))
        browser.type("jpg")
        #expect(rows(browser) == ["a.jpg", "d.jpg"])
    }

    @Test
    func `~ filters by a regular expression, !~ inverts it; an invalid one is reported and not applied`() {
        var browser = browser()
        browser.press(.character("/"))
        browser.type("~^b\\d+")
        #expect(rows(browser) == ["b10.jpg", "b9.jpg"])
        browser.press(.control("u"))
        browser.type("!~\\.JPG$")
        #expect(rows(browser) == ["C.png"])
        browser.press(.control("u"))
        browser.type("~(")
        #expect(rows(browser) == ["b10.jpg", "a.jpg", "b9.jpg", "C.png"])
        #expect(browser.frame.text.contains("column 1, '~(': expected a regular expression"))
    }

    @Test
    func `n and N cycle through the matches of the last filter`() {
        var browser = browser()
        browser.press(.character("/"))
        browser.type("b")
        browser.press(.escape)
        #expect(browser.state.selected == ItemID(0))
        browser.press(.character("n"))
        #expect(browser.state.selected == ItemID(2))
        browser.press(.character("n"))
        #expect(browser.state.selected == ItemID(0))
        browser.press(.character("N"))
        #expect(browser.state.selected == ItemID(2))
    }

    @Test
    func `v twice marks a range in either direction, * marks all visible rows, u unmarks all; Esc drops a range`() {
        var browser = browser()
        browser.press(.character("G"), .character("v"), .character("k"), .character("k"), .character("v"))
        #expect(browser.state.marked == [ItemID(1), ItemID(2), ItemID(3)])
        browser.press(.character("u"))
        #expect(browser.state.marked.isEmpty)
        browser.press(.character("v"), .escape, .character("/"))
        browser.type("b")
        browser.press(.enter, .character("*"))
        #expect(browser.state.marked == [ItemID(0), ItemID(2)])
        #expect(browser.state.rangeStart == nil)
    }

    @Test(
        arguments: [
            ("a2", "a10", true), ("a10", "a2", false), ("a02", "a2", false), ("a", "ab", true), ("B", "a", false),
            ("x9y1", "x9y2", true), ("", "a", true), ("a", "a", false), ("1", "a", true),
            ("99999999999999999999999", "100000000000000000000000", true),
        ])
    func `names sort in natural order`(one: String, other: String, precedes: Bool) {
        #expect(SortOrder.precedes(one, other) == precedes)
    }
}
