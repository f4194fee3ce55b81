import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite("The progress of the whole list", .timeLimit(.minutes(1)))
struct ListProgressTests {
    private func browser(columns: Int = 120, count: Int = 20) -> Browser {
        var browser = Browser(size: GridSize(columns: columns, rows: 30))
        browser.add(count: count)
        browser.send(.listFinished(skipped: 0))
        return browser
    }

    /// Loads an item per second; one is always running.
    private func fetch(_ count: Int, _ browser: inout Browser) {
        browser.send(.statusChanged(ItemID(19), .connecting))
        for number in 0..<count {
            browser.send(.tick(milliseconds: browser.state.now + 1000))
            browser.send(.statusChanged(ItemID(number), .onDisk(bytes: 9)))
        }
        browser.send(.tick(milliseconds: browser.state.now + 1000))
    }

    private func header(_ browser: Browser) -> String { browser.frame.row(0) }

    @Test func `no progress is shown without transfers or for short ones`() {
        var browser = browser()
        #expect(!header(browser).contains("/20"))
        browser.send(.statusChanged(ItemID(0), .connecting))
        browser.send(.tick(milliseconds: 100))
        browser.send(.statusChanged(ItemID(0), .inMemory(bytes: 9)))
        browser.send(.tick(milliseconds: 200))
        #expect(!header(browser).contains("/20"))
        #expect(browser.state.tickInterval == nil || browser.state.slot.isLoading)
    }

    @Test func `the header shows the done count, a bar and the remaining time`() {
        var browser = browser()
        fetch(6, &browser)
        #expect(header(browser).contains(" 6/20 ━━──────   14 s"))
    }

    @Test func `no remaining time below one second is shown`() {
        var browser = browser()
        browser.send(.statusChanged(ItemID(19), .connecting))
        for number in 0..<19 {
            browser.send(.tick(milliseconds: browser.state.now + 250))
            browser.send(.statusChanged(ItemID(number), .onDisk(bytes: 9)))
            if number == 11 { #expect(header(browser).contains("2 s ")) }
        }
        browser.send(.tick(milliseconds: browser.state.now + 250))
        #expect(header(browser).contains("19/20 ━━━━━━━╸") && !header(browser).contains(" s "))
    }

    @Test func `the progress disappears a second after the last item; a pause removes the time`() {
        var browser = browser()
        fetch(6, &browser)
        browser.press(.character("g"), .character("p"))
        #expect(header(browser).contains(" 6/20 ━━──────  ") && !header(browser).contains("14 s"))
        browser.send(.statusChanged(ItemID(19), .onDisk(bytes: 9)))
        browser.send(.tick(milliseconds: browser.state.now + 500))
        #expect(header(browser).contains(" 7/20"))
        browser.send(.tick(milliseconds: browser.state.now + 600))
        #expect(!header(browser).contains("/20"))
    }

    @Test func `the width of the progress stays the same while its values change`() {
        var browser = browser()
        fetch(3, &browser)
        func start() -> String.Index? { header(browser).firstRange(of: "/20")?.lowerBound }
        let first = start()
        fetch(9, &browser)
        #expect(first != nil && start() == first)
    }

    @Test(arguments: [(20, false), (37, false), (60, true), (100, true)])
    func `in a narrow header the title has priority over the progress`(columns: Int, hasTime: Bool) {
        var browser = browser(columns: columns)
        fetch(6, &browser)
        #expect(header(browser).contains("photos.txt") || header(browser).contains("…"))
        #expect(header(browser).contains(" s ") == hasTime)
        #expect(browser.frame.faults.isEmpty)
    }

    @Test func `a skipped item is not counted as pending`() {
        var browser = browser(count: 3)
        browser.press(.character("x"), .character("c"))
        browser.send(.statusChanged(ItemID(1), .connecting))
        browser.send(.tick(milliseconds: 400))
        browser.send(.tick(milliseconds: 800))
        #expect(header(browser).contains("1/3"))
    }
}
