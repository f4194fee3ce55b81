import AlcedoFileOperations
import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite(.timeLimit(.minutes(1))) struct FileCommandTests {
    private func browser(_ locations: String...) -> Browser {
        var browser = Browser()
        let items = locations.enumerated().map { index, location in
            let parts = AddressParts(location)
            return BrowseItem(
                id: ItemID(index), name: String(parts.file), place: String(parts.path), location: location)
        }
        browser.send(.itemsAdded(items))
        browser.send(.listFinished(skipped: 0))
        return browser
    }

    private func run(_ line: String, _ browser: inout Browser) -> [BrowseEffect] {
        browser.press(.character(":"))
        browser.type(line)
        return browser.press(.enter)
    }

    @Test func `Delete moves one picture to the trash at once, several after Enter`() {
        var browser = browser("/p/a.jpg", "/p/b.jpg", "/p/c.jpg")
        #expect(browser.press(.delete).contains(.changeFiles(.trash, [ItemID(0)])))
        browser.press(.character(" "), .character(" "))
        #expect(!browser.press(.delete).contains(.changeFiles(.trash, [ItemID(0), ItemID(1)])))
        #expect(browser.frame.text.contains("2 marked pictures: Enter moves them to the trash"))
        #expect(browser.press(.enter) == [.changeFiles(.trash, [ItemID(0), ItemID(1)])])
        browser.press(.delete, .escape)
        #expect(browser.effects.isEmpty && browser.state.focus == .list)
    }

    @Test func `what came like pasted text deletes nothing`() {
        var browser = browser("/p/a.jpg", "/p/b.jpg")
        browser.send(.keysTogether(true))
        #expect(browser.press(.delete).isEmpty)
        #expect(browser.press(.character("U")).isEmpty)
        for line in ["trash", "move /x", "rename b.jpg", "mkdir /x"] {
            #expect(run(line, &browser).isEmpty)
            browser.press(.escape)
        }
    }

    @Test(
        arguments: [
            ("copy /best/", .copy(into: "/best/")), ("move best of", .move(into: "best of")),
            ("rename -rf b.jpg", .rename(to: "-rf b.jpg")),
            ("trash", .trash),
        ] as [(String, FileOperation)])
    func `commands change the chosen files`(line: String, command: FileOperation) {
        var browser = browser("/p/a.jpg", "/p/b.jpg")
        browser.press(.character("j"))
        #expect(run(line, &browser) == [.changeFiles(command, [ItemID(1)])])
    }

    @Test func `commands without files need none`() {
        var browser = browser("https://h/a.jpg")
        #expect(run("mkdir /x", &browser) == [.changeFiles(.makeFolder("/x"), [])])
        #expect(browser.press(.character("U")) == [.undoFiles])
    }

    @Test(arguments: ["copy", "move", "rename a/b", "mkdir"])
    func `a command without what it needs says so`(line: String) {
        var browser = browser("/p/a.jpg")
        #expect(run(line, &browser).isEmpty)
        #expect(browser.state.notice?.text.contains("takes a") == true)
    }

    @Test func `pictures from the web are not files`() {
        var browser = browser("https://h/a.jpg", "/p/b.jpg")
        #expect(browser.press(.delete).isEmpty)
        #expect(browser.state.notice?.text.contains("only local files") == true)
        browser.press(.character("m"))
        #expect(browser.state.focus == .list)
    }

    @Test func `m asks for a folder, f2 for a name that begins as it is`() {
        var browser = browser("/p/a.jpg", "/p/b.jpg")
        browser.press(.character("m"))
        browser.type("/be")
        #expect(browser.press(.tab) == [.listPaths("/be")])
        browser.send(.paths(beginning: "/be", ["/best/"]))
        browser.send(.pathInspected("/best/", .nothing))
        #expect(browser.frame.text.contains("this picture → /best/ (a new folder)"))
        #expect(browser.press(.enter) == [.changeFiles(.move(into: "/best/"), [ItemID(0)])])
        browser.press(.function(2))
        #expect(browser.frame.text.contains("rename a.jpg"))
        browser.press(.escape, .character(" "), .character(" "), .function(2))
        #expect(browser.state.focus == .list)
    }

    @Test func `a renamed picture keeps its row, its cursor and its mark`() {
        var browser = browser("/p/a.jpg", "/p/b.jpg")
        browser.press(.character(" "), .character("k"))
        browser.send(.renamed(BrowseItem(id: ItemID(0), name: "z.jpg", place: "/p", location: "/p/z.jpg")))
        #expect(browser.frame.row(1).contains("z.jpg"))
        #expect(browser.state.selected == ItemID(0) && browser.state.list.marks == [0])
        browser.press(.character("/"))
        browser.type("a.jpg")
        #expect(browser.state.list.count == 0)
    }
}
