import AlcedoFileOperations
import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite("Sentences on narrow screens", .timeLimit(.minutes(1)))
struct NarrowScreenTests {
    private static let small = GridSize(columns: 40, rows: 12)
    private static let sizes = [small, GridSize(columns: 60, rows: 20)]

    private func browser(_ size: GridSize, count: Int = 5) -> Browser {
        var browser = Browser(size: size)
        browser.add(count: count)
        browser.send(.listFinished(skipped: 0))
        return browser
    }

    @Test(arguments: sizes) func `a notice that does not fit the rule goes on in the line below`(size: GridSize) {
        var browser = browser(size)
        browser.send(.warning("the folder /a cannot be read: it has 12 locks"))
        let text = browser.frame.row(size.rows - 2) + browser.frame.row(size.rows - 1)
        #expect(text.contains("cannot be read") && text.contains("12 locks") && !text.contains("…"))
        #expect(browser.frame.row(size.rows - 1).contains("quit") == (size.columns == 60))
        browser.send(.tick(milliseconds: 3_000))
        browser.press(.down)
        #expect(browser.frame.row(size.rows - 1).contains("quit"))
    }

    @Test(arguments: sizes) func `a notice does not cover the keys that answer a question`(size: GridSize) {
        var browser = browser(size)
        let file = FilePlan.File(path: "/p/a.jpg", bytes: 100, modified: 0, modifiedText: "2026-07-14 18:20")
        browser.send(.files(.planned(FilePlan(operation: .trash, files: [file, file]), [ItemID(0), ItemID(1)])))
        browser.send(.warning("the folder /a cannot be read: it has 12 locks"))
        #expect(browser.frame.row(size.rows - 2).contains("cannot be read"))
        #expect(browser.frame.row(size.rows - 1).contains("trash  Esc"))
    }

    @Test func `a click on a line that a notice covers presses no key`() {
        var browser = browser(Self.small)
        let place = Position(column: 36, row: 11)
        browser.send(.warning("the folder /a cannot be read: it has 12 locks"))
        #expect(
            browser.send(.mouse(MouseEvent(action: .press, button: .left, position: place))).contains(.quit) == false)
        browser.send(.tick(milliseconds: 9_000))
        browser.press(.down)
        #expect(browser.send(.mouse(MouseEvent(action: .press, button: .left, position: place))).contains(.quit))
    }

    @Test(arguments: sizes) func `full screen shows the short form of a notice`(size: GridSize) {
        var browser = browser(size)
        browser.press(.enter, .character("L"))
        let row = browser.frame.row(size.rows - 1)
        #expect(row.contains(size.columns < 60 ? "only what is shown loads" : "pictures on the screen are downloaded"))
    }

    @Test func `the shortest form is taken only where the longer one does not fit`() {
        let notice = Notice("3 pictures are marked", short: "3 marked", at: 0)
        #expect(notice.text(width: 21) == "3 pictures are marked" && notice.text(width: 20) == "3 marked")
        #expect(Notice("3 marked", at: 0).text(width: 2) == "3 marked")
    }

    @Test(arguments: sizes) func `a low card of a failure says what to press`(size: GridSize) throws {
        var browser = browser(size)
        let load = try #require(browser.press(.down).load)
        let detail = "The server could not be reached, or the connection broke."
        browser.send(.slotFailed(load.id, FailureFacts(title: "connection refused", detail: detail, attempts: 4)))
        #expect(browser.frame.text.contains("r tries again"))
        #expect(browser.frame.text.contains(size.columns < 60 ? "refused" : "4× · r tries again"))
    }

    @Test(arguments: sizes) func `a list without a match says which key shows all`(size: GridSize) {
        var browser = browser(size)
        browser.press(.character("/"))
        browser.type("nowhere-to-be-found")
        browser.press(.enter)
        #expect(browser.frame.text.contains("nothing matches"))
        #expect(browser.frame.text.contains("Esc shows all"))
    }

    @Test(arguments: sizes) func `the header of the tasks keeps the number of failures`(size: GridSize) {
        var browser = browser(size)
        for index in 0..<3 { browser.send(.statusChanged(ItemID(index), .failed(reason: "404 Not Found"))) }
        for index in 3..<5 { browser.send(.statusChanged(ItemID(index), .onDisk(bytes: 9))) }
        browser.press(.character("w"))
        #expect(browser.frame.row(0).contains("3 failed"))
    }

    @Test(arguments: sizes) func `the scale below a picture is never cut`(size: GridSize) throws {
        var browser = browser(size)
        let load = try #require(browser.press(.down).load)
        browser.send(.slotPicture(load.id, .sample(1, size: PixelSize(width: 160, height: 100))))
        #expect(browser.frame.text.contains("160×100 (10 %)"))
    }

    @Test(arguments: [(60, "connection refused", " refused "), (80, "no response in time", " no response ")])
    func `a row of a failure has the words that say most`(columns: Int, reason: String, words: String) {
        var browser = browser(GridSize(columns: columns, rows: 20))
        browser.send(.statusChanged(ItemID(0), .failed(reason: reason)))
        #expect(browser.frame.row(1).contains(words))
    }

    @Test(arguments: sizes) func `what an export does is said whole, in the rule if the line has no room`(
        size: GridSize
    ) {
        var browser = browser(size)
        browser.press(.character("e"), .control("u"))
        browser.type("a-rather-long-name.bmp")
        let rule = browser.frame.row(size.rows - 2)
        #expect(
            size.columns < 60 ? rule.contains("the name must end with png") : rule.contains("png, jpg, webp or gif"))
        browser.press(.control("u"))
        browser.type("a.png")
        #expect(browser.frame.row(size.rows - 2).contains("this picture") == (size.columns < 60))
        #expect(browser.frame.text.contains("this picture, as PNG → a.png"))
    }

    @Test func `long messages are wrapped, and all can be reached`() {
        var browser = browser(GridSize(columns: 60, rows: 20))
        for number in 1...9 {
            browser.send(
                .warning("\(number): a message of many words that needs more than one line of this screen to be read"))
        }
        browser.type(":messages")
        browser.press(.enter)
        #expect(browser.frame.text.contains("9: a message") && browser.frame.text.contains("to be read"))
        for _ in 0..<9 { browser.press(.down) }
        #expect(browser.frame.text.contains("1: a message") && browser.frame.text.contains("messages 9/9"))
    }

    @Test(arguments: [Key.pageDown, .pageUp])
    func `paging through long messages leaves none out`(key: Key) {
        var browser = browser(GridSize(columns: 60, rows: 20))
        for number in 1...9 {
            browser.send(
                .warning("\(number): a message of many words that needs more than one line of this screen to be read"))
        }
        browser.type(":messages")
        browser.press(.enter)
        if key == .pageUp { for _ in 0..<9 { browser.press(.down) } }
        var text = browser.frame.text
        for _ in 0..<9 {
            browser.press(key)
            text += browser.frame.text
        }
        #expect((1...9).allSatisfy { text.contains("\($0): a message") })
    }
}
