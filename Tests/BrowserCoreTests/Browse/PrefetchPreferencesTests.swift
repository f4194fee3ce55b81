import Testing

@testable import AlcedoBrowserCore

@Suite("What the user wants of the prefetcher", .timeLimit(.minutes(1)))
struct PrefetchPreferencesTests {
    private func browser(items: Int = 12) -> Browser {
        var browser = Browser()
        browser.add(count: items)
        return browser
    }

    @Test
    func `the tasks list what runs, what failed, and what comes next`() {
        var browser = browser(items: 5)
        browser.send(.statusChanged(ItemID(3), .connecting))
        browser.send(.statusChanged(ItemID(2), .failed(reason: "404 Not Found")))
        #expect(browser.state.tasks == [3, 2, 1, 4])
    }

    @Test
    func `without a prefetcher nothing comes next`() {
        var browser = Browser(options: BrowseOptions(prefetches: false))
        browser.add(count: 5)
        #expect(browser.state.tasks.isEmpty)
    }

    @Test
    func `+ and - in the tasks put a waiting item first and last`() {
        var browser = browser(items: 5)
        browser.press(.character("w"), .down, .down)
        #expect(browser.press(.character("+")).prefetch == [3, 1, 2, 4])
        browser.press(.home)
        #expect(browser.press(.character("-")).prefetch == [1, 2, 4, 3])
    }

    @Test
    func `the place in the tasks stays with its task while others come and go`() {
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
    func `what cannot be done with a task is said`() {
        var browser = browser(items: 3)
        browser.send(.statusChanged(ItemID(1), .failed(reason: "404 Not Found")))
        browser.press(.character("w"))
        #expect(!browser.press(.character("x")).contains(.cancelItem(ItemID(1))))
        #expect(browser.frame.text.contains("nothing is running"))
        browser.press(.down, .character("r"))
        #expect(browser.frame.text.contains("has not failed"))
    }

    @Test
    func `what is cancelled is not fetched again until it is asked for`() {
        var browser = browser(items: 5)
        browser.press(.character("w"))
        #expect(browser.press(.character("x")).contains(.cancelItem(ItemID(1))))
        #expect(browser.effects.prefetch == [2, 3, 4])
        browser.send(.statusChanged(ItemID(1), .waiting))
        #expect(browser.press(.escape, .down).prefetch == [2, 3, 4, 0])
        #expect(browser.effects.load?.item == ItemID(1))
    }

    @Test
    func `a retry forgets that it was set aside`() {
        var browser = browser(items: 4)
        browser.press(.character("w"), .character("x"))
        browser.send(.statusChanged(ItemID(1), .failed(reason: "cut")))
        browser.press(.home)
        #expect(browser.press(.character("r")).prefetch == [1, 2, 3])
    }

    @Test
    func `d takes the chosen item out of the cache, or those that are marked, and leaves them out`() {
        var browser = browser(items: 5)
        #expect(browser.press(.character("d")).contains(.removeFromCache([ItemID(0)])))
        browser.press(.character(" "), .character(" "))
        #expect(browser.press(.character("d")).contains(.removeFromCache([ItemID(0), ItemID(1)])))
        // An item that was not cached keeps its status.
        #expect(browser.effects.prefetch == nil)
        browser.send(.removedFromCaches([ItemID(1)]))
        #expect(browser.effects.prefetch == [3, 4, 0])
        #expect(browser.state.isSkipped(1) && !browser.state.isSkipped(0))
    }

    @Test func `a failure whose bytes were removed is skipped, in the row and on the card`() throws {
        var browser = browser(items: 3)
        let load = try #require(browser.press(.character("j")).load)
        browser.send(.slotFailed(load.id, FailureFacts(title: "damaged PNG", detail: "It is cut.", attempts: 1)))
        browser.send(.statusChanged(ItemID(1), .failed(reason: "damaged PNG")))
        #expect(browser.press(.character("d")) == [.removeFromCache([ItemID(1)])])
        browser.send(.notice("nothing cached"))
        #expect(browser.frame.text.contains("✗ damaged PNG") && browser.frame.row(29).contains("nothing cached"))
        browser.send(.removedFromCaches([ItemID(1)]))
        #expect(!browser.frame.text.contains("damaged PNG"))
        #expect(browser.frame.text.contains("skipped") && browser.frame.text.contains("cancelled · r loads it"))
    }

    @Test
    func `what was taken out of the cache elsewhere waits, and is left out`() {
        var browser = browser(items: 4)
        for item in [1, 2] { browser.send(.statusChanged(ItemID(item), .onDisk(bytes: 7))) }
        #expect(browser.state.itemsOnDisk == [ItemID(1), ItemID(2)])
        browser.send(.removedFromCaches([ItemID(2), ItemID(99)]))
        #expect(browser.state.itemsOnDisk == [ItemID(1)])
        #expect(browser.press(.down).prefetch?.contains(2) == false)
    }

    @Test
    func `what was chosen elsewhere is chosen here, and no filter hides it`() {
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
    func `with low data nothing beyond the screen is fetched`() {
        var browser = browser(items: 200)
        let effects = browser.press(.character("L"))
        #expect(effects.contains(.setLowData(true)))
        #expect(effects.prefetch == Array(1..<27))
        #expect(browser.press(.character("L")).prefetch?.count == 199)
    }
}
