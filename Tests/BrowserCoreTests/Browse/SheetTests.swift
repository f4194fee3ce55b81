import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoBrowserCore

/// The sheets above the rule: what is wrong in the configuration, and the keys that follow a prefix key.
@Suite(.timeLimit(.minutes(1))) struct SheetTests {
    private static let faults = [
        ConfigurationFault(
            "there is no action 'exprt'; did you mean export?", file: "/home/u/.config/alcedo/config.toml",
            line: 12, column: 1, source: "[keys] exprt = \"e\""),
        ConfigurationFault(
            "there is no theme 'hi-contrast'; did you mean high-contrast?", file: "/home/u/.config/alcedo/config.toml",
            line: 31, column: 9, source: "[browser] theme = \"hi-contrast\""),
    ]

    private func browser(
        _ faults: [ConfigurationFault] = faults, size: GridSize = GridSize(columns: 160, rows: 24), count: Int = 40
    ) -> Browser {
        var options = BrowseOptions()
        options.faults = faults
        var browser = Browser(options: options, size: size)
        browser.add(count: count)
        return browser
    }

    private func showsFaults(_ browser: Browser) -> Bool {
        browser.frame.text.contains("not used")
    }

    // MARK: - The configuration

    @Test func `wrong lines of the configuration are shown at the start, above the rule`() throws {
        #expect(try Golden.mismatch(of: browser().frame.text, with: "config-faults") == nil)
    }

    @Test func `without panes the sheet takes the last rows, at most half of the screen`() throws {
        let browser = browser(size: GridSize(columns: 60, rows: 20))
        #expect(try Golden.mismatch(of: browser.frame.text, with: "config-faults-60x20") == nil)
    }

    @Test(arguments: [(20, 6), (10, 3), (1, 1), (79, 12), (80, 8), (300, 100)])
    func `a sheet fits every size`(columns: Int, rows: Int) {
        var browser = browser(Array(repeating: Self.faults, count: 30).flatMap { $0 })
        browser.send(.resized(GridSize(columns: columns, rows: rows), .fallback))
        #expect(browser.frame.faults.isEmpty)
        browser.press(.escape, .character("g"), .character("?"))
        #expect(browser.frame.faults.isEmpty)
    }

    @Test func `Esc closes the sheet and nothing else`() {
        var browser = browser()
        browser.press(.character("/"))
        browser.type("picture-3")
        browser.press(.enter)
        browser.press(.escape)
        #expect(!showsFaults(browser) && browser.state.list.isFiltered)
    }

    @Test(arguments: [Key.character("j"), .character("G"), .down, .home])
    func `the first movement closes the sheet and moves`(key: Key) {
        var (browser, other) = (browser(), self.browser([]))
        browser.press(key)
        other.press(key)
        #expect(!showsFaults(browser) && browser.state.viewport.cursor == other.state.viewport.cursor)
    }

    @Test func `a panel hides the sheet`() {
        var browser = browser()
        browser.press(.character("w"))
        #expect(!showsFaults(browser))
        browser.press(.escape)
        #expect(showsFaults(browser))
    }

    @Test func `the command config brings the sheet back`() {
        var browser = browser()
        browser.press(.escape)
        browser.type(":config")
        browser.press(.enter)
        #expect(showsFaults(browser))
    }

    @Test func `without faults the command config says so`() {
        var browser = browser([])
        browser.type(":config")
        browser.press(.enter)
        #expect(!showsFaults(browser) && browser.frame.text.contains("every line of the configuration is used"))
    }

    @Test func `options that are read again open the sheet or close it`() {
        var browser = browser()
        browser.send(.optionsChanged(BrowseOptions()))
        #expect(!showsFaults(browser))
        var options = BrowseOptions()
        options.faults = [Self.faults[0]]
        browser.send(.optionsChanged(options))
        #expect(browser.frame.text.contains("1 line of the configuration is not used"))
    }

    @Test func `the selected row stays visible above the sheet`() {
        var browser = browser()
        browser.press(.escape, .character("G"))
        browser.type(":config")
        browser.press(.enter)
        #expect(browser.frame.text.contains("▌  ○ picture-39.jpg"))
    }

    @Test func `the picture beside a sheet keeps its size`() {
        var browser = browser()
        let box = browser.state.layout.picture
        browser.press(.escape)
        #expect(browser.state.layout.picture == box)
    }

    @Test func `more faults than there is room for are counted`() {
        let browser = browser(Array(repeating: Self.faults, count: 10).flatMap { $0 })
        #expect(browser.frame.text.contains("more: alcedo config --check lists all"))
    }

    @Test func `a variable and a whole file have no line`() {
        let browser = browser([
            ConfigurationFault("takes an absolute path, not 'x'", file: "$ALCEDO_CACHE_DIR", source: "x"),
            ConfigurationFault("cannot be opened: No such file or directory", file: "/nowhere/a.toml"),
        ])
        #expect(browser.frame.text.contains("✗ $ALCEDO_CACHE_DIR   x") && browser.frame.text.contains("✗ a.toml "))
    }

    // MARK: - Prefix keys

    @Test func `the keys after a prefix key appear after 300 ms`() throws {
        var browser = browser([])
        browser.press(.character("g"))
        browser.send(.tick(milliseconds: 299))
        #expect(!browser.frame.text.contains("g …") && browser.state.tickInterval == 1)
        browser.send(.tick(milliseconds: 300))
        #expect(try Golden.mismatch(of: browser.frame.text, with: "prefix-keys") == nil)
        browser.press(.character("g"))
        #expect(!browser.frame.text.contains("g …"))
    }

    @Test func `the keys after a prefix key appear at once with the key of the help`() {
        var browser = browser([])
        browser.press(.character("g"), .character("?"))
        #expect(browser.frame.text.contains("── g … ──") && browser.state.focus == .list)
    }

    @Test func `the second key acts before and after the hints`() {
        for wait in [0, 1000] {
            var browser = browser([])
            browser.press(.character("G"), .character("g"))
            browser.send(.tick(milliseconds: wait))
            browser.press(.character("g"))
            #expect(browser.state.viewport.cursor == 0)
        }
    }

    @Test func `a key without meaning closes the hints and does nothing else`() {
        var browser = browser([])
        browser.press(.character("g"))
        browser.send(.tick(milliseconds: 1000))
        browser.press(.character("j"))
        #expect(browser.state.viewport.cursor == 0 && !browser.frame.text.contains("g …"))
        #expect(browser.state.notice == nil)
        browser.press(.character("j"))
        #expect(browser.state.viewport.cursor == 1)
    }

    @Test func `the user's own prefix keys have hints, too`() throws {
        var options = BrowseOptions()
        for (key, name) in [("xa", "mark-all"), ("xu", "unmark-all"), ("xt", "trash")] {
            try options.keyMap.bind([key], to: name)
        }
        var browser = Browser(options: options)
        browser.press(.character("x"), .character("?"))
        let text = browser.frame.text
        for hint in ["a  mark all", "u  unmark all", "t  to the trash"] { #expect(text.contains(hint)) }
    }

    @Test func `in full screen the hints stand in the last line, so that the picture keeps its size`() {
        var browser = browser([])
        browser.press(.enter)
        let box = browser.state.layout.picture
        browser.press(.character("g"), .character("?"))
        #expect(browser.state.layout.picture == box && browser.frame.row(23).contains("g first picture"))
    }
}
