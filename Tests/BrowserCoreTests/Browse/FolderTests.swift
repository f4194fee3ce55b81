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
        #expect(browser.frame.text.contains(":rename lake  "))
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

    @Test func `a row tells the folders of one that has no pictures of its own`() {
        var browser = browser()
        browser.send(.folderRead(ItemID(0), pictures: 0, summary: ["3 folders"]))
        #expect(browser.frame.row(1).contains("3 folders") && !browser.frame.text.contains("0 pictures"))
        #expect(browser.frame.text.contains("3 folders in lake/"))
        browser.send(.folderRead(ItemID(1), pictures: 0, summary: ["0 pictures"]))
        #expect(browser.frame.row(2).contains("0 pictures"))
        // Pictures that were written into it are told instead.
        browser.send(.folderRead(ItemID(0), pictures: 1, summary: []))
        #expect(browser.frame.row(1).contains("1 picture"))
    }

    /// Sends a new file or folder of `~/p`, and the time after which the rows are sorted.
    private func add(_ name: String, to browser: inout Browser) {
        let id = ItemID(browser.state.list.items.count)
        let parts = name.split(separator: "/")
        browser.send(
            .itemsAdded([
                BrowseItem(
                    id: id, name: (parts.last.map(String.init) ?? "") + (name.hasSuffix("/") ? "/" : ""), place: "/p",
                    location: "/p/" + parts.joined(separator: "/"), isFolder: name.hasSuffix("/"))
            ]))
        browser.send(.tick(milliseconds: browser.state.now + 300))
    }

    private func rows(_ browser: Browser) -> [String] {
        (0..<browser.state.list.count).map { browser.state.list.items.name(at: browser.state.list.index(at: $0)) }
    }

    @Test func `new files come at their places in the folder's own order`() {
        var browser = Browser(size: GridSize(columns: 100, rows: 24))
        browser.state = BrowseState(title: "~/p", place: FolderPlace(path: "~/p", isFlat: false))
        browser.send(.resized(GridSize(columns: 100, rows: 24), .fallback))
        for name in ["lake/", "2.png", "10.png", "README"] { add(name, to: &browser) }
        browser.send(.listFinished(skipped: 0))
        browser.press(.character("G"), .character(" "))
        for name in ["3.png", "11.png", "1.png", "alps/", "PICTURE"] { add(name, to: &browser) }
        #expect(
            rows(browser) == [
                "alps/", "lake/", "1.png", "2.png", "3.png", "10.png", "11.png", "PICTURE", "README",
            ])
        // The cursor and the mark stay with their picture, and another order and back keeps the places.
        #expect(browser.state.selected == ItemID(3) && browser.state.marked == [ItemID(3)])
        _ = browser.state.run(.sort(.size))
        add("4.png", to: &browser)
        _ = browser.state.run(.sort(.list))
        #expect(rows(browser).prefix(6) == ["alps/", "lake/", "1.png", "2.png", "3.png", "4.png"])
    }

    @Test func `a file that is back has its place among new files`() {
        var browser = Browser(size: GridSize(columns: 100, rows: 24))
        browser.state = BrowseState(title: "~/p", place: FolderPlace(path: "~/p", isFlat: false))
        browser.send(.resized(GridSize(columns: 100, rows: 24), .fallback))
        for name in ["2.png", "3.png", "4.png"] { add(name, to: &browser) }
        browser.send(.listFinished(skipped: 0))
        add("1.png", to: &browser)
        for index in [0, 2] {
            for isThere in [false, true] { browser.send(.fileChanged(ItemID(index), isThere: isThere)) }
            #expect(rows(browser) == ["1.png", "2.png", "3.png", "4.png"])
        }
    }

    private func rename(_ index: Int, _ name: String, in browser: inout Browser) {
        browser.send(.renamed(BrowseItem(id: ItemID(index), name: name, place: "/p", location: "/p/" + name)))
        browser.send(.tick(milliseconds: browser.state.now + 300))
    }

    @Test func `a renamed file comes to its place in the folder's own order, with the cursor and the mark`() {
        var browser = Browser(size: GridSize(columns: 100, rows: 24))
        browser.state = BrowseState(title: "~/p", place: FolderPlace(path: "~/p", isFlat: false))
        browser.send(.resized(GridSize(columns: 100, rows: 24), .fallback))
        for name in ["lake/", "a.jpg", "b.jpg", "c.jpg"] { add(name, to: &browser) }
        browser.send(.listFinished(skipped: 0))
        browser.press(.down, .character(" "), .character("k"))
        rename(1, "zzz.jpg", in: &browser)
        #expect(rows(browser) == ["lake/", "b.jpg", "c.jpg", "zzz.jpg"])
        #expect(browser.state.selected == ItemID(1) && browser.state.marked == [ItemID(1)])
        // New files have their places among renamed ones, and a name that is taken back returns.
        add("d.jpg", to: &browser)
        rename(3, "B2.jpg", in: &browser)
        #expect(rows(browser) == ["lake/", "b.jpg", "B2.jpg", "d.jpg", "zzz.jpg"])
        rename(1, "a.jpg", in: &browser)
        #expect(rows(browser) == ["lake/", "a.jpg", "b.jpg", "B2.jpg", "d.jpg"])
        #expect(browser.state.selected == ItemID(1))
    }

    @Test(arguments: ["a.jpg", "b.jpg", "c.jpg"])
    func `a file that another program renames and names back has its place again`(name: String) throws {
        let names = ["a.jpg", "b.jpg", "c.jpg"]
        var browser = Browser(size: GridSize(columns: 100, rows: 24))
        browser.state = BrowseState(title: "~/p", place: FolderPlace(path: "~/p", isFlat: false))
        browser.send(.resized(GridSize(columns: 100, rows: 24), .fallback))
        for name in names { add(name, to: &browser) }
        browser.send(.listFinished(skipped: 0))
        let index = try #require(names.firstIndex(of: name))
        browser.send(.fileChanged(ItemID(index), isThere: false))
        add("zzz.jpg", to: &browser)
        #expect(rows(browser) == names.filter { $0 != name } + ["zzz.jpg"])
        browser.send(.fileChanged(ItemID(3), isThere: false))
        browser.send(.fileChanged(ItemID(index), isThere: true))
        browser.send(.tick(milliseconds: browser.state.now + 300))
        #expect(rows(browser) == names)
    }

    @Test func `new files of a flat folder come after those of their own folder`() {
        var browser = Browser(size: GridSize(columns: 100, rows: 24))
        browser.state = BrowseState(title: "~/p", place: FolderPlace(path: "~/p", isFlat: true))
        browser.send(.resized(GridSize(columns: 100, rows: 24), .fallback))
        for name in ["b.png", "lake/a.png", "lake/c.png", "raw/a.png"] { add(name, to: &browser) }
        browser.send(.listFinished(skipped: 0))
        for name in ["lake/b.png", "z.png", "lake/deep/x.png"] { add(name, to: &browser) }
        let places = (0..<browser.state.list.count).map {
            browser.state.list.items.location(at: browser.state.list.index(at: $0)).dropFirst(3)
        }
        #expect(
            places == [
                "b.png", "z.png", "lake/a.png", "lake/b.png", "lake/c.png", "lake/deep/x.png", "raw/a.png",
            ])
    }

    @Test func `the rows in sight stay in sight when files come before them`() {
        var browser = Browser(size: GridSize(columns: 100, rows: 24))
        browser.state = BrowseState(title: "~/p", place: FolderPlace(path: "~/p", isFlat: false))
        browser.send(.resized(GridSize(columns: 100, rows: 24), .fallback))
        for number in 100..<200 { add("\(number).png", to: &browser) }
        browser.send(.listFinished(skipped: 0))
        browser.type("50G")
        let before = browser.frame.row(5)
        let (cursor, top) = (browser.state.viewport.cursor, browser.state.viewport.top)
        for name in ["1.png", "2.png"] { add(name, to: &browser) }
        #expect(browser.state.viewport.cursor == cursor + 2 && browser.state.viewport.top == top + 2)
        #expect(browser.frame.row(5).prefix(20) == before.prefix(20))
    }

    @Test func `a slideshow begins at the first picture`() {
        var browser = browser()
        browser.press(.character("S"))
        #expect(browser.state.selected == ItemID(2) && browser.state.isFullScreen)
    }

    @Test func `a folder that is gone says so, and how to go on`() {
        var browser = browser()
        for item in 0..<5 { browser.send(.fileChanged(ItemID(item), isThere: false)) }
        #expect(browser.frame.text.contains("no pictures in ~/p · h goes back"))
        browser.send(.folderGone(true))
        #expect(browser.frame.text.contains("~/p is gone · h goes to the folder above"))
        browser.send(.folderGone(false))
        #expect(browser.frame.text.contains("no pictures in ~/p · h goes back"))
        // One that cannot be read has a way out, too
        browser.send(.listUnreadable("~/p: Permission denied"))
        let text = browser.frame.text
        #expect(text.contains("~/p: Permission denied") && text.contains("h goes to the folder above"))
    }

    @Test(arguments: [
        ("photos", 0), ("home", 0), ("b.png", 1), ("lake", 2), ("/photos/lake/*", 2), ("~^lake", 2), ("~photos", 0),
        ("/home/me/photos/*.png", 1),
    ])
    func `a filter finds what is below the folder, and the folder itself only as a path`(text: String, count: Int) {
        var browser = Browser()
        browser.state = BrowseState(
            title: "~/photos", place: FolderPlace(path: "~/photos", whole: "/home/me/photos", isFlat: true))
        browser.send(
            .itemsAdded(
                ["/lake/b.jpg", "/lake/c.jpg", "/b.png"].enumerated().map {
                    let path = "/home/me/photos" + $1
                    return BrowseItem(
                        id: ItemID($0), name: path.split(separator: "/").last.map(String.init) ?? "",
                        place: String(path.prefix { $0 != "." }.dropLast(2)), location: path)
                }))
        browser.press(.character("/"))
        browser.type(text)
        browser.send(.tick(milliseconds: 1))
        #expect(browser.state.list.count == count)
    }
}
