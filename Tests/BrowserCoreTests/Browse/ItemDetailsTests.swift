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
        #expect(browser.press(.character("i")).contains(.describe(ItemID(0))))
        #expect(!browser.send(.tick(milliseconds: 5)).contains(.describe(ItemID(0))))
        #expect(browser.press(.character("j")).contains(.describe(ItemID(1))))
        #expect(!browser.press(.character("i")).contains(.describe(ItemID(1))))
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
        #expect(browser.send(.slotPicture(load.id, picture)).contains(.describe(ItemID(0))))
    }

    @Test
    func `details are shown below the picture without control characters`() {
        var browser = browser()
        browser.press(.character("i"))
        browser.send(.described(ItemID(0), [DetailLine("camera", "Box\u{1B}[31m 7")]))
        #expect(text(browser).contains("camera      Box"))
        #expect(!text(browser).contains("\u{1B}"))
    }

    @Test func `the label column is as wide as the longest label, up to a third of the pane`() {
        var browser = browser()
        browser.press(.character("i"))
        browser.send(.described(ItemID(0), [DetailLine("last answer", "200 OK"), DetailLine("a long label", "x")]))
        #expect(text(browser).contains("last answer  200 OK"))
        #expect(text(browser).contains("a long label x"))
        browser.send(.described(ItemID(0), [DetailLine(String(repeating: "l", count: 32), "value")]))
        #expect(text(browser).contains("lll value"))
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
