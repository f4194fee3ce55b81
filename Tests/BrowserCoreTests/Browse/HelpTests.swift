import Raster
import TestSupport
import Testing

@testable import AlcedoBrowserCore
@testable import AlcedoScreen

@Suite(.timeLimit(.minutes(1)))
struct HelpTests {
    private func browser(_ size: GridSize = GridSize(columns: 120, rows: 60)) -> Browser {
        var browser = Browser(size: size)
        browser.add(count: 4)
        return browser
    }

    /// Opens the help over what some keys show.
    private func help(_ keys: Key..., in size: GridSize = GridSize(columns: 160, rows: 60)) -> Browser {
        var browser = browser(size)
        for key in keys { browser.press(key) }
        browser.press(.character("?"))
        return browser
    }

    @Test func `the actions are ordered by their headings`() {
        let topics = BrowseAction.allCases.map(\.traits.topic)
        let order = HelpTopic.allCases
        #expect(topics == topics.sorted { order.firstIndex(of: $0) ?? 0 < order.firstIndex(of: $1) ?? 0 })
        #expect(Set(topics) == Set(order))
    }

    @Test func `each heading appears once, above its entries`() {
        for columns in [60, 120, 160, 320] {
            let help = help(in: GridSize(columns: columns, rows: 110))
            for topic in ["Here: list", "Move", "View", "Picture", "Marks", "Files", "Transfers", "Program", "Signs"] {
                #expect(help.frame.text.components(of: "   \(topic)").count == 2, "\(topic) at \(columns)")
            }
        }
    }

    @Test(arguments: [
        ([], "list", "next picture"), ([Key.character("t")], "grid", "the row below"),
        ([.enter], "full screen", "zoom in"), ([.character("w")], "tasks", "next task"),
        ([.character("P")], "processors", "add or remove the step"),
    ])
    func `the keys of the current screen come first`(keys: [Key], screen: String, action: String) {
        var browser = browser(GridSize(columns: 160, rows: 110))
        for key in keys { browser.press(key) }
        browser.press(.character("?"))
        #expect(browser.frame.text.contains("help  \(screen) "))
        let rows = (0..<110).map { browser.frame.row($0) }
        let next = screen == "tasks" ? "Signs" : "Move"
        let places = ["Here: \(screen)", action, next].map { text in rows.firstIndex { $0.contains(text) } ?? -1 }
        #expect(places.allSatisfy { $0 >= 0 } && places == places.sorted(), "\(places)")
    }

    @Test func `a comparison has help of its own, which returns to it`() {
        var browser = browser(GridSize(columns: 160, rows: 110))
        browser.press(.character(" "), .character("j"), .character("="), .character("?"))
        #expect(browser.frame.text.contains("Here: comparison") && browser.frame.text.contains("flip between the two"))
        browser.press(.escape)
        #expect(browser.state.comparison != nil)
    }

    @Test func `an action of the current screen is not repeated below`() {
        let help = help(in: GridSize(columns: 160, rows: 110))
        #expect(help.frame.text.components(of: "next picture").count == 2)
    }

    @Test func `the help of the tasks has each key once, and only those that act there`() {
        let text = help(.character("w")).frame.text
        #expect(text.components(of: "download it first").count == 2 && !text.contains("zoom in"))
        #expect(!text.contains("   next picture"))
    }

    @Test(arguments: [(160, 45), (160, 30), (100, 45)])
    func `a page before the last is filled, and two cells are between keys and words`(columns: Int, rows: Int) {
        let browser = help(.enter, in: GridSize(columns: columns, rows: rows))
        #expect(browser.frame.row(1).contains("page 1 of "))
        // A heading with its first row does not stand alone at the end.
        let ends = (rows - 6...rows - 3).map { browser.frame.row($0).dropFirst(columns * 3 / 4) }
        #expect(ends.contains { $0.contains { $0 != " " } })
        #expect(browser.frame.text.contains(" Tab S-Tab  switch pane"))
    }

    @Test func `the keys are those that the user bound`() throws {
        var options = BrowseOptions()
        try options.keyMap.bind(["J"], to: "down")
        var browser = Browser(options: options, size: GridSize(columns: 160, rows: 60))
        browser.press(.character("?"))
        #expect(browser.frame.text.contains("▌ J          next picture"))
        browser.type("J")
        #expect(browser.frame.text.contains("next picture"))
    }

    @Test func `the help of the processors returns to their menu and presses its keys`() {
        var browser = browser(GridSize(columns: 160, rows: 60))
        browser.press(.character("P"))
        let menu = browser.state.focus
        browser.press(.character("?"), .escape)
        #expect(browser.state.focus == menu)
        browser.press(.character("?"))
        browser.type("as before")
        browser.press(.enter)
        #expect(browser.state.focus == .list)
    }

    @Test func `a search without a result says so, and Esc clears it`() {
        var browser = help()
        browser.type("wrod")
        #expect(browser.frame.text.contains("no key or action like wrod · Esc clears"))
        browser.press(.escape)
        #expect(browser.frame.text.contains("next picture"))
        browser.press(.escape)
        #expect(browser.state.focus == .list)
    }

    @Test func `the terminal's graphics are told with the reason and the remedy`() {
        var browser = browser(GridSize(columns: 160, rows: 110))
        browser.send(
            .terminalKnown([
                DetailLine("graphics", "blocks, not pixels: tmux lets no pictures through (allow-passthrough)"),
                DetailLine("to change", "`set -g allow-passthrough on` in ~/.tmux.conf lets pictures through"),
            ]))
        browser.press(.character("?"))
        let text = browser.frame.text
        #expect(text.contains("graphics   blocks, not pixels: tmux lets no") && text.contains("(allow-passthrough)"))
        #expect(text.contains("to change  `set -g allow-passthrough on` in"))
        browser.type("passthrough")
        #expect(browser.frame.text.contains("▌ graphics"))
        #expect(browser.press(.enter).isEmpty)
    }

    @Test(arguments: [(100, 30), (60, 20), (20, 6), (200, 60), (80, 24), (30, 4)])
    func `every row is on some page, in one, two or three columns`(columns: Int, rows: Int) {
        let blocks = (0..<6).map { block in
            ("block \(block)", (0..<9).map { Array(repeating: "text", count: $0 == 4 ? 3 : 1) })
        }
        let rect = Rect(column: 3, row: 0, columns: columns, rows: rows)
        var seen: Set<Int> = []
        for chosen in 0..<54 {
            let pages = HelpPages(of: blocks, chosen: chosen, in: rect)
            let shown = pages.lines.compactMap(\.line.row)
            #expect(shown.contains(chosen))
            #expect(pages.lines.allSatisfy { rect.contains(Position(column: $0.rect.column, row: $0.rect.row)) })
            seen.formUnion(shown)
        }
        #expect(seen == Set(0..<54))
        #expect(HelpPages.width(in: rect) == columns / (columns >= 140 ? 3 : columns >= 90 ? 2 : 1))
    }

    @Test func `Page Up and Page Down turn the pages of the help`() {
        var browser = help(in: GridSize(columns: 120, rows: 40))
        #expect(browser.frame.text.contains("page 1 of 3") && browser.frame.text.contains("▌ j ↓"))
        browser.press(.pageDown)
        #expect(browser.frame.text.contains("page 2 of 3"))
        browser.press(.pageDown, .pageDown)
        #expect(browser.frame.text.contains("page 3 of 3"))
        browser.press(.pageUp, .pageUp, .pageUp)
        #expect(browser.frame.text.contains("page 1 of 3") && browser.frame.text.contains("▌ j ↓"))
        browser.type("zoom")
        browser.press(.pageDown)
        #expect(browser.frame.text.contains("▌ 4 "))
    }

    @Test func `a click selects the entry drawn at its position`() throws {
        var browser = help(in: GridSize(columns: 120, rows: 110))
        let row = try #require((0..<110).first { browser.frame.row($0).contains("redraw") })
        let text = browser.frame.row(row)
        let column = try #require(text.firstRange(of: "redraw")).lowerBound
        let place = Position(column: text.distance(from: text.startIndex, to: column), row: row)
        browser.send(.mouse(MouseEvent(action: .press, button: .left, position: place)))
        #expect(browser.send(.mouse(MouseEvent(action: .press, button: .left, position: place))) == [.redraw])
    }
}

extension String {
    fileprivate func components(of separator: String) -> [Substring] {
        self.split(separator: separator, omittingEmptySubsequences: false)
    }
}
