import AlcedoScreen
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite("Prefetch preferences", .timeLimit(.minutes(1)))
struct PrefetchPreferencesTests {
    private func browser(items: Int = 12) -> Browser {
        var browser = Browser()
        browser.add(count: items)
        return browser
    }

    @Test
    func `the tasks list running, failed and waiting items in this order`() {
        var browser = browser(items: 5)
        browser.send(.statusChanged(ItemID(3), .connecting))
        browser.send(.statusChanged(ItemID(2), .failed(reason: "404 Not Found")))
        #expect(browser.state.tasks == [3, 2, 1, 4])
    }

    @Test
    func `without a prefetcher no waiting items are listed`() {
        var browser = Browser(options: BrowseOptions(prefetches: false))
        browser.add(count: 5)
        #expect(browser.state.tasks.isEmpty)
    }

    @Test
    func `+ and - in the tasks move a waiting item to the front or the end`() {
        var browser = browser(items: 5)
        browser.press(.character("w"), .down, .down)
        #expect(browser.press(.character("+")).prefetch == [3, 1, 2, 4])
        browser.press(.home)
        #expect(browser.press(.character("-")).prefetch == [1, 2, 4, 3])
    }

    @Test
    func `the cursor in the tasks stays with its item while others come and go`() {
        var browser = browser(items: 6)
        browser.press(.character("w"), .down)
        #expect(browser.press(.character("-")).prefetch == [1, 3, 4, 5, 2])
        // The cursor is still on the same item
        browser.send(.statusChanged(ItemID(1), .onDisk(bytes: 1)))
        browser.send(.statusChanged(ItemID(4), .connecting))
        #expect(browser.press(.character("+")).prefetch?.first == 2)
        #expect(browser.press(.character("x")).contains(.cancelItem(ItemID(2))))
        #expect(browser.frame.text.contains("cancelled"))
    }

    @Test
    func `an action that a task does not support is reported`() {
        var browser = browser(items: 3)
        browser.send(.statusChanged(ItemID(1), .failed(reason: "404 Not Found")))
        browser.press(.character("w"))
        #expect(!browser.press(.character("x")).contains(.cancelItem(ItemID(1))))
        #expect(browser.frame.text.contains("nothing is running"))
        browser.press(.down, .character("r"))
        #expect(browser.frame.text.contains("has not failed"))
    }

    @Test
    func `a cancelled item is not fetched again until it is selected`() {
        var browser = browser(items: 5)
        browser.press(.character("w"))
        #expect(browser.press(.character("x")).contains(.cancelItem(ItemID(1))))
        #expect(browser.effects.prefetch == [2, 3, 4])
        browser.send(.statusChanged(ItemID(1), .waiting))
        #expect(browser.press(.escape, .down).prefetch == [2, 3, 4, 0])
        #expect(browser.effects.load?.item == ItemID(1))
    }

    @Test
    func `a retry clears the skipped state`() {
        var browser = browser(items: 4)
        browser.press(.character("w"), .character("x"))
        browser.send(.statusChanged(ItemID(1), .failed(reason: "cut")))
        browser.press(.home)
        #expect(browser.press(.character("r")).prefetch == [1, 2, 3])
    }

    @Test
    func `dc removes the selected or marked items from the cache and skips them`() {
        var browser = browser(items: 5)
        #expect(browser.press(.character("d"), .character("c")).contains(.removeFromCache([ItemID(0)])))
        browser.press(.character(" "), .character(" "))
        #expect(browser.press(.character("d"), .character("c")).contains(.removeFromCache([ItemID(0), ItemID(1)])))
        // An item that was not cached keeps its status.
        #expect(browser.effects.prefetch == nil)
        browser.send(.removedFromCaches([ItemID(1)]))
        #expect(browser.effects.prefetch == [3, 4, 0])
        #expect(browser.state.isSkipped(1) && !browser.state.isSkipped(0))
    }

    @Test func `a removed failure is shown as skipped in the row and on the card`() throws {
        var browser = browser(items: 3)
        let load = try #require(browser.press(.character("j")).load)
        browser.send(.slotFailed(load.id, FailureFacts(title: "damaged PNG", detail: "It is cut.", attempts: 1)))
        browser.send(.statusChanged(ItemID(1), .failed(reason: "damaged PNG")))
        #expect(browser.press(.character("d"), .character("c")) == [.removeFromCache([ItemID(1)])])
        browser.send(.notice("nothing cached"))
        #expect(browser.frame.text.contains("✗ damaged PNG") && browser.frame.row(28).contains("nothing cached"))
        browser.send(.removedFromCaches([ItemID(1)]))
        #expect(!browser.frame.text.contains("damaged PNG"))
        #expect(browser.frame.text.contains("skipped") && browser.frame.text.contains("cancelled · r loads it"))
    }

    @Test
    func `an item removed from the cache elsewhere is waiting and not prefetched`() {
        var browser = browser(items: 4)
        for item in [1, 2] { browser.send(.statusChanged(ItemID(item), .onDisk(bytes: 7))) }
        #expect(browser.state.itemsOnDisk == [ItemID(1), ItemID(2)])
        browser.send(.removedFromCaches([ItemID(2), ItemID(99)]))
        #expect(browser.state.itemsOnDisk == [ItemID(1)])
        #expect(browser.press(.down).prefetch?.contains(2) == false)
    }

    @Test
    func `an item chosen elsewhere is selected, and a filter that hides it is cleared`() {
        var browser = browser(items: 4)
        browser.send(.chosen(ItemID(2)))
        #expect(browser.state.selected == ItemID(2))
        browser.send(.chosen(ItemID(99)))
        #expect(browser.state.selected == ItemID(2))
        browser.type("/picture-1")
        browser.press(.enter)
        browser.send(.chosen(ItemID(3)))
        #expect(browser.state.selected == ItemID(3) && !browser.state.list.isFiltered)
    }

    @Test
    func `with low data only visible items are prefetched`() {
        var browser = browser(items: 200)
        let effects = browser.press(.character("L"))
        #expect(effects.contains(.setLowData(true)))
        #expect(effects.prefetch == Array(1..<27))
        #expect(browser.press(.character("L")).prefetch?.count == 199)
    }
}
