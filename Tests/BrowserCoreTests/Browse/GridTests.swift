import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite("The grid of thumbnails", .timeLimit(.minutes(1)))
struct GridTests {
    private func browser(_ count: Int = 100, size: GridSize = GridSize(columns: 120, rows: 34)) -> Browser {
        var browser = Browser(size: size)
        browser.add(count: count)
        return browser
    }

    private func wish(_ effects: [BrowseEffect]) -> (items: [Int], box: PixelSize)? {
        for case .thumbnails(let items, let box, _) in effects { return (items.map(\.rawValue), box) }
        return nil
    }

    @Test
    func `t requests the thumbnails of this and the next page and cancels the large picture`() throws {
        var browser = browser()
        let effects = browser.press(.character("t"))
        let wanted = try #require(wish(effects))
        // 5 × 3 cells of 23 × 10.
        #expect(wanted.items == Array(0..<30))
        #expect(wanted.box == PixelSize(width: 210, height: 140))
        #expect(effects.cancelled.count == 1)
        #expect(browser.frame.text.contains("picture-14") && !browser.frame.text.contains("picture-15"))
    }

    @Test
    func `h j k l move by cells, the grid scrolls minimally, and far thumbnails are released`() throws {
        var browser = browser()
        browser.press(.character("t"))
        browser.send(
            .thumbnail(
                ItemID(0), box: PixelSize(width: 210, height: 140), .sample(7, size: PixelSize(width: 210, height: 120))
            ))
        #expect(browser.frame.pictures.map(\.picture) == [PictureID(7)])
        browser.press(.character("l"), .character("j"))
        #expect(browser.state.selected == ItemID(6))
        browser.press(.character("h"), .character("k"))
        #expect(browser.state.selected == ItemID(0))
        let effects = browser.press(.character("G"))
        #expect(effects.contains(.releasePicture(PictureID(7))))
        #expect(browser.state.gridTop == 17)
        browser.press(.character("k"))
        #expect(browser.state.gridTop == 17)
    }

    @Test
    func `a thumbnail of another size or of an item no longer requested is released`() {
        var browser = browser()
        browser.press(.character("t"))
        let facts = ShownPicture.sample(7, size: PixelSize(width: 9, height: 9))
        #expect(
            browser.send(.thumbnail(ItemID(0), box: PixelSize(width: 9, height: 9), facts)) == [
                .releasePicture(PictureID(7))
            ])
        let box = PixelSize(width: 210, height: 140)
        #expect(browser.send(.thumbnail(ItemID(90), box: box, facts)) == [.releasePicture(PictureID(7))])
        #expect(browser.send(.thumbnail(ItemID(1), box: box, facts)).isEmpty)
    }

    @Test
    func `Enter shows the selected thumbnail in full screen; Esc returns to the grid, then to the list`() throws {
        var browser = browser()
        browser.press(.character("t"), .character("l"))
        #expect(browser.press(.enter).load?.item == ItemID(1))
        browser.press(.escape)
        #expect(browser.state.showsGrid)
        let effects = browser.press(.escape)
        #expect(!browser.state.isGrid)
        #expect(wish(effects)?.items.isEmpty == true)
        #expect(effects.load?.item == ItemID(1))
    }

    @Test
    func `a click selects a thumbnail, a second one opens it; a filter narrows the grid`() {
        var browser = browser()
        browser.press(.character("t"))
        browser.send(.mouse(MouseEvent(action: .press, button: .left, position: Position(column: 30, row: 13))))
        #expect(browser.state.selected == ItemID(6))
        browser.send(.mouse(MouseEvent(action: .press, button: .left, position: Position(column: 30, row: 13))))
        #expect(browser.state.isFullScreen)
        browser.press(.escape, .character("/"))
        browser.type("99")
        #expect(browser.state.visibleRows == 0..<1)
    }

    @Test(arguments: [(0, 0), (1, 1), (10, 3), (23, 9), (24, 12), (300, 80)])
    func `the grid is valid at any screen size`(columns: Int, rows: Int) {
        var browser = browser(50, size: GridSize(columns: columns, rows: rows))
        browser.press(.character("t"))
        for index in 0..<50 {
            let box = browser.state.thumbnails.request.box
            browser.send(.thumbnail(ItemID(index), box: box, .sample(index, size: box)))
        }
        browser.press(.character("G"))
        #expect(browser.frame.faults.isEmpty)
    }

    @Test func `fewer rows of thumbnails make them larger`() {
        var browser = browser(400, size: GridSize(columns: 240, rows: 100))
        browser.press(.character("t"))
        let usual = (rows: browser.state.layout.grid.rows, box: browser.state.thumbnails.request.box)
        browser.send(.thumbnailRows(4))
        #expect(usual.rows == 9)
        #expect(browser.state.layout.grid.rows == 4)
        #expect(browser.state.thumbnails.request.box.height > usual.box.height * 2)
        browser.send(.thumbnailRows(nil))
        #expect(browser.state.layout.grid.rows == usual.rows)
        browser.send(.thumbnailRows(0))
        #expect(browser.state.layout.grid.rows == 1)
        #expect(browser.frame.faults.isEmpty)
    }

    @Test func `the frame has its sides where pictures are few, or text shows between them`() {
        var browser = browser(400, size: GridSize(columns: 240, rows: 100))
        browser.press(.character("t"))
        var hasSides: Bool {
            let cell = browser.state.layout.grid.cell(0)
            return browser.frame[cell.column, cell.row + 2] != .blank
        }
        #expect(hasSides)
        browser.send(.thumbnailRows(4))
        #expect(!hasSides)
        browser.send(.thumbnailRows(4, showsText: true))
        #expect(hasSides)
    }

    @Test func `a tile shows its mark, state and animation sign; the selected one has corners`() throws {
        var browser = browser(3, size: GridSize(columns: 80, rows: 12))
        browser.press(.character("t"))
        let box = browser.state.thumbnails.request.box
        var facts = ShownPicture.sample(1, size: box)
        facts.frames = 12
        browser.send(.thumbnail(ItemID(0), box: box, facts))
        browser.send(.statusChanged(ItemID(0), .inMemory(bytes: 9)))
        browser.press(.character(" "))

        #expect(browser.frame.row(7).contains("● picture-0"))
        #expect(browser.frame.row(8).contains("+ JPEG ▷  9 B") && browser.frame.row(7).contains("│ ○ picture-1"))
        #expect(browser.frame.row(1).contains("┌──") && browser.frame.row(9).contains("──┘"))
        let marked = browser.state.layout.grid.cell(0)
        #expect(browser.frame[marked.column + 1, 7].style.background == .mark)
    }

    @Test func `- and + change the number of columns, and the cursor stays visible`() {
        var browser = browser()
        browser.press(.character("t"), .character("G"))
        #expect(browser.state.layout.grid.columns == 5)
        browser.press(.character("+"), .character("+"), .character("+"))
        #expect(browser.state.layout.grid.columns == 3)
        #expect(browser.state.visibleRows.contains(99))
        browser.press(.character("9"), .character("-"), .character("-"))
        #expect(browser.state.layout.grid.columns == 12)
        #expect(browser.frame.faults.isEmpty)
    }

    @Test func `the pictures of a small list are as large as their number allows`() {
        var browser = browser(30, size: GridSize(columns: 250, rows: 70))
        browser.press(.character("t"))
        #expect(browser.state.layout.grid.columns == 11)
        browser.send(.listFinished(skipped: 0, reasons: []))
        #expect(browser.state.layout.grid.columns == 7)
        #expect(browser.state.layout.grid.capacity >= 30)
        browser.press(.character("-"))
        #expect(browser.state.layout.grid.columns == 8)
    }

    @Test func `a picture that is not there has a frame of its own shape with its state`() throws {
        var browser = browser(3, size: GridSize(columns: 80, rows: 24))
        browser.press(.character("t"))
        var facts = ItemFacts()
        facts.size = PixelSize(width: 100, height: 400)
        browser.send(.factsKnown(ItemID(1), facts))
        browser.send(.statusChanged(ItemID(1), .failed(reason: "404 Not Found")))
        let box = browser.state.layout.grid.picture(1)
        let middle = browser.frame.row(box.row + box.rows / 2)
        #expect(middle.contains("│ ✗ 404  │"))
        #expect(browser.frame.row(box.row + box.rows + 1).contains("404 Not Found"))
    }

    @Test func `cached pictures come before those that must be fetched, the selected one first`() throws {
        var browser = browser(8, size: GridSize(columns: 80, rows: 24))
        browser.send(.statusChanged(ItemID(3), .onDisk(bytes: 9)))
        browser.send(.statusChanged(ItemID(5), .onDisk(bytes: 9)))
        browser.press(.character("j"))
        let wanted = try #require(wish(browser.press(.character("t"))))
        #expect(wanted.items == [1, 3, 5, 0, 2, 4, 6, 7])
    }

    @Test
    func `the grid matches its snapshot`() throws {
        var browser = browser(7, size: GridSize(columns: 80, rows: 24))
        browser.press(.character("t"))
        let box = browser.state.thumbnails.request.box
        for index in 0..<3 {
            browser.send(.thumbnail(ItemID(index), box: box, .sample(index, size: PixelSize(width: 220, height: 120))))
            browser.send(.statusChanged(ItemID(index), .inMemory(bytes: 9)))
        }
        browser.send(.statusChanged(ItemID(3), .loading(received: 62, total: 100, rate: 9)))
        browser.send(.statusChanged(ItemID(4), .failed(reason: "404")))
        browser.press(.character(" "))
        #expect(try Golden.mismatch(of: browser.frame.text, with: "grid") == nil)
    }
}
