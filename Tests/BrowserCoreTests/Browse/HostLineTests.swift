import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite(.timeLimit(.minutes(1)))
struct HostLineTests {
    private static func host(_ name: String, _ trouble: HostStatus.Trouble, seconds: Int = 7) -> HostStatus {
        HostStatus(host: name, trouble: trouble, seconds: seconds, retriesUsed: 1, retriesAllowed: 12)
    }

    /// A browser with six items of images.example.org; one waits for the host and one has failed.
    private func browser(_ trouble: HostStatus.Trouble) -> Browser {
        var browser = Browser()
        browser.add(count: 6)
        browser.send(
            .statusChanged(
                ItemID(0), .parked(seconds: 7, reason: "host failing", answer: "500 Internal Server Error")))
        browser.send(.statusChanged(ItemID(5), .failed(reason: "500 Internal Server Error")))
        browser.send(
            .hostsChanged([Self.host("other.example", .parked), Self.host("images.example.org:8080", trouble)]))
        browser.press(.character("w"))
        return browser
    }

    @Test func `the line of a host shows how many items wait for it`() {
        let browser = browser(.failing)
        #expect(browser.frame.row(7).contains("failing, next try in 7 s  5 waiting"))
        #expect(!browser.frame.row(6).contains("waiting"))
    }

    @Test func `the cursor moves from the tasks up to the hosts and back`() {
        var browser = browser(.failing)
        browser.press(.character("k"))
        #expect(browser.frame.row(7).contains("▌  ‖ images.") && browser.frame.row(29).contains("r ask the host now"))
        browser.press(.character("k"), .character("k"))
        #expect(browser.frame.row(6).contains("▌  ‖ other.example"))
        browser.press(.character("j"), .character("j"))
        #expect(browser.frame.row(9).contains("▌  ‖ picture-0.jpg") && browser.frame.row(29).contains("r retry"))
        browser.press(.home)
        #expect(browser.frame.row(6).contains("▌"))
        browser.send(.hostsChanged([]))
        #expect(browser.frame.row(6).contains("▌  ‖ picture-0.jpg"))
    }

    @Test func `r on a host probes it at once`() {
        var browser = browser(.failing)
        browser.press(.character("k"))
        #expect(browser.press(.character("r")) == [.probeHost("images.example.org:8080")])
        #expect(browser.frame.row(28).contains("asking images.example.org:8080 now"))
        #expect(browser.press(.character("x")).isEmpty)
        #expect(browser.frame.row(28).contains("on a host's line r asks the host now"))
    }

    @Test func `r on a host that was given up retries one of its failed items as a probe`() {
        var browser = browser(.givenUp)
        browser.press(.character("k"))
        let effects = browser.press(.character("r"))
        #expect(effects.starts(with: [.probeHost("images.example.org:8080"), .retryItem(ItemID(5))]))
        #expect(browser.frame.row(28).contains("R retries the rest if it answers"))
    }

    @Test func `a host that accepts requests is not probed`() {
        var browser = browser(.slowed(tenthsPerSecond: 14))
        browser.press(.character("k"))
        #expect(browser.press(.character("r")).isEmpty)
        #expect(browser.frame.row(28).contains("is being asked already"))
    }

    @Test func `a click selects the line of a host`() {
        var browser = browser(.failing)
        browser.send(.mouse(MouseEvent(action: .press, button: .left, position: Position(column: 62, row: 6))))
        #expect(browser.press(.character("r")) == [.probeHost("other.example")])
    }

    @Test(arguments: [
        (80, "host failing", "500 Internal Server Error · host failing"), (30, "host failing", "500 · host failing"),
        (30, "host asked for a pause", "500 · host asked for a pause"),
        (20, "host asked for a pause", "500 · host paused"), (12, "host asked for a pause", "host paused"),
        (8, "host asked for a pause", "paused"),
    ])
    func `the answer of the item comes before what the host does, in ever shorter words`(
        width: Int, reason: String, text: String
    ) {
        let status = ItemStatus.parked(seconds: 7, reason: reason, answer: "500 Internal Server Error")
        let fact = StatusText(status: status, now: 0, glyphs: .unicode).fact(width: width)
        #expect(fact.spans.map(\.text).joined() == text)
        #expect(CellWidth.of(text) <= width)
    }

    @Test func `a row that was left while its host is paused shows that until the pause ends`() {
        var browser = Browser()
        browser.add(names: ["a.jpg", "b.jpg", "c.jpg"])
        browser.send(.hostsChanged([Self.host("images.example.org", .parked, seconds: 20)]))
        for item in 0..<2 {
            browser.send(.statusChanged(ItemID(item), .parked(seconds: 20, reason: "host asked for a pause")))
            // The selection leaves the row, and nothing else loads it
            browser.send(.statusChanged(ItemID(item), .waiting))
        }
        #expect(browser.frame.row(1).contains("‖ a.jpg") && browser.frame.row(1).contains("host paused"))
        #expect(browser.frame.row(2).contains("20 s") && browser.state.tickInterval != nil)
        #expect(browser.frame.row(3).contains("○ c.jpg"))
        browser.send(.tick(milliseconds: 12_000))
        #expect(browser.frame.row(2).contains(" 8 s"))
        browser.send(.tick(milliseconds: 20_000))
        #expect(browser.frame.row(2).contains("○ b.jpg"))
    }
}
