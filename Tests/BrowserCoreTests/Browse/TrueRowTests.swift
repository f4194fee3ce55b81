import AlcedoFilters
import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoBrowserCore

/// Rows say the truth, whole, and can be told apart; the filter finds all that they show.
@Suite(.timeLimit(.minutes(1))) struct TrueRowTests {
    private func browser(_ addresses: String..., columns: Int = 120) -> Browser {
        var browser = Browser(size: GridSize(columns: columns, rows: 30))
        browser.send(
            .itemsAdded(
                addresses.enumerated().map { index, address in
                    let parts = AddressParts(address)
                    return BrowseItem(
                        id: ItemID(index), name: String(parts.file), place: String(parts.host), location: address)
                }))
        browser.send(.listFinished(skipped: 0))
        return browser
    }

    /// A row of the list without the preview.
    private func row(_ number: Int, _ browser: Browser) -> String {
        String(browser.frame.row(number + 1).prefix(browser.state.layout.listColumns))
    }

    @Test(
        arguments: [
            ("photos", [0, 1]), ("PHOTOS/img", [0]), ("e/IMG_2103", []), ("café", [2]), ("caf%C3%A9", [2]),
            ("size=12", [2]), ("b c", [2]), ("~os/[A-Z]+_2", [0]), ("~été", [3]), ("été", [3]), ("!example", [3]),
            ("https", []), ("https://ex", [0, 1, 2]),
        ] as [(String, [Int])])
    func `the filter finds any part of an address, as it is written and decoded`(text: String, found: [Int]) throws {
        var browser = browser(
            "https://example.org/photos/IMG_2103.jpg", "https://example.org/photos/b.jpg",
            "https://example.org/a%20b%20c/caf%C3%A9/x.png?size=12", "https://other.net/%C3%A9t%C3%A9/IMG_2104.jpg")
        let filter = text.contains(" ") ? "\"\(text)\"" : text
        browser.press(.character("/"))
        browser.type(filter)
        #expect((0..<browser.state.list.count).map { browser.state.list.index(at: $0) } == found)
    }

    @Test func `a match that spans the folder and the name is highlighted in both`() {
        var browser = browser("https://h/photos/a.jpg", "https://h/odd/a.jpg")
        browser.press(.character("/"))
        browser.type("tos/a.j")
        let name = NameText(of: 0, in: browser.state.list.items, .file)
        let text = name.text(width: 40, ellipsis: "…", matching: browser.state.list.filter.matcher())
        #expect(text.spans.filter { $0.style == .match }.map(\.text).joined() == "tos/a.j")
        #expect(text.spans.map(\.text).joined() == "photos/a.jpg")
    }

    @Test func `addresses that differ only in their query show it, whole`() {
        let browser = browser(
            "https://h/kelp.png?w=640", "https://h/kelp.png?w=1280", "https://h/other.png?w=640",
            "https://h/a/kelp.png?w=640", columns: 200)
        #expect(row(0, browser).contains("kelp.png?w=640"))
        #expect(row(1, browser).contains("kelp.png?w=1280"))
        #expect(!row(2, browser).contains("?"))
        #expect(row(3, browser).contains("a/kelp.png"))
    }

    @Test func `a long name loses its middle, not the query that tells it apart`() {
        let long = String(repeating: "very-", count: 20) + "long.png"
        let browser = browser("https://h/\(long)?w=1", "https://h/\(long)?w=2")
        #expect(row(0, browser).contains("?w=1") && row(1, browser).contains("?w=2"))
    }

    // MARK: - Failures

    @Test func `a failed picture is not fetched when the cursor passes it, but when r asks`() {
        var browser = browser("https://h/a.png", "https://h/b.png", "https://h/c.png")
        let facts = FailureFacts(title: "too large: 126 MP", detail: "Raise --max-pixels.", attempts: 2)
        browser.send(.statusChanged(ItemID(1), .failed(reason: "too large: 126 MP")))
        browser.send(.failureKnown(ItemID(1), facts))
        // Another load of the same picture tells the reason alone.
        browser.send(.statusChanged(ItemID(1), .failed(reason: "too large: 126 MP")))
        #expect(browser.press(.character("j")).load == nil)
        #expect(browser.state.slot.content(at: 0) == .failure(facts))
        #expect(browser.frame.text.contains("tried 2 times"))
        #expect(row(1, browser).contains("too large: 126 MP"))
        #expect(browser.press(.character("r")).load?.item == ItemID(1))
        browser.press(.character("j"))
        #expect(browser.effects.load?.item == ItemID(2))
    }

    @Test func `a failure without details says its reason`() {
        var browser = browser("https://h/a.png", "https://h/b.png")
        browser.send(.statusChanged(ItemID(1), .failed(reason: "404 Not Found")))
        browser.press(.character("j"))
        #expect(browser.frame.text.contains("failed · r tries again"))
        // When it is there after all, its details go.
        browser.send(.statusChanged(ItemID(1), .onDisk(bytes: 5)))
        browser.press(.character("k"))
        #expect(browser.press(.character("j")).load?.item == ItemID(1))
    }

    @Test func `a notice about a picture leaves with it, and one about another picture does not come`() {
        var browser = browser("https://h/a.png", "https://h/b.png")
        browser.send(.pictureNotice(ItemID(1), "b.png is corrupt"))
        #expect(browser.state.notice == nil)
        browser.send(.pictureNotice(ItemID(0), "a.png is corrupt"))
        #expect(browser.state.notice?.text == "a.png is corrupt")
        browser.press(.character("j"))
        #expect(browser.state.notice == nil)
        browser.send(.notice("exported"))
        browser.press(.character("k"))
        #expect(browser.state.notice?.text == "exported")
    }

    // MARK: - Words

    @Test func `a silent server is told with the time of the time limit`() {
        var options = BrowseOptions()
        options.answerTime = 60
        var browser = Browser(options: options, size: GridSize(columns: 160, rows: 30))
        browser.add(count: 3)
        browser.send(.statusChanged(ItemID(1), .connecting))
        browser.send(.tick(milliseconds: 1_000))
        #expect(row(1, browser).contains("connecting"))
        browser.send(.tick(milliseconds: 12_400))
        // A report of the same state does not begin the wait anew.
        browser.send(.statusChanged(ItemID(1), .connecting))
        #expect(row(1, browser).contains("12 of 60 s"))
        #expect(row(1, browser).contains("answer"))
    }

    @Test(arguments: [80, 100, 120, 160, 200, 250])
    func `a reason is never cut while cells before it are free`(columns: Int) {
        var browser = browser("https://h/a.png", columns: columns)
        for reason in ["404 Not Found", "503 Service Unavailable", "cut off after 77057 of 154115 bytes"] {
            browser.send(.statusChanged(ItemID(0), .failed(reason: reason)))
            let row = row(0, browser)
            #expect(row.contains(reason) || reason.count > browser.state.layout.listColumns - 16, "\(row)")
            browser.send(.statusChanged(ItemID(0), .retrying(attempt: 2, of: 4, seconds: 3, reason: reason)))
        }
    }

    @Test func `a picture that is read from the disk is not said to connect`() {
        var browser = browser("https://h/a.png")
        browser.send(.statusChanged(ItemID(0), .onDisk(bytes: 102_400)))
        browser.send(.tick(milliseconds: 500))
        #expect(browser.frame.text.contains("100 KiB on disk"))
        #expect(browser.frame.text.contains("reading"))
        #expect(!browser.frame.text.contains("connecting"))
    }

    // MARK: - Transitions

    @Test func `pictures from memory appear with a transition; while a key is held they change at once`() {
        var options = BrowseOptions()
        options.slot.forcesTransition = true
        var browser = Browser(options: options)
        browser.add(count: 9)
        func show(_ number: Int, at time: Int) -> Bool {
            browser.send(.tick(milliseconds: time))
            browser.press(.character("j"))
            guard let id = browser.effects.load?.id else { return false }
            browser.send(.slotPicture(id, .sample(number, size: PixelSize(width: 90, height: 60))))
            return browser.state.slot.isInTransition
        }
        #expect(show(1, at: 1_000))
        #expect(!show(2, at: 1_030))
        #expect(!show(3, at: 1_060))
        #expect(show(4, at: 1_400))
    }
}
