import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite("Zooming and moving in a picture", .timeLimit(.minutes(1)))
struct ZoomTests {
    /// A browser that shows a picture of 1680×1050 pixels in 600×375.
    private func browser() throws -> Browser {
        var browser = Browser()
        browser.add(count: 3)
        let id = try #require(browser.press(.character("j")).load?.id)
        browser.send(.slotPicture(id, .sample(1, size: PixelSize(width: 600, height: 375))))
        return browser
    }

    /// A browser that shows the same picture in full screen, in 928×580.
    private func fullScreen() throws -> Browser {
        var browser = try browser()
        let id = try #require(browser.press(.enter).load?.id)
        browser.send(.slotPicture(id, .sample(1, size: PixelSize(width: 928, height: 580))))
        return browser
    }

    private func wanted(_ effects: [BrowseEffect]) -> PictureRegion? {
        for case .load(_, _, _, let region, _) in effects { return region }
        return nil
    }

    @Test
    func `+ zooms in on the pixels of the original; the shown picture stays until the new one is loaded`() throws {
        var browser = try browser()
        let effects = browser.press(.character("+"), .character("+"))
        let region = try #require(wanted(effects.reversed()))
        #expect(abs(region.scale - 2) < 1e-9)
        #expect(abs(region.width - 610.0 / 1200) < 1e-9 && abs(region.x + region.width / 2 - 0.5) < 1e-9)
        #expect(browser.state.slot.picture != nil)
    }

    @Test
    func `in full screen 1 shows original pixels, 0 and Esc fit the whole picture`() throws {
        var browser = try fullScreen()
        let actual = try #require(wanted(browser.press(.character("1"))))
        #expect(abs(actual.scale - 1680.0 / 928) < 1e-9)
        browser.press(.character("0"))
        #expect(browser.state.zoom.isFit)
        browser.press(.character("1"), .escape)
        #expect(browser.state.zoom.isFit)
    }

    @Test func `a narrow full screen shows the zoom first, once the picture is drawn at it`() throws {
        var browser = try fullScreen()
        browser.send(.resized(GridSize(columns: 60, rows: 20), CellSize.fallback))
        let whole = try #require(browser.effects.load)
        browser.send(.slotPicture(whole.id, .sample(2, size: PixelSize(width: 480, height: 300))))
        #expect(browser.frame.row(19).contains("  ⏎ Esc back  ? help"))
        let part = try #require(browser.press(.character("1")).load)
        #expect(browser.frame.row(19).contains("picture-1.jpg  zoom ") && !browser.frame.row(19).contains("100 %"))
        browser.send(.slotPicture(part.id, .sample(3, size: PixelSize(width: 600, height: 380))))
        #expect(browser.frame.row(19).contains("picture-1.jpg  zoom 100 %") && !browser.frame.row(19).contains("Esc"))
    }

    @Test func `full screen shows the scale of a picture that fits, and a map of a zoomed one that follows it`() throws
    {
        var browser = try fullScreen()
        #expect(browser.frame.row(29).contains("1680×1050 JPEG  fit 55 %"))
        browser.press(.character("1"))
        for _ in 0..<9 { browser.press(.character("h"), .character("k")) }
        #expect(browser.frame.row(29).contains("  │⠿⠿⠿⠿⠇ │"))
        for _ in 0..<9 { browser.press(.character("l"), .character("j")) }
        #expect(browser.frame.row(29).contains("│ ⢰⣶⣶⣶⣶│"))
        #expect(!browser.frame.row(29).contains("fit 5"))
    }

    @Test(arguments: [(0, 0, 0.5, 0.5, "│⠛⠛⠛   │"), (0.5, 0.5, 0.5, 0.5, "│   ⣤⣤⣤│"), (0.97, 0, 0.03, 1, "│     ⢸│")])
    func `a map shows which part of a picture is visible`(
        x: Double, y: Double, width: Double, height: Double, map: String
    ) {
        let region = PictureRegion(x: x, y: y, width: width, height: height, scale: 2)
        #expect(region.map(.unicode).spans.map(\.text).joined() == map)
        let plain = region.map(.ascii).spans.map(\.text).joined()
        #expect(plain.hasPrefix("x|") && plain.count == 23 && plain.allSatisfy(\.isASCII))
    }

    @Test func `the zoom is never cut, however narrow the screen is`() throws {
        for columns in [120, 60, 40] {
            var browser = try fullScreen()
            browser.send(.resized(GridSize(columns: columns, rows: 12), CellSize.fallback))
            let whole = try #require(browser.effects.load)
            browser.send(.slotPicture(whole.id, .sample(2, size: PixelSize(width: 320, height: 200))))
            let part = try #require(browser.press(.character("1")).load)
            browser.send(.slotPicture(part.id, .sample(3, size: PixelSize(width: 360, height: 200))))
            #expect(browser.frame.row(11).contains("zoom 100 %"), "\(browser.frame.row(11))")
        }
    }

    @Test(arguments: [("2", 1200.0 / 928), ("3", 1.0), ("4", 1200.0 / 928)] as [(Character, Double)])
    func `in full screen 2 fills the width, 3 the height, 4 the whole area, from the top left`(
        key: Character, scale: Double
    ) throws {
        var browser = try fullScreen()
        let effects = browser.press(.character(key))
        guard scale > 1 else {
            #expect(browser.state.zoom.isFit)
            return
        }
        let region = try #require(wanted(effects))
        #expect(abs(region.scale - scale) < 1e-9 && region.x == 0 && region.y == 0)
    }

    @Test
    func `h j k l pan the picture and stop at its edges`() throws {
        var browser = try fullScreen()
        browser.press(.character("1"))
        let before = browser.state.selected
        for _ in 0..<20 { browser.press(.character("h"), .character("k")) }
        #expect(browser.state.selected == before)
        var region = try #require(browser.state.zoom.region(in: PixelSize(width: 1200, height: 580)))
        #expect(region.x == 0 && region.y == 0)
        for _ in 0..<20 { browser.press(.character("l"), .character("j")) }
        region = try #require(browser.state.zoom.region(in: PixelSize(width: 1200, height: 580)))
        #expect(abs(region.x + region.width - 1) < 1e-9 && abs(region.y + region.height - 1) < 1e-9)
    }

    @Test
    func `- zooms out until the whole picture fits`() throws {
        var browser = try browser()
        browser.press(.character("+"), .character("-"), .character("-"))
        #expect(browser.state.zoom == .fit)
    }

    @Test
    func `the largest zoom factor is 32`() throws {
        var browser = try browser()
        for _ in 0..<40 { browser.press(.character("+")) }
        #expect(browser.state.zoom.factor == 32)
    }

    @Test
    func `selecting another picture resets the zoom`() throws {
        var browser = try browser()
        browser.press(.character("+"))
        let load = browser.press(.control("f"))
        #expect(load.load != nil && wanted(load) == nil)
        #expect(browser.state.zoom.isFit)
    }

    @Test
    func `without a picture zooming shows a notice`() {
        var browser = Browser()
        browser.press(.character("+"), .character("1"), .character("h"))
        #expect(browser.state.zoom.isFit)
        #expect(browser.frame.text.contains("no picture to zoom into"))
    }
}
