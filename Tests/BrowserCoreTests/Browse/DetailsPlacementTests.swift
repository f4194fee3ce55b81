import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite(.timeLimit(.minutes(1)))
struct DetailsPlacementTests {
    private static let portrait = PixelSize(width: 2056, height: 3088)
    private static let landscape = PixelSize(width: 1680, height: 1050)
    private static let facts = [
        DetailLine("file date", "2026-07-14, 16 min ago"), DetailLine("alpha", "no", .picture),
        DetailLine("answer", "200 OK", .transfer), DetailLine("taken", "2026-07-14 18:20:07 +02:00", .camera),
        DetailLine("camera", "FUJIFILM X-T5", .camera), DetailLine("lens", "XF 35 mm F1.4 R, 35 mm", .camera),
        DetailLine("exposure", "1/250 s  f/2.8  ISO 400", .camera),
        DetailLine("place", "48.2082 N 16.3738 E", .camera),
        DetailLine("SHA-256", String(repeating: "0123456789abcdef", count: 4), .more),
    ]
    private static let histogram = (0..<16).map { Double($0) / 15 }

    /// A browser that shows the details of a picture.
    private func browser(
        _ size: GridSize, _ shape: PixelSize, facts: [DetailLine] = facts, before keys: Key...
    ) -> Browser {
        var browser = Browser(size: size)
        browser.add(names: ["friends.jpg", "dunes.jpg", "fjord.jpg"])
        for key in keys { browser.press(key) }
        show(shape, with: browser.press(.character("i")), facts: facts, &browser)
        return browser
    }

    /// Answers requests until the layout is at rest.
    ///
    /// - Returns: how often the picture was loaded.
    @discardableResult
    private func show(
        _ shape: PixelSize, with effects: [BrowseEffect], facts: [DetailLine] = facts, _ browser: inout Browser
    ) -> Int {
        var (effects, number, loads) = (effects, 0, 0)
        while !effects.isEmpty, number < 20 {
            number += 1
            var next: [BrowseEffect] = []
            for effect in effects {
                switch effect {
                case .load(let id, _, let box, _, _):
                    loads += 1
                    var picture = ShownPicture.sample(100 + number, size: shape.scaled(to: box))
                    (picture.originalSize, picture.color) = (shape, "RGB, 8 bits, Display P3")
                    picture.processor = ""
                    next += browser.send(.slotPicture(id, picture))
                case .describe(let item, let picture):
                    next += browser.send(.described(item, facts, histogram: picture == nil ? [] : Self.histogram))
                default: break
                }
            }
            effects = next
        }
        #expect(loads <= 3, "the picture is loaded for ever new boxes")
        return loads
    }

    @Test func `details stand beside a tall picture, and the picture keeps the height of the pane`() throws {
        let browser = browser(GridSize(columns: 160, rows: 45), Self.portrait)
        #expect(browser.state.layout.isBeside)
        #expect(try Golden.mismatch(of: browser.frame.text, with: "details-beside") == nil)
        #expect(browser.frame.pictures.first?.rect.rows == browser.state.layout.preview.rows - 1)
    }

    @Test func `details stand below a wide picture, in two columns from 90 columns on`() throws {
        let browser = browser(GridSize(columns: 160, rows: 45), Self.landscape)
        #expect(!browser.state.layout.isBeside)
        #expect(try Golden.mismatch(of: browser.frame.text, with: "details-below") == nil)
    }

    @Test func `in a narrower pane there is one column`() throws {
        let browser = browser(GridSize(columns: 100, rows: 30), Self.landscape)
        #expect(try Golden.mismatch(of: browser.frame.text, with: "details-one-column") == nil)
    }

    @Test(
        arguments: [(60, 20), (80, 24), (100, 30), (160, 45), (250, 70), (40, 12), (20, 7), (5, 3)],
        [(2056, 3088), (1680, 1050), (1, 1), (32, 32), (300, 6000), (6000, 300)])
    func `the place that leaves the larger picture wins, and details below take at most half of the pane`(
        size: (Int, Int), shape: (Int, Int)
    ) {
        let shape = PixelSize(width: shape.0, height: shape.1)
        let state = browser(GridSize(columns: size.0, rows: size.1), shape).state
        let layout = state.layout
        let pane = layout.preview
        #expect(!layout.picture.intersects(layout.info))
        let shown = shape.scaled(to: state.cell.pixels(of: layout.picture))
        let top = layout.titleRow == nil ? 0 : 1
        if layout.isBeside {
            #expect(layout.info.columns >= 36)
            #expect(layout.info.column >= layout.picture.column + layout.picture.columns + 2)
        } else {
            #expect(layout.info.rows <= pane.rows / 2)
            let beside = Rect(column: 0, row: 0, columns: pane.columns - 40, rows: pane.rows - top)
            #expect(pane.columns < 50 || shape.scaled(to: state.cell.pixels(of: beside)).area <= shown.area)
        }
        // Nothing shrinks the picture while a third of the pane is empty.
        let whole = Rect(column: 0, row: 0, columns: pane.columns - 2, rows: pane.rows - top)
        guard shown.area < shape.scaled(to: state.cell.pixels(of: whole)).area else { return }
        let free = layout.picture.rows - state.cell.cells(covering: shown).rows
        #expect(free * 3 < pane.rows)
    }

    @Test func `the details of the last item keep the room until those of the next are known`() {
        var browser = browser(GridSize(columns: 160, rows: 45), Self.portrait)
        let layout = browser.state.layout
        let effects = browser.press(.character("j"))
        #expect(browser.state.layout == layout)
        let loads = show(Self.portrait, with: effects, &browser)
        #expect(browser.state.layout == layout && loads == 1)
    }

    @Test func `a spinner stands in the place of the first unknown row, and only after 100 ms`() {
        var browser = Browser(size: GridSize(columns: 160, rows: 45))
        browser.add(count: 1)
        browser.press(.character("i"))
        browser.send(.tick(milliseconds: 50))
        #expect(!browser.frame.text.contains("⠙ "))
        #expect(browser.state.tickInterval == 100)
        browser.send(.tick(milliseconds: 100))
        let info = browser.state.layout.info
        let column = (info.row..<info.row + info.rows).map { browser.frame[info.column, $0].character }
        #expect(column.compactMap(\.self).filter { $0 != " " } == ["l", "s", "⠙"])
    }

    @Test func `rows that are left over are reached by J and K`() {
        let many = Self.facts + (0..<40).map { DetailLine("header", "field-\($0): x", .more) }
        var browser = browser(GridSize(columns: 100, rows: 30), Self.landscape, facts: many)
        #expect(browser.frame.text.contains("⋮") && browser.frame.text.contains("J K scroll"))
        #expect(!browser.frame.text.contains("field-39"))
        for _ in 0..<80 { browser.press(.character("J")) }
        #expect(browser.frame.text.contains("field-39") && !browser.frame.text.contains("⋮"))
        for _ in 0..<80 { browser.press(.character("K")) }
        #expect(browser.frame.text.contains("location"))
        browser.press(.character("i"))
        let isScrolling = browser.state.scrollDetails(.character("J"))
        #expect(!isScrolling)
    }

    @Test func `over the grid the details take the whole body`() {
        var browser = browser(GridSize(columns: 160, rows: 45), Self.portrait, before: .character("t"))
        #expect(browser.state.layout.preview.columns == 160)
        #expect(browser.frame.text.contains("camera     FUJIFILM X-T5") && !browser.frame.text.contains("│"))
        browser.press(.tab)
        #expect(browser.frame.text.contains("camera     FUJIFILM X-T5"))
        browser.press(.character("i"))
        #expect(browser.state.isGrid)
    }

    @Test func `the histogram has sixteen cells of eight levels, in ASCII of five`() {
        #expect(GlyphSet.unicode.graph(Self.histogram) == "▁▁▂▂▃▃▄▄▅▅▆▆▇▇██")
        #expect(GlyphSet.ascii.graph([0, 0.25, 0.5, 0.75, 1, .infinity, -1]) == "_.-=##_")
    }
}
