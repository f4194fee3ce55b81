import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite(.timeLimit(.minutes(1)))
struct ItemDetailsTests {
    private func browser() -> Browser {
        var browser = Browser()
        browser.add(count: 3)
        return browser
    }

    private func text(_ browser: Browser) -> String { browser.frame.text }

    @Test
    func `details are requested once for each item, when shown`() {
        var browser = browser()
        #expect(browser.press(.character("i")).contains(.describe(ItemID(0), picture: nil)))
        #expect(!browser.send(.tick(milliseconds: 5)).contains(.describe(ItemID(0), picture: nil)))
        #expect(browser.press(.character("j")).contains(.describe(ItemID(1), picture: nil)))
        #expect(!browser.press(.character("i")).contains(.describe(ItemID(1), picture: nil)))
    }

    @Test(arguments: [Key.enter, .character("t")])
    func `details that do not fit appear with their pane`(layout: Key) {
        var browser = browser()
        browser.press(.character("i"), layout)
        browser.press(.character("i"))
        #expect(text(browser).contains("location"))
    }

    @Test(
        arguments: [[Key.enter], [.character("t")], [.character("t"), .enter]],
        [Key.character("i"), .escape])
    func `closing the details restores the previous layout`(layout: [Key], key: Key) {
        var browser = browser()
        for key in layout { browser.press(key) }
        let (isGrid, isFullScreen) = (browser.state.isGrid, browser.state.isFullScreen)
        browser.press(.character("i"), key)
        #expect(browser.state.isGrid == isGrid && browser.state.isFullScreen == isFullScreen)
        #expect(!browser.state.showsInfo)
    }

    @Test
    func `details are requested again when the picture is loaded`() throws {
        var browser = browser()
        let load = try #require(browser.press(.character("i")).load)
        let picture = ShownPicture.sample(1, size: PixelSize(width: 60, height: 40))
        #expect(browser.send(.slotPicture(load.id, picture)).contains(.describe(ItemID(0), picture: picture.picture)))
    }

    @Test
    func `details are shown below the picture without control characters`() {
        var browser = browser()
        browser.press(.character("i"))
        browser.send(.described(ItemID(0), [DetailLine("camera", "Box\u{1B}[31m 7")]))
        #expect(text(browser).contains("camera     Box"))
        #expect(!text(browser).contains("\u{1B}"))
    }

    @Test func `labels have ten cells, and values begin one cell after them`() {
        var browser = browser()
        browser.press(.character("i"))
        browser.send(.described(ItemID(0), [DetailLine("answer", "200 OK"), DetailLine("a very long label", "x")]))
        #expect(text(browser).contains("answer     200 OK"))
        #expect(text(browser).contains("a very lo… x"))
    }

    @Test
    func `details of another item are ignored, and the selection of another item removes the old ones`() {
        var browser = browser()
        browser.press(.character("i"))
        browser.send(.described(ItemID(0), [DetailLine("camera", "first")]))
        browser.press(.character("j"))
        #expect(!text(browser).contains("first"))
        browser.send(.described(ItemID(0), [DetailLine("camera", "late")]))
        #expect(!text(browser).contains("late"))
    }
}
