import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite("The mouse in the browser", .timeLimit(.minutes(1)))
struct BrowseMouseTests {
    private func browser() -> Browser {
        var browser = Browser()
        browser.add(count: 100)
        return browser
    }

    private func event(_ action: MouseEvent.Action, _ column: Int, _ row: Int) -> BrowseMessage {
        .mouse(MouseEvent(action: action, button: .left, position: Position(column: column, row: row)))
    }

    @Test
    func `a click selects a row, a second one opens it in full screen`() {
        var browser = browser()
        browser.send(event(.press, 10, 5))
        #expect(browser.state.selected == ItemID(4))
        browser.send(event(.press, 10, 5))
        #expect(browser.state.isFullScreen)
        browser.send(event(.press, 10, 5))
        #expect(!browser.state.isFullScreen)
    }

    @Test
    func `the wheel moves three rows`() {
        var browser = browser()
        browser.send(event(.scrollDown, 10, 5))
        #expect(browser.state.selected == ItemID(3))
        browser.send(event(.scrollUp, 10, 5))
        #expect(browser.state.selected == ItemID(0))
    }

    @Test
    func `the divider can be dragged and both panes keep a minimum width`() {
        var browser = browser()
        let divider = browser.state.layout.listColumns
        browser.send(event(.press, divider, 5))
        browser.send(event(.drag, 40, 5))
        #expect(browser.state.layout.listColumns == 40)
        browser.send(event(.drag, 3, 5))
        #expect(browser.state.layout.listColumns == 20)
        browser.send(event(.release, 3, 5))
        browser.send(event(.drag, 70, 5))
        #expect(browser.state.layout.listColumns == 20)
    }

    @Test
    func `a click on a hint performs its action`() throws {
        var browser = browser()
        let line = browser.frame.row(29)
        let place = try #require(line.firstRange(of: "help")?.lowerBound)
        browser.send(event(.press, line.distance(from: line.startIndex, to: place), 29))
        #expect(browser.state.hasPopup)
    }

    @Test
    func `a click selects an entry of help or tasks, a second one runs it, and the list behind is unaffected`()
        throws
    {
        var browser = browser()
        browser.press(.character("?"))
        let line = try #require((0..<28).first { browser.frame.row($0).contains("thumbnails") })
        let popup = browser.state.layout.popup
        for _ in 0..<2 { browser.send(event(.press, popup.column + 5, line)) }
        #expect(browser.state.isGrid && browser.state.selected == ItemID(0))

        browser.press(.character("t"))
        for item in [4, 9] { browser.send(.statusChanged(ItemID(item), .failed(reason: "404"))) }
        browser.press(.character("w"))
        let second = try #require((0..<28).last { browser.frame.row($0).contains("404") && $0 > 2 })
        for _ in 0..<2 { browser.send(event(.press, popup.column + 5, second)) }
        #expect(browser.state.focus == .list && browser.state.selected != ItemID(0))
    }

    @Test
    func `a click in the processor menu toggles an entry, a click elsewhere changes nothing`() {
        var options = BrowseOptions()
        options.processors = ["bw", "blur(6)"]
        var browser = browser()
        browser.send(.optionsChanged(options))
        browser.press(.character("P"))
        let menu = browser.state.layout.menu
        browser.send(event(.press, menu.column + 2, menu.row + 3))
        #expect(browser.state.options.processor == "blur(6)")
        browser.send(event(.press, menu.column + 2, menu.row + 1))
        #expect(browser.state.options.processor == "blur(6)" && browser.state.selected == ItemID(0))
        browser.send(event(.press, menu.column + 2, menu.row + 3))
        #expect(browser.state.options.processor.isEmpty)
    }

    @Test
    func `a click on an empty screen does nothing`() {
        var browser = Browser()
        for row in 0..<30 { for column in stride(from: 0, to: 120, by: 7) { browser.send(event(.press, column, row)) } }
        #expect(browser.state.selected == nil)
    }
}
