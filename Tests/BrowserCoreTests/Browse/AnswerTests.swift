import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite("Notices and responses to keys", .timeLimit(.minutes(1)))
struct AnswerTests {
    private static let longName = "a-very-long-name-of-a-picture-from-the-last-holiday.jpg"

    private func browser(_ locations: String..., options: BrowseOptions = BrowseOptions()) -> Browser {
        var browser = Browser(options: options)
        let items = locations.enumerated().map { number, location in
            let parts = AddressParts(location)
            return BrowseItem(
                id: ItemID(number), name: String(parts.file), place: parts.folder, location: location)
        }
        browser.send(.itemsAdded(items))
        browser.send(.listFinished(skipped: 0))
        return browser
    }

    @Test func `dc does not remove local files and shows a dim notice`() {
        var browser = browser("/p/a.jpg", "https://h/b.jpg", "file:///p/c.jpg")
        #expect(browser.press(.character("d"), .character("c")).isEmpty)
        #expect(browser.state.notice?.text == "a local file is not in the cache")
        #expect(browser.state.notice?.style == .dim)
        #expect(!browser.state.isSkipped(0))
        browser.press(.character("*"))
        #expect(browser.press(.character("d"), .character("c")) == [.removeFromCache([ItemID(1)])])
    }

    @Test func `xc without a running transfer shows a dim notice and changes nothing`() throws {
        var options = BrowseOptions()
        options.prefetches = false
        var browser = browser("https://h/a.jpg", "https://h/b.jpg", options: options)
        let load = try #require(browser.press(.character("j")).load)
        browser.send(.slotPicture(load.id, .sample(1, size: PixelSize(width: 9, height: 9))))
        #expect(browser.press(.character("x"), .character("c")).isEmpty)
        #expect(browser.state.notice?.text == "nothing is running" && browser.state.notice?.style == .dim)
        #expect(!browser.state.isSkipped(1) && !browser.frame.text.contains("skipped"))
        browser.send(.statusChanged(ItemID(0), .connecting))
        #expect(browser.press(.character("x"), .character("c")).isEmpty)
        #expect(browser.state.notice?.text == "b.jpg is not running")
    }

    @Test func `x in the tasks cancels a waiting item`() throws {
        var browser = browser("https://h/a.jpg", "https://h/b.jpg")
        let load = try #require(browser.press(.character("j"), .character("k")).load)
        browser.send(.slotPicture(load.id, .sample(1, size: PixelSize(width: 9, height: 9))))
        browser.press(.character("w"))
        #expect(browser.press(.character("x")).contains(.cancelItem(ItemID(1))))
        #expect(browser.state.notice?.text == "cancelled b.jpg")
        #expect(browser.press(.character("x")).isEmpty)
    }

    @Test func `a long name in a notice is cut in its middle and the counters stay visible`() {
        var browser = browser("https://h/\(Self.longName)")
        browser.send(.resized(GridSize(columns: 80, rows: 24), .fallback))
        browser.press(.character("r"))
        #expect(browser.frame.row(22).contains("─ reloading a-very-long…-holiday.jpg ─"))
        #expect(browser.frame.row(23).contains("● 0  ◐ 0"))
        browser.press(.character("x"), .character("c"))
        #expect(browser.frame.row(22).contains("─ cancelled a-very-long…-holiday.jpg ─"))
        #expect(browser.frame.row(23).contains("● 0  ◐ 0"))
    }

    @Test func `a warning has the colour of failures`() throws {
        var browser = browser("https://h/a.jpg")
        browser.send(.warning("exported 5 of 7; 2 failed: 7.png: empty …"))
        let text = browser.frame.row(28)
        let start = try #require(text.firstRange(of: "exported")).lowerBound
        #expect(browser.frame[text.distance(from: text.startIndex, to: start), 28].style == .failure)
        browser.send(.notice("exported 7 pictures"))
        #expect(browser.state.notice?.style == .plain)
    }

    @Test func `a path typed at once replaces the proposed path`() {
        var browser = browser("https://h/a.jpg", "https://h/b.jpg")
        browser.press(.character("*"), .character("e"))
        browser.type("/tmp/x/")
        #expect(browser.press(.enter).contains(.export([ItemID(0), ItemID(1)], path: "/tmp/x/")))
        browser.press(.character("e"), .character("~"))
        #expect(browser.frame.row(29).hasPrefix(" :export ~ "))
        // A path that the user edited is kept.
        browser.press(.escape, .character("e"), .character("2"), .character("/"))
        #expect(browser.frame.row(29).hasPrefix(" :export pictures/2/ "))
        browser.press(.escape, .character("e"), .backspace, .character("/"))
        #expect(browser.frame.row(29).hasPrefix(" :export pictures/ "))
        browser.press(.escape, .character("e"))
        browser.send(.pasted("/tmp/y"))
        #expect(browser.frame.row(29).hasPrefix(" :export /tmp/y "))
    }

    @Test func `the notice of yu tells what was copied`() {
        var browser = browser("/p/a.jpg", "/p/b.jpg", "https://h/c.jpg")
        func copied(_ keys: Key...) -> String? {
            for key in keys { browser.press(key) }
            browser.press(.character("y"), .character("u"))
            return browser.state.notice?.text
        }
        #expect(copied() == "path copied")
        #expect(copied(.character("G")) == "URL copied")
        #expect(copied(.home, .character(" "), .character(" ")) == "2 paths copied")
        #expect(copied(.character("*")) == "3 locations copied")
    }

    @Test func `a skips name styles that would change no visible row`() {
        var files = browser("/p/a.jpg", "/p/b.jpg")
        files.press(.character("a"))
        #expect(files.state.names == .path)
        files.press(.character("a"))
        #expect(files.state.names == .file && files.state.notice?.text == "rows show file names")
        var plain = browser("a.jpg", "b.jpg")
        plain.press(.character("a"))
        #expect(plain.state.names == .file)
        #expect(plain.state.notice?.text == "file names, paths and addresses are the same here")
        #expect(plain.state.notice?.style == .dim)
    }

    @Test func `a slideshow counts only pictures that have not failed`() {
        var browser = browser("https://h/a.jpg", "https://h/b.jpg", "https://h/c.jpg", "https://h/d.jpg")
        browser.send(.statusChanged(ItemID(0), .failed(reason: "404 Not Found")))
        browser.send(.statusChanged(ItemID(2), .failed(reason: "404 Not Found")))
        browser.press(.character("S"))
        #expect(browser.state.notice?.text.hasPrefix("slideshow of 2 pictures (2 failed): ") == true)
        browser.press(.escape, .character("j"), .character("S"))
        #expect(browser.state.notice?.text.hasPrefix("slideshow of 2 pictures (1 failed): ") == true)
    }

    @Test func `the notice for sorting by place says host or folder`() {
        var browser = browser("https://h/a.jpg")
        browser.press(.character("s"), .character("h"))
        #expect(browser.state.notice?.text == "sorted by host or folder, a first")
        #expect(browser.frame.row(0).contains("by host or folder"))
    }

    @Test func `full, help and quit are the last hints to be dropped`() {
        var browser = browser("https://h/a.jpg")
        for columns in [40, 50, 60, 80] {
            browser.send(.resized(GridSize(columns: columns, rows: 20), .fallback))
            #expect(browser.frame.row(19).hasSuffix("⏎ full  ? help  q quit "), "\(columns)")
        }
        browser.press(.character("w"))
        browser.send(.resized(GridSize(columns: 60, rows: 20), .fallback))
        // Without a task there is nothing that the other keys act on.
        #expect(browser.frame.row(19).hasSuffix("   ? help  Esc close "))
        browser.send(.statusChanged(ItemID(0), .failed(reason: "404 Not Found")))
        #expect(browser.frame.row(19).hasSuffix("x cancel  r retry  ⏎ show  ? help  Esc close "))
    }
}
