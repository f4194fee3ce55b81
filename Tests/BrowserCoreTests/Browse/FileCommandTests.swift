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

    private func file(_ path: String, _ bytes: Int = 100, modified: Int = 0) -> FilePlan.File {
        FilePlan.File(path: path, bytes: bytes, modified: modified, modifiedText: "2026-07-14 18:20")
    }

    private let both = [ItemID(0), ItemID(1)]

    @Test func `Delete moves one picture to the trash at once, several after Enter`() {
        var browser = browser("/p/a.jpg", "/p/b.jpg", "/p/c.jpg")
        #expect(browser.press(.delete).contains(.changeFiles(.trash, [ItemID(0)])))
        browser.press(.character(" "), .character(" "))
        #expect(browser.press(.delete) == [.planFiles(.trash, both)])
        let plan = FilePlan(operation: .trash, files: [file("/p/a.jpg"), file("/p/b.jpg", 2048)])
        browser.send(.files(.planned(plan, both)))
        let text = browser.frame.text
        #expect(text.contains("move 2 pictures, 2.1 KiB, to the trash?") && text.contains("⏎ trash"))
        #expect(browser.press(.enter) == [.changeFiles(.trash, both)])
        browser.send(.files(.planned(plan, both)))
        browser.press(.escape)
        #expect(browser.effects.isEmpty && browser.state.focus == .list)
    }

    @Test func `a file is deleted for good only by d, after a question that says so`() {
        var browser = browser("/p/a.jpg", "/p/b.jpg")
        #expect(browser.press(.shiftDelete) == [.planFiles(.delete, [ItemID(0)])])
        let plan = FilePlan(operation: .delete, files: [file("/p/a.jpg")])
        browser.send(.files(.planned(plan, [ItemID(0)])))
        #expect(browser.frame.text.contains("delete 1 picture, 100 B, for good?"))
        #expect(browser.frame.text.contains("this cannot be undone"))
        #expect(browser.press(.enter).isEmpty && browser.press(.character("y")).isEmpty)
        browser.send(.keysTogether(true))
        #expect(browser.press(.character("d")).isEmpty)
        browser.send(.keysTogether(false))
        #expect(browser.press(.character("d")) == [.changeFiles(.delete, [ItemID(0)])])
    }

    @Test func `each taken name is asked for once, and all that follow with a capital`() {
        var browser = browser("/p/a.jpg", "/p/b.jpg", "/p/c.jpg")
        browser.press(.character("*"))
        let all = [ItemID(0), ItemID(1), ItemID(2)]
        #expect(run("move /best", &browser) == [.planFiles(.move(into: "/best"), all)])
        let names = ["a.jpg", "b.jpg", "c.jpg"]
        let conflicts = names.map {
            FilePlan.Conflict(
                new: file("/p/" + $0, 200, modified: 9), there: file("/best/" + $0, 100), isEqual: $0 == "b.jpg")
        }
        let plan = FilePlan(operation: .move(into: "/best"), files: conflicts.map(\.new), conflicts: conflicts)
        browser.send(.files(.planned(plan, all)))
        #expect(browser.frame.text.contains("3 names are taken in /best · 1 of 3"))
        #expect(browser.frame.text.contains("larger, newer"))
        #expect(browser.press(.character("s")).isEmpty)
        #expect(browser.frame.text.contains("the same bytes") && browser.frame.text.contains("the same for all 2"))
        #expect(
            browser.press(.character("R")) == [
                .changeFiles(
                    .move(into: "/best"), all,
                    answers: ["/p/a.jpg": .skip, "/p/b.jpg": .replace, "/p/c.jpg": .replace])
            ])
        browser.send(.files(.planned(plan, all)))
        browser.press(.character("k"), .escape)
        #expect(browser.effects.isEmpty && browser.state.notice?.text == "nothing was changed")
        #expect(
            browser.send(.files(.planned(FilePlan(operation: plan.operation, files: plan.files), all))) == [
                .changeFiles(plan.operation, all)
            ])
    }

    @Test func `several names are edited together, and those that can are changed`() {
        var browser = browser("/p/a.jpg", "/p/b.jpg", "/p/c.jpg")
        browser.press(.character(" "), .character(" "))
        #expect(browser.press(.function(2)) == [.editNames(both, nil)])
        let plan = RenamePlan(["/p/a.jpg", "/p/b.jpg"], to: ["b.jpg", "a.jpg"]) { _ in true }
        browser.send(.files(.renamesPlanned(plan, both)))
        #expect(browser.frame.text.contains("rename 2: 2 change") && browser.frame.text.contains("⏎ rename 2"))
        #expect(browser.press(.character("e")) == [.editNames(both, ["b.jpg", "a.jpg"])])
        browser.send(.files(.renamesPlanned(plan, both)))
        #expect(browser.press(.enter) == [.changeFiles(.renameAll(to: ["b.jpg", "a.jpg"]), both)])
        let refused = RenamePlan(["/p/a.jpg", "/p/b.jpg"], to: ["c.jpg", "new.jpg"]) { $0 == "/p/c.jpg" }
        browser.send(.files(.renamesPlanned(refused, both)))
        #expect(browser.frame.text.contains("1 changes, 1 cannot") && browser.frame.text.contains("taken"))
        #expect(browser.press(.enter) == [.changeFiles(.renameAll(to: ["new.jpg"]), [ItemID(1)])])
    }

    @Test func `the folders used last are offered with numbers, while no path is typed`() {
        var browser = browser("/p/a.jpg", "/p/b.jpg")
        #expect(browser.press(.character("M")) == [.readFolders])
        let folders = ["best", "print"].map {
            RememberedFolder(path: "/home/me/" + $0, text: "~/" + $0, age: "9 min ago")
        }
        browser.send(.files(.foldersKnown(folders)))
        #expect(browser.frame.text.contains("move this picture to") && browser.frame.text.contains("2  ~/print"))
        browser.type("/2")
        #expect(browser.frame.text.contains("move /2"))
        browser.press(.backspace, .backspace)
        #expect(browser.press(.character("2")) == [.planFiles(.move(into: "/home/me/print"), [ItemID(0)])])
    }

    @Test func `pictures are shown turned, and written only when that is asked for`() {
        var browser = browser("/p/a.jpg", "/p/b.jpg")
        #expect(run("write", &browser).isEmpty)
        #expect(browser.press(.character(">")).contains(.setTurn(ItemID(0), .turnedRight)))
        #expect(browser.state.notice?.text == "turned: :write keeps it")
        #expect(browser.press(.character("|")).contains(.setTurn(ItemID(0), .turnedRight.followed(by: .mirrored))))
        browser.press(.character("|"))
        #expect(run("write", &browser) == [.changeFiles(.turn(by: [.turnedRight]), [ItemID(0)])])
        #expect(browser.send(.fileChanged(ItemID(0), isThere: true)).contains(.setTurn(ItemID(0), .upright)))
        #expect(run("write", &browser).isEmpty)
        // Four quarters are none.
        browser.press(.character(" "), .character(" "))
        for _ in 0..<3 { browser.press(.character("<")) }
        #expect(browser.press(.character("<")).contains(.setTurn(ItemID(1), .upright)))
        #expect(browser.state.notice?.text == "2 pictures turned")
    }

    @Test func `Esc ends a change of files that takes long`() {
        var browser = browser("/p/a.jpg")
        browser.send(.files(.changing("12 of 40 files")))
        #expect(browser.frame.text.contains("12 of 40 files · Esc stops"))
        #expect(browser.press(.escape) == [.stopFiles])
        browser.send(.files(.changing(nil)))
        #expect(browser.press(.escape).isEmpty)
    }

    @Test func `q asks once more while files are changed`() {
        var browser = browser("/p/a.jpg")
        browser.send(.files(.changing("12 of 40 files")))
        #expect(browser.press(.character("q")).isEmpty)
        #expect(browser.frame.text.contains("12 of 40 files, the rest stays undone: quit once more"))
        // The progress does not cover the question.
        browser.send(.files(.changing("13 of 40 files")))
        #expect(browser.frame.text.contains("13 of 40 files, the rest stays undone: quit once more"))
        #expect(browser.press(.character("q")) == [.quit])
        browser.send(.files(.changing(nil)))
        #expect(browser.press(.character("q")) == [.quit])
    }

    @Test func `q asks once more and Esc stops from the start of a change of files, of which nothing is told yet`() {
        var browser = browser("/p/a.jpg")
        let before = browser.frame.text
        browser.send(.files(.changing("files are changed", isLong: false)))
        #expect(browser.frame.text == before)
        #expect(browser.press(.escape) == [.stopFiles])
        #expect(browser.press(.character("q")).isEmpty)
        #expect(browser.frame.text.contains("files are changed, the rest stays undone: quit once more"))
        #expect(browser.press(.character("q")) == [.quit])
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
            ("rename -rf b.jpg", .rename(to: "-rf b.jpg")),
            ("trash", .trash),
        ] as [(String, FileOperation)])
    func `commands change the chosen files`(line: String, command: FileOperation) {
        var browser = browser("/p/a.jpg", "/p/b.jpg")
        browser.press(.character("j"))
        #expect(run(line, &browser) == [.changeFiles(command, [ItemID(1)])])
    }

    @Test func `a new name that is taken waits, a free one goes`() {
        var browser = browser("/p/a.jpg", "/p/b.jpg")
        browser.press(.character(":"))
        browser.type("rename b.jpg")
        #expect(browser.effects.last == .inspectPath("/p/b.jpg"))
        #expect(browser.frame.text.contains("⏎ rename"))
        browser.send(.pathInspected("/p/b.jpg", .file))
        #expect(browser.frame.text.contains("the name is taken"))
        #expect(browser.press(.enter).isEmpty && browser.frame.text.contains(":rename b.jpg"))
        browser.press(.backspace)
        browser.send(.pathInspected("/p/b.jp", .nothing))
        #expect(browser.press(.enter) == [.changeFiles(.rename(to: "b.jp"), [ItemID(0)])])
    }

    @Test func `without a picture there is nothing to rename`() {
        var browser = browser()
        #expect(run("rename b.jpg", &browser).isEmpty)
    }

    @Test(
        arguments: [("copy /best/", .copy(into: "/best/")), ("move best of", .move(into: "best of"))]
            as [(String, FileOperation)])
    func `what may meet taken names is planned first`(line: String, command: FileOperation) {
        var browser = browser("/p/a.jpg", "/p/b.jpg")
        #expect(run(line, &browser) == [.planFiles(command, [ItemID(0)])])
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
    }

    @Test(arguments: ["C", "M"] as [Character]) func `pictures from the web are saved in a folder`(key: Character) {
        var browser = browser("https://h/a.jpg", "/p/b.jpg")
        browser.press(.character(key))
        #expect(browser.frame.text.contains(":save"))
        browser.type("/best")
        #expect(browser.press(.enter) == [.export([ItemID(0)], path: "/best/")])
    }

    @Test func `names that are taken where pictures are saved get an answer each, or one for all`() {
        var browser = browser("https://h/a.jpg", "https://h/b.jpg")
        let pictures = ["1-a.jpg", "2-b.jpg"].map { FilePlan.File(path: $0, bytes: -1, modified: -1) }
        let conflicts = pictures.map {
            FilePlan.Conflict(new: $0, there: file("/best/" + $0.path), isEqual: false)
        }
        var plan = FilePlan(operation: .copy(into: "/best"), files: pictures, conflicts: conflicts)
        plan.isExport = true
        browser.send(.files(.planned(plan, both)))
        #expect(browser.frame.text.contains("2 names are taken in /best · 1 of 2"))
        browser.press(.character("r"))
        #expect(
            browser.press(.character("s"))
                == [.export(both, path: "/best/", answers: ["1-a.jpg": .replace, "2-b.jpg": .skip])])
        browser.send(.files(.planned(plan, both)))
        #expect(
            browser.press(.character("K"))
                == [.export(both, path: "/best/", answers: ["1-a.jpg": .keepBoth, "2-b.jpg": .keepBoth])])
        browser.send(.files(.planned(plan, both)))
        #expect(browser.press(.escape).isEmpty && browser.state.notice?.text == "nothing was changed")
    }

    @Test func `M asks for a folder, f2 for a name that begins as it is`() {
        var browser = browser("/p/a.jpg", "/p/b.jpg")
        browser.press(.character("M"))
        browser.type("/be")
        #expect(browser.press(.tab) == [.listPaths("/be")])
        browser.send(.paths(beginning: "/be", ["/best/"]))
        browser.send(.pathInspected("/best/", .nothing))
        #expect(browser.frame.text.contains("this picture → /best/ (a new folder)"))
        #expect(browser.press(.enter) == [.planFiles(.move(into: "/best/"), [ItemID(0)])])
        browser.press(.function(2))
        #expect(browser.frame.text.contains("rename a.jpg") && browser.frame.text.contains("⏎ rename  Esc leave"))
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

    private func folder(_ path: String, after old: Browser? = nil) -> Browser {
        var browser = Browser()
        let place = FolderPlace(path: path, isFlat: false)
        browser.state =
            old.map { BrowseState(title: path, place: place, after: $0.state) }
            ?? BrowseState(title: path, place: place)
        browser.send(.resized(GridSize(columns: 100, rows: 30), .fallback))
        browser.send(
            .itemsAdded(
                ["a", "b"].enumerated().map { index, name in
                    BrowseItem(id: ItemID(index), name: name, place: path, location: "\(path)/\(name)")
                }))
        browser.send(.listFinished(skipped: 0))
        return browser
    }

    @Test func `yy and p copy files to the folder that is shown then, again and again`() {
        var old = folder("/p")
        #expect(old.press(.character("y"), .character("y")) == [.holdFiles([ItemID(0)])])
        #expect(old.frame.text.contains("a to copy · p in another folder puts them there"))
        #expect(old.frame.row(29).contains("1 to copy"))
        var browser = folder("/q", after: old)
        #expect(browser.press(.character("p")) == [.putFiles(areMoved: false)])
        let plan = FilePlan(operation: .copy(into: "/q"), files: [file("/p/a")])
        #expect(browser.send(.files(.planned(plan, []))) == [.changeFiles(.copy(into: "/q"), [])])
        #expect(browser.press(.character("p")) == [.putFiles(areMoved: false)])
    }

    @Test func `xx and p move files once, after an answer for each name that is taken`() {
        var old = folder("/p")
        old.press(.character("*"))
        #expect(old.press(.character("x"), .character("x")) == [.holdFiles(both)])
        var browser = folder("/q", after: old)
        #expect(browser.press(.character("p")) == [.putFiles(areMoved: true)])
        let conflict = FilePlan.Conflict(new: file("/p/a"), there: file("/q/a"), isEqual: false)
        let plan = FilePlan(
            operation: .move(into: "/q"), files: [file("/p/a"), file("/p/b")], conflicts: [conflict])
        #expect(browser.send(.files(.planned(plan, []))).isEmpty)
        browser.press(.escape)
        #expect(browser.press(.character("p")) == [.putFiles(areMoved: true)])
        browser.send(.files(.planned(plan, [])))
        let answers = ["/p/a": ConflictAnswer.keepBoth]
        #expect(browser.press(.character("k")) == [.changeFiles(.move(into: "/q"), [], answers: answers)])
        #expect(browser.press(.character("p")).isEmpty)
        #expect(browser.state.notice?.text == "no files to put here: yy or xx in another folder takes some")
    }

    @Test func `pasted text and lists that are no folder put no files anywhere`() {
        var browser = browser("/p/a.jpg")
        browser.press(.character("y"), .character("y"))
        #expect(browser.press(.character("p")).isEmpty)
        #expect(browser.state.notice?.text == "this list is no folder")
        var other = folder("/p")
        other.press(.character("y"), .character("y"))
        other.send(.keysTogether(true))
        #expect(other.press(.character("p")).isEmpty)
        var web = self.browser("https://h/a.jpg")
        #expect(web.press(.character("x"), .character("x")).isEmpty && web.state.held == nil)
    }

    @Test func `:messages lists what was said, and each failure of several`() {
        var browser = folder("/p")
        #expect(run("messages", &browser).isEmpty)
        #expect(browser.state.notice?.text == "no messages yet")
        browser.send(.files(.failed(["a: no space left", "b: no space left"])))
        browser.send(.warning("1 moved, 2 failed: a: no space left"))
        _ = run("messages", &browser)
        let text = browser.frame.text
        #expect(text.contains("── messages ─") && text.contains("   b: no space left"))
        browser.press(.escape)
        #expect(browser.state.focus == .list)
        for number in 0..<60 { browser.send(.notice("message \(number)")) }
        _ = run("messages", &browser)
        #expect(browser.frame.text.contains("messages 12/50") && browser.frame.text.contains("message 59"))
        browser.press(.character("j"), .pageDown)
        #expect(browser.frame.text.contains("messages 25/50") && browser.frame.text.contains("message 46"))
    }
}
