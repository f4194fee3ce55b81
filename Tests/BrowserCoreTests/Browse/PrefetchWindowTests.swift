import AlcedoScreen
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite(.timeLimit(.minutes(1))) struct PrefetchWindowTests {
    private func browser(_ count: Int, all: Bool = false) -> Browser {
        var options = BrowseOptions()
        options.prefetchesAll = all
        var browser = Browser(options: options)
        browser.add(count: count)
        return browser
    }

    private func order(_ browser: Browser) -> [Int] { browser.state.prefetch.order.map(\.rawValue) }

    @Test func `of a long list the pictures around the cursor are prefetched, in the direction of travel`() {
        var browser = browser(10_000)
        browser.type("5000G")
        #expect(Set(order(browser)) == Set(4_999 - 128...4_999 + 384).subtracting([4_999]))
        browser.press(.character("k"))
        #expect(Set(order(browser)) == Set(4_998 - 384...4_998 + 128).subtracting([4_998]))
        browser.press(.character("g"), .character("g"))
        #expect(order(browser).allSatisfy { $0 <= 384 })
    }

    @Test func `nothing more is requested when the window is done`() {
        var browser = browser(3_000)
        let first = order(browser)
        for index in first { browser.send(.statusChanged(ItemID(index), .onDisk(bytes: 1))) }
        #expect(order(browser).isEmpty)
        browser.press(.character("j"))
        #expect(order(browser) == [0, 385])
    }

    @Test func `marked pictures are prefetched wherever they are`() {
        var browser = browser(10_000)
        browser.type("9000G")
        browser.press(.character(" "), .character("g"), .character("g"))
        #expect(order(browser).contains(8_999))
    }

    @Test func `A and the option prefetch all; a list of 2,000 is prefetched whole`() {
        var long = browser(10_000)
        long.press(.character("A"))
        #expect(order(long).count == PrefetchState.limit && order(long).max() == 512)
        #expect(long.state.notice?.text == "all 10,000 pictures are loaded ahead")
        long.press(.character("A"))
        #expect(order(long).allSatisfy { $0 <= 384 })
        #expect(order(browser(10_000, all: true)).max() == 512)
        #expect(order(browser(2_000)).max() == 512)
    }

    @Test func `a filter of a long list prefetches no hidden picture`() {
        var browser = browser(10_000)
        browser.press(.character("/"))
        browser.type("picture-77")
        #expect(order(browser).allSatisfy { "picture-\($0)".hasPrefix("picture-77") })
    }

    @Test func `the header counts the window, without a time`() {
        var browser = browser(3_000)
        browser.send(.listFinished(skipped: 0))
        for time in stride(from: 0, through: 4_000, by: 500) {
            browser.send(.tick(milliseconds: time))
            browser.send(.statusChanged(ItemID(1 + time / 500), .onDisk(bytes: 1)))
            browser.send(.statusChanged(ItemID(300), .loading(received: 1, total: 9, rate: 1)))
        }
        #expect(browser.frame.row(0).contains("ahead "))
        #expect(browser.frame.row(0).contains("/384"))
    }
}
