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

    private func load(_ number: Int, _ browser: inout Browser) {
        for status in [ItemStatus.connecting, .loading(received: 9, total: 9, rate: nil), .onDisk(bytes: 9)] {
            browser.send(.statusChanged(ItemID(number), status))
        }
    }

    /// Loads an item per second; one is always running.
    private func fetch(_ count: Int, _ browser: inout Browser) {
        browser.send(.statusChanged(ItemID(19), .connecting))
        for number in 0..<count {
            browser.send(.tick(milliseconds: browser.state.now + 1000))
            load(number, &browser)
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
            load(number, &browser)
            if number == 11 { #expect(header(browser).contains("3 s ")) }
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

    /// Receives a picture in 31 pieces a second and returns what the header says each second.
    private func drip(_ seconds: Int, of total: Int, _ browser: inout Browser) -> [String] {
        browser.send(.statusChanged(ItemID(0), .connecting))
        let start = browser.state.now
        return (1...seconds).map { second in
            for piece in 1...31 {
                browser.send(.tick(milliseconds: start + (second - 1) * 1000 + piece * 1000 / 31))
                let received = ((second - 1) * 31 + piece) << 10
                browser.send(.statusChanged(ItemID(0), .loading(received: received, total: total, rate: 31 << 10)))
            }
            return browser.state.timeLeft
        }
    }

    @Test func `the time left is blank for three seconds, then counts down while the rate is steady`() {
        var browser = browser(count: 1)
        let times = drip(30, of: 2_400 << 10, &browser)
        #expect(times.prefix(2).allSatisfy { $0.isEmpty } && times[5] == "73 s", "\(times)")
        let numbers = times.dropFirst(4).compactMap { Int($0.dropLast(2)) }
        #expect(numbers.count == 26 && zip(numbers, numbers.dropFirst()).allSatisfy { $0 - $1 <= 1 && $0 >= $1 })
    }

    @Test func `the list and the tasks say the same time; an item of unknown size counts as an average one`() {
        var browser = browser(count: 3)
        #expect(drip(5, of: 310 << 10, &browser)[4] == "26 s")
        #expect(header(browser).contains("   26 s"))
        browser.press(.character("w"))
        #expect(header(browser).contains("26 s left"))
    }

    @Test func `the time left is at least the wait of what retries`() {
        var browser = browser(count: 2)
        browser.send(.statusChanged(ItemID(1), .retrying(attempt: 2, of: 4, seconds: 60, reason: "503")))
        #expect(drip(5, of: 300 << 10, &browser)[4] == "55 s")
    }

    @Test func `while no size is known no time is said`() {
        var table = StatusTable()
        table.append(3)
        #expect(table.missingBytes(of: 3) == nil)
        table.set(0, .onDisk(bytes: 40), at: 0)
        #expect(table.missingBytes(of: 2) == 80)
        table.set(1, .loading(received: 15, total: 20, rate: nil), at: 0)
        #expect(table.missingBytes(of: 2) == 35)
        table.set(0, .waiting, at: 0)
        #expect(table.missingBytes(of: 3) == 45)
    }

    @Test func `the card, the row and the status line have one rate`() {
        var browser = Browser(size: GridSize(columns: 160, rows: 30))
        let load = { (effects: [BrowseEffect]) in effects.load }
        browser.add(count: 1)
        let id = load(browser.effects)?.id ?? RequestID(1)
        browser.send(.statusChanged(ItemID(0), .loading(received: 742 << 10, total: 2_764 << 10, rate: 31 << 10)))
        browser.send(.slotProgress(id, received: 742 << 10, total: 2_764 << 10))
        browser.send(.tick(milliseconds: 1_000))
        #expect(browser.frame.text.contains("742 KiB of 2.7 MiB   26 %   31 KiB/s    66 s"))
        #expect(browser.frame.row(1).contains("26 %   31 KiB/s") && browser.frame.row(29).contains("1 · 31 KiB/s"))
    }
}
