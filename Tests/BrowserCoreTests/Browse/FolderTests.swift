import AlcedoFileOperations
import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite("Folders in the list", .timeLimit(.minutes(1)))
struct FolderTests {
    /// Two folders and three pictures in `~/p`.
    private func browser(isFlat: Bool = false, showsHidden: Bool = false) -> Browser {
        var browser = Browser(size: GridSize(columns: 100, rows: 24))
        browser.state = BrowseState(
            title: "~/p", place: FolderPlace(path: "~/p", isFlat: isFlat, showsHidden: showsHidden))
        browser.send(.resized(GridSize(columns: 100, rows: 24), .fallback))
        let names = ["lake/", "raw/", "b.png", "a.png", "c.png"]
        browser.send(
            .itemsAdded(
                names.enumerated().map { index, name in
                    BrowseItem(
                        id: ItemID(index), name: name, place: "/p", location: "/p/" + name,
                        isFolder: name.hasSuffix("/"))
                }))
        browser.send(.listFinished(skipped: 0, reasons: []))
        return browser
    }

    @Test func `a folder's row has a sign, and the number of its pictures once it is counted`() {
        var browser = browser()
        #expect(browser.frame.row(1).contains("▸ lake/"))
        browser.send(.folderRead(ItemID(0), pictures: 12, summary: ["12 pictures", "31 MiB"]))
        #expect(browser.frame.row(1).contains("12 pictures"))
        #expect(browser.frame.text.contains("31 MiB"))
        #expect(browser.frame.row(22).isEmpty == false && browser.frame.text.contains("▸ 2"))
    }

    @Test func `the preview of an empty folder says that it has no pictures`() {
        var browser = browser()
        #expect(!browser.frame.text.contains("no pictures in"))
        browser.send(.folderRead(ItemID(0), pictures: 0, summary: ["0 pictures"]))
        #expect(browser.frame.text.contains("no pictures in lake/"))
        browser.press(.character("j"))
        #expect(!browser.frame.text.contains("no pictures in"))
    }

    @Test func `folders in sight are counted once`() {
        var browser = browser()
        let effects = browser.send(.tick(milliseconds: 1))
        #expect(!effects.contains { if case .countFolders = $0 { true } else { false } })
        browser = Browser(size: GridSize(columns: 100, rows: 24))
        let added = browser.send(
            .itemsAdded([BrowseItem(id: ItemID(0), name: "x/", place: "/", location: "/x", isFolder: true)]))
        #expect(added.contains(.countFolders([ItemID(0)])))
    }

    @Test(arguments: [Key.character("l"), .right, .enter])
    func `a key opens the selected folder`(key: Key) {
        var browser = browser()
        #expect(browser.press(.down).count >= 0)
        #expect(browser.press(key).contains(.visit(.subfolder(ItemID(1)))))
        #expect(!browser.state.isFullScreen)
    }

    @Test(arguments: [Key.character("h"), .left, .backspace])
    func `a key leaves for the parent folder`(key: Key) {
        var browser = browser()
        browser.press(.character("G"))
        #expect(browser.press(key).contains(.visit(.parent)))
    }

    @Test func `a list that is no folder has no parent`() {
        var browser = Browser(size: GridSize(columns: 100, rows: 24))
        browser.add(count: 3)
        #expect(!browser.press(.character("h")).contains { if case .visit = $0 { true } else { false } })
        browser.press(.backspace)
        #expect(browser.frame.text.contains("this list is no folder"))
    }

    @Test func `F lists the pictures of subfolders, and the subfolders again`() {
        var browser = browser()
        #expect(browser.press(.character("F")).contains(.visit(.flat(true))))
        browser = self.browser(isFlat: true)
        #expect(browser.frame.row(0).contains("flat"))
        #expect(browser.press(.character("g"), .character("f")).contains(.visit(.flat(false))))
    }

    @Test func `a key lists hidden files too, and the status line says so`() {
        var browser = browser()
        #expect(!browser.frame.row(23).contains("with hidden"))
        #expect(browser.press(.character("g"), .character(".")).contains(.visit(.hidden(true))))
        browser = self.browser(showsHidden: true)
        #expect(browser.frame.row(23).contains("with hidden"))
        #expect(browser.press(.character("g"), .character(".")).contains(.visit(.hidden(false))))
        var list = Browser()
        list.press(.character("g"), .character("."))
        #expect(list.state.notice?.text == "this list is no folder")
    }

    @Test func `folders stay first in every order, and are never marked or prefetched`() {
        var browser = browser()
        browser.type(":sort name")
        browser.press(.enter)
        for (row, name) in ["lake/", "raw/", "a.png", "b.png", "c.png"].enumerated() {
            #expect(browser.frame.row(row + 1).contains(" \(name) "))
        }
        browser.press(.character("*"))
        #expect(browser.state.marked == [ItemID(2), ItemID(3), ItemID(4)])
        #expect(!browser.state.prefetchOrder.contains(ItemID(0)))
        browser.press(.character("u"), .character("g"), .character("g"))
        #expect(browser.press(.delete) == [.changeFiles(.trash, [ItemID(0)])])
        browser.press(.character("C"))
        #expect(browser.frame.text.contains("that is a folder: it can only be renamed, moved or trashed"))
        browser.press(.function(2))
        #expect(browser.frame.text.contains(":rename lake\n"))
    }

    @Test func `what the user chose stays in the next folder`() {
        var old = browser()
        old.press(.character("t"), .character("+"))
        old.type(":sort name")
        old.press(.enter)
        let next = BrowseState(title: "~/p/lake", place: FolderPlace(path: "~/p/lake", isFlat: false), after: old.state)
        #expect(next.isGrid && next.gridColumns == old.state.gridColumns && next.list.order == .name)
        #expect(next.list.count == 0 && next.marked.isEmpty)
        #expect(next.now == 0)
    }

    @Test func `an unreadable folder has no count, one without pictures says what it has`() {
        var browser = browser()
        browser.send(.folderRead(ItemID(0), pictures: nil, summary: ["it cannot be read"]))
        #expect(!browser.frame.row(1).contains("0 pictures") && browser.frame.text.contains("it cannot be read"))
        browser.send(.folderRead(ItemID(0), pictures: 0, summary: ["0 pictures", "12 folders"]))
        #expect(browser.frame.text.contains("12 folders"))
    }

    @Test func `a slideshow begins at the first picture`() {
        var browser = browser()
        browser.press(.character("S"))
        #expect(browser.state.selected == ItemID(2) && browser.state.isFullScreen)
    }
}
