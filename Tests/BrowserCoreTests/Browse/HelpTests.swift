import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite(.timeLimit(.minutes(1)))
struct HelpTests {
    private func browser(_ size: GridSize = GridSize(columns: 120, rows: 60)) -> Browser {
        var browser = Browser(size: size)
        browser.add(count: 4)
        return browser
    }

    @Test func `the actions are ordered by their headings`() {
        let topics = BrowseAction.allCases.map(\.traits.topic)
        let order = HelpTopic.allCases
        #expect(topics == topics.sorted { order.firstIndex(of: $0) ?? 0 < order.firstIndex(of: $1) ?? 0 })
        #expect(Set(topics) == Set(order).subtracting([.tasks]))
    }

    @Test func `each heading appears once, above its entries`() {
        for columns in [60, 120, 160] {
            var browser = browser(GridSize(columns: columns, rows: 70))
            browser.press(.character("?"))
            for topic in ["Move", "View", "Picture", "Marks", "Transfers", "Program"] {
                #expect(browser.frame.text.components(of: "   \(topic)").count == 2, "\(topic) at \(columns)")
            }
        }
    }

    @Test(arguments: [(100, 30), (60, 20), (20, 6), (200, 60), (80, 24)])
    func `every entry is on some page, below its heading or on a later page`(columns: Int, rows: Int) {
        let topics = BrowseAction.allCases.map { Optional($0.traits.topic) }
        let rect = Rect(column: 3, row: 0, columns: columns, rows: rows)
        var seen: [Int] = []
        for chosen in topics.indices {
            let pages = HelpPages(of: topics, chosen: chosen, in: rect)
            var entries: [Int] = []
            for (line, place) in pages.lines {
                #expect(rect.contains(Position(column: place.column, row: place.row)))
                if case .entry(let entry) = line { entries.append(entry) }
            }
            #expect(entries.contains(chosen))
            if seen.last ?? -1 < chosen { seen += entries }
        }
        #expect(seen == Array(topics.indices))
    }

    @Test func `Page Up and Page Down turn the pages of the help`() {
        var browser = browser(GridSize(columns: 120, rows: 30))
        browser.press(.character("?"))
        #expect(browser.frame.text.contains("page 1 of 2"))
        browser.press(.pageDown)
        #expect(browser.frame.text.contains("page 2 of 2"))
        browser.press(.pageDown)
        #expect(browser.frame.text.contains("page 2 of 2") && browser.frame.text.contains("▌ q "))
        browser.press(.pageUp)
        #expect(browser.frame.text.contains("page 1 of 2") && browser.frame.text.contains("▌ j ↓"))
        browser.press(.down, .pageUp)
        #expect(browser.frame.text.contains("▌ j ↓"))
        browser.type("zoom")
        browser.press(.pageDown)
        #expect(browser.frame.text.contains("▌ 1 "))
    }

    @Test func `a click selects the entry drawn at its position`() throws {
        var browser = browser()
        browser.press(.character("?"))
        let row = try #require((0..<60).first { browser.frame.row($0).contains("redraw") })
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
