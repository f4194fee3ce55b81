import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite(.timeLimit(.minutes(1))) struct ComparisonTests {
    private func browser(columns: Int = 120) -> Browser {
        var browser = Browser(size: GridSize(columns: columns, rows: 30))
        browser.add(count: 5)
        return browser
    }

    /// Marks item 1 and selects item 3.
    private func prepared() -> Browser {
        var browser = browser()
        browser.press(.character("j"), .character(" "), .character("j"))
        return browser
    }

    private func comparison(_ effects: [BrowseEffect]) -> (comparison: PictureComparison, region: PictureRegion?)? {
        for case .compare(_, let comparison, _, let region) in effects { return (comparison, region) }
        return nil
    }

    /// Answers the request of the last effects.
    private func answer(_ browser: inout Browser) {
        for case .compare(let id, let comparison, let box, _) in browser.effects {
            browser.send(
                .slotPicture(id, .sample(id.rawValue, size: comparison.view == .beside ? box : comparison.part)))
        }
    }

    private func facts(psnr: Double = 38.27, second: PixelSize = PixelSize(width: 500, height: 320)) -> ComparisonFacts
    {
        ComparisonFacts(
            first: ItemID(1), second: ItemID(3), firstSize: PixelSize(width: 1500, height: 960), secondSize: second,
            psnr: psnr, ssim: 0.97459, amplification: 16)
    }

    @Test func `= compares the marked picture with the selected one, side by side`() throws {
        var browser = prepared()
        browser.press(.character("="))
        let found = try #require(comparison(browser.effects)?.comparison)
        #expect(found.first == ItemID(1) && found.second == ItemID(3) && found.view == .beside)
        // Half of 120 columns without the gap.
        #expect(found.part.width == 59 * browser.state.cell.width)
        browser.send(.compared(facts()))
        let text = browser.frame.text
        #expect(text.contains("A picture-1.jpg") && text.contains("B picture-3.jpg"))
        #expect(text.contains("  1500×960") && text.contains("  500×320"))
        #expect(browser.frame.row(0).hasPrefix(" compare"))
        #expect(browser.frame.row(0).contains("PSNR 38.2 dB  SSIM 0.9745  sizes differ"))
    }

    @Test func `below 80 columns A stands above B, with a caption each`() throws {
        var browser = browser(columns: 60)
        browser.press(.character("j"), .character(" "), .character("j"), .character("="))
        let found = try #require(comparison(browser.effects)?.comparison)
        let cell = browser.state.cell
        // Of 30 rows, one is the header, two are captions, then come the rule and the keys.
        #expect(found.part == PixelSize(width: 60 * cell.width, height: 12 * cell.height))
        browser.send(.compared(facts()))
        #expect(browser.frame.row(26).hasPrefix(" A picture-1.jpg  1500×960"))
        #expect(browser.frame.row(27).hasPrefix(" B picture-3.jpg  500×320"))
    }

    @Test func `the captions of compared files have their dates, which are read once`() {
        var browser = Browser(size: GridSize(columns: 120, rows: 30))
        browser.send(
            .itemsAdded(
                ["one.jpg", "two.jpg"].enumerated().map {
                    BrowseItem(id: ItemID($0), name: $1, place: "/a", location: "/a/\($1)")
                }))
        browser.press(.character("t"), .character(" "), .character("l"), .character("="))
        #expect(browser.effects.contains(.readDates([ItemID(0), ItemID(1)])))
        browser.send(.datesRead([ItemID(0): 1_767_225_600, ItemID(1): 0]))
        #expect(browser.frame.text.contains("2026-01-01") && !browser.effects.contains(.readDates([ItemID(0)])))
    }

    @Test func `while the pictures are read it says how many of both are`() {
        var browser = prepared()
        browser.press(.character("="))
        #expect(browser.frame.row(29).contains("A and B  reading 0 of 2 ────────"))
        browser.send(.comparisonRead(1))
        #expect(browser.frame.row(29).contains("A and B  reading 1 of 2 ━━━━────"))
        browser.send(.comparisonRead(2))
        #expect(!browser.frame.row(29).contains("reading"))
        browser.press(.character("="), .character("="))
        #expect(browser.frame.row(29).contains("reading 0 of 2"))
        answer(&browser)
        #expect(!browser.frame.row(29).contains("reading"))
    }

    @Test(arguments: [ItemStatus.waiting, .inMemory(bytes: 5_000)])
    func `while the pictures are read nothing is said of the selected one alone`(status: ItemStatus) {
        var browser = prepared()
        browser.send(.statusChanged(ItemID(2), status))
        browser.press(.character("="))
        browser.send(.tick(milliseconds: 400))
        let middle = (1..<25).map { browser.frame.row($0).filter { $0 != " " } }.joined()
        #expect(middle == "⠼")
    }

    @Test func `two marked pictures are compared regardless of the cursor`() throws {
        var browser = prepared()
        browser.press(.character(" "), .character("g"), .character("g"), .character("="))
        let found = try #require(comparison(browser.effects)?.comparison)
        #expect(found.first == ItemID(1) && found.second == ItemID(3))
    }

    @Test func `a browser for two pictures compares them as soon as they are listed`() throws {
        var browser = Browser(size: GridSize(columns: 120, rows: 30))
        var options = BrowseOptions()
        options.compares = true
        browser.send(.optionsChanged(options))
        browser.add(count: 2)
        browser.send(.listFinished(skipped: 0))
        let found = try #require(comparison(browser.effects)?.comparison)
        #expect(found.first == ItemID(0) && found.second == ItemID(1))
        browser.press(.escape)
        #expect(browser.state.comparison == nil && browser.state.marked.count == 2)
    }

    @Test func `without a marked picture = compares nothing`() {
        var browser = browser()
        browser.press(.character("="))
        #expect(comparison(browser.effects) == nil)
        #expect(browser.frame.text.contains("mark another picture with Space first"))
    }

    @Test func `x toggles between the two pictures and X shows the difference`() {
        var browser = prepared()
        browser.press(.character("="))
        answer(&browser)
        browser.press(.character("x"))
        #expect(comparison(browser.effects)?.comparison.view == .first)
        browser.press(.character("x"))
        #expect(comparison(browser.effects)?.comparison.view == .second)
        browser.press(.character("X"))
        #expect(comparison(browser.effects)?.comparison.view == .difference)
        browser.send(.compared(facts(second: PixelSize(width: 1500, height: 960))))
        #expect(browser.frame.row(29).contains("difference ×16"))
        #expect(browser.frame.row(0).contains("PSNR 38.2 dB  SSIM 0.9745"))
        #expect(!browser.frame.text.contains("sizes differ"))
        browser.press(.character("X"))
        #expect(comparison(browser.effects)?.comparison.view == .beside)
    }

    @Test func `both pictures are zoomed and panned together`() throws {
        var browser = prepared()
        browser.press(.character("="))
        answer(&browser)
        browser.press(.character("z"), .character("z"))
        let zoomed = try #require(comparison(browser.effects)?.region)
        #expect(zoomed.width < 1)
        answer(&browser)
        browser.press(.character("l"))
        #expect(try #require(comparison(browser.effects)?.region).x > zoomed.x)
        answer(&browser)
        browser.press(.escape)
        #expect(comparison(browser.effects)?.region == nil && browser.state.comparison != nil)
        browser.press(.escape)
        #expect(browser.state.comparison == nil && !browser.state.isFullScreen)
    }

    @Test func `equal pictures are reported as equal pixels`() {
        var browser = prepared()
        browser.press(.character("="))
        browser.send(.compared(facts(psnr: .infinity)))
        #expect(browser.frame.text.contains("equal pixels") && !browser.frame.text.contains("PSNR"))
    }

    @Test func `in duplicate groups = compares the first with the selected picture, and n the next group`() throws {
        var browser = browser()
        for (index, digest) in [(0, 1), (1, 2), (2, 1), (4, 2)] as [(Int, UInt64)] {
            var facts = ItemFacts()
            facts.digest = digest
            browser.send(.statusChanged(ItemID(index), .onDisk(bytes: 1000)))
            browser.send(.factsKnown(ItemID(index), facts))
        }
        browser.press(.character("D"), .character("="))
        let first = try #require(comparison(browser.effects)?.comparison)
        #expect(Set([first.first, first.second]) == [ItemID(0), ItemID(2)])
        browser.press(.character("n"))
        let next = try #require(comparison(browser.effects)?.comparison)
        #expect(Set([next.first, next.second]) == [ItemID(1), ItemID(4)])
        browser.press(.character("="))
        #expect(browser.state.comparison == nil && browser.state.showsGrid && browser.state.duplicates != nil)
        // Marks of another group do not matter.
        browser.press(.character("F"), .character("F"), .character("="))
        let third = try #require(comparison(browser.effects)?.comparison)
        #expect(browser.state.marked.count == 2 && third.first != third.second)
        #expect(Set([third.first, third.second]) == Set(browser.state.duplicates?.items.map { ItemID($0) } ?? []))
    }

    @Test func `ending a comparison sends forgetComparison, also when a command moves the cursor`() {
        var browser = prepared()
        browser.press(.character("="))
        browser.press(.character("="))
        #expect(browser.effects.contains(.forgetComparison))
        browser.press(.character("="))
        browser.type(":go 1")
        browser.press(.enter)
        #expect(browser.state.comparison == nil && browser.state.selected == ItemID(0))
        #expect(browser.effects.contains(.forgetComparison) && !browser.state.isFullScreen)
    }

    @Test func `an action of the list ends the comparison`() {
        var browser = prepared()
        browser.press(.character("="), .character("t"))
        #expect(browser.state.comparison == nil && browser.state.showsGrid)
        browser.press(.character("t"), .character("="))
        browser.send(.compared(facts()))
        browser.press(.character("="))
        #expect(browser.state.comparison == nil)
        #expect(browser.state.slot.item == browser.state.selected)
    }

    @Test(arguments: [(1, 1), (2, 2), (20, 3), (60, 20), (80, 24)])
    func `a comparison fits terminals of every size`(columns: Int, rows: Int) {
        var browser = prepared()
        browser.press(.character("="))
        browser.send(.resized(GridSize(columns: columns, rows: rows), CellSize.fallback))
        browser.send(.compared(facts()))
        answer(&browser)
        #expect(browser.frame.size == GridSize(columns: columns, rows: rows))
    }

    @Test func `the scale of both pictures is told, also when they fit`() {
        var browser = prepared()
        browser.press(.character("="))
        #expect(!browser.frame.row(29).contains("fit"))
        answer(&browser)
        // Half of 120 columns has 590 pixels for 1680
        #expect(browser.frame.row(29).hasPrefix(" A and B  fit 35 %"))
        // One alone is larger
        browser.press(.character("x"))
        answer(&browser)
        #expect(browser.frame.row(29).hasPrefix(" A  fit 48 %"))
    }
}
