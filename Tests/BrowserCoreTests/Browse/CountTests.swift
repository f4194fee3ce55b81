import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite(.timeLimit(.minutes(1)))
struct CountTests {
    private func browser(options: BrowseOptions = BrowseOptions()) -> Browser {
        var browser = Browser(options: options)
        browser.add(count: 120)
        return browser
    }

    private func showPicture(_ browser: inout Browser) throws {
        let id = try #require(browser.press(.character("j")).load?.id)
        browser.send(.slotPicture(id, .sample(1, size: PixelSize(width: 300, height: 188))))
    }

    @Test(arguments: [("4j", 4), ("12j3k", 9), ("30G", 29), ("30gg", 29), ("9j2gg", 1), ("200G", 119), ("20j0", 20)])
    func `a count repeats a key or selects a row`(keys: String, row: Int) {
        var browser = browser()
        browser.type(keys)
        #expect(browser.state.selected == ItemID(row))
    }

    @Test func `a pending count is shown dim at the right, and Esc drops it`() throws {
        var browser = browser()
        browser.type("40")
        let line = browser.frame.row(29)
        #expect(line.hasSuffix("q quit  40 "))
        #expect(browser.frame[118, 29].style == .dim)
        browser.type("g")
        #expect(browser.frame.row(29).hasSuffix("q quit  40g "))
        browser.press(.escape)
        #expect(browser.state.pendingCount == nil && browser.frame.row(29).hasSuffix("q quit "))
        browser.type("j")
        #expect(browser.state.selected == ItemID(1))
    }

    @Test func `in the grid a count counts cells and rows of thumbnails`() {
        var browser = browser()
        browser.type("t2j3l")
        #expect(browser.state.selected == ItemID(2 * browser.state.layout.grid.columns + 3))
    }

    @Test func `digits are not counts in full screen and while zoomed`() throws {
        var browser = browser()
        try showPicture(&browser)
        browser.type("z1")
        #expect(browser.state.pendingCount == nil && !browser.state.zoom.isFit)
        browser.type("0")
        #expect(browser.state.zoom.isFit)
        browser.press(.enter)
        browser.type("5j")
        #expect(browser.state.selected == ItemID(2))
    }

    @Test func `a digit bound to an action is not a count`() throws {
        var options = BrowseOptions()
        try options.keyMap.bind(["3"], to: "bottom")
        try options.keyMap.bind(["5x"], to: "mark-all")
        var browser = browser(options: options)
        browser.type("43")
        #expect(browser.state.selected == ItemID(3))
        browser.type("5x")
        #expect(browser.state.marked.count == 120)
    }

    @Test func `a count beyond the list goes to its end`() {
        var browser = browser()
        browser.type("99999999999999999999j")
        #expect(browser.state.selected == ItemID(119))
        browser.press(.control("b"))
        browser.type("9999999999")
        browser.press(.control("b"))
        #expect(browser.state.selected == ItemID(0))
    }

    @Test func `a count before Space marks as many rows, before n skips as many matches`() {
        var browser = browser()
        browser.type("3 ")
        #expect(browser.state.marked == [ItemID(0), ItemID(1), ItemID(2)] && browser.state.selected == ItemID(3))
        browser.type("/picture-1")
        browser.press(.enter, .escape, .character("g"), .character("g"))
        browser.type("3n")
        #expect(browser.state.selected == ItemID(11))
    }

    @Test func `an unbound key shows a dim notice for two seconds`() {
        var browser = browser()
        browser.type("b")
        #expect(browser.frame.row(28).contains("─ b does nothing here: ? shows the keys ─"))
        #expect(browser.frame[118, 29].style == .dim)
        browser.send(.tick(milliseconds: 1999))
        #expect(browser.state.notice != nil)
        browser.send(.tick(milliseconds: 2000))
        #expect(browser.state.notice == nil)
    }
}

@Suite(.timeLimit(.minutes(1)))
struct RangeTests {
    private func browser() -> Browser {
        var browser = Browser()
        browser.add(count: 40)
        browser.type("17j")
        return browser
    }

    /// The rows of the list that are drawn as selected.
    private func litRows(_ browser: Browser) -> [Int] {
        let visible = browser.state.viewport.visible(
            count: browser.state.list.count, height: browser.state.layout.list.rows)
        return visible.filter { row in
            browser.frame[5, 1 + row - visible.lowerBound].style.background == .selection
        }
    }

    @Test func `a range is highlighted while the cursor moves, in either direction`() {
        var browser = browser()
        browser.type("v")
        #expect(browser.frame.row(28).contains("─ Range from 18: move, then v ─"))
        browser.type("2j")
        #expect(litRows(browser) == [17, 18, 19] && browser.state.marked.isEmpty)
        browser.type("4k")
        #expect(litRows(browser) == [15, 16, 17])
        browser.send(.tick(milliseconds: 5000))
        #expect(browser.frame.row(29).hasSuffix("Esc no range  v mark 3  ? help  q quit "))
    }

    @Test(arguments: ["v", " "])
    func `v and Space mark the range and end it`(key: String) {
        var browser = browser()
        browser.type("v2j" + key)
        #expect(browser.state.marked == [17, 18, 19].map { ItemID($0) })
        #expect(browser.state.rangeStart == nil && browser.state.selected == ItemID(19) && litRows(browser) == [19])
    }

    @Test func `Esc drops the range; sorting or filtering ends it`() {
        var browser = browser()
        browser.type("v2j")
        browser.press(.escape)
        #expect(browser.state.marked.isEmpty && browser.state.rangeStart == nil)
        browser.type("vsn")
        #expect(browser.state.rangeStart == nil)
        browser.type("v/1")
        #expect(browser.state.rangeStart == nil)
    }

    @Test func `thumbnails in the range are highlighted`() {
        var browser = browser()
        browser.type("tvl")
        let grid = browser.state.layout.grid
        let cells = [17, 18].map { grid.cell($0 - browser.state.visibleRows.lowerBound) }
        for cell in cells {
            #expect(browser.frame[cell.column + 2, cell.row + cell.rows - 2].style.background == .selection)
        }
    }
}
