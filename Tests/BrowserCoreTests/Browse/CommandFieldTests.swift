import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite("The command line and the menu of processors", .timeLimit(.minutes(1)))
struct CommandFieldTests {
    private static let options = {
        var options = BrowseOptions()
        options.transitions = ["fade", "wipe", "dissolve"]
        options.processors = ["blur(6)", "blackwhite()", "round(20)"]
        return options
    }()

    private func browser() -> Browser {
        var browser = Browser(options: Self.options)
        browser.add(count: 10)
        return browser
    }

    private func run(_ text: String, _ browser: inout Browser) -> [BrowseEffect] {
        browser.press(.character(":"))
        browser.type(text)
        return browser.press(.enter)
    }

    @Test(
        arguments: [
            ("quit", CommandText.action(.quit)), ("half-page-down", .action(.halfPageDown)), ("7", .go(7)),
            ("go 7", .go(7)),
            ("sort size", .sort(.size)), ("filter  a b ", .filter("a b")), ("process blur(2)", .process("blur(2)")),
            ("export a b.png", .export("a b.png")), ("transition wipe", .transition("wipe")),
            ("filter", .action(.filter)),
            ("fly", .problem("no command fly: Tab shows them")), ("go there", .problem("go takes a row number")),
            ("transition fly", .problem("transition takes fade, wipe, dissolve")),
        ])
    func `a command line is parsed as its command`(text: String, meaning: CommandText) {
        #expect(CommandText(text, Self.options) == meaning)
    }

    @Test func `an empty command line is no command`() { #expect(CommandText("  ", Self.options) == nil) }

    @Test
    func `Enter runs a command line; Esc or deleting its last character closes it`() {
        var browser = browser()
        _ = run("5", &browser)
        #expect(browser.state.selected == ItemID(4))
        browser.press(.character(":"), .character("x"), .backspace)
        #expect(browser.state.focus != .list)
        browser.press(.backspace)
        #expect(browser.state.focus == .list)
        #expect(run("quit", &browser) == [.quit])
    }

    @Test(arguments: [Key.control("u"), .control("w"), .backspace, .home])
    func `the command of a prompt is not edited`(key: Key) {
        var browser = browser()
        browser.press(.character("!"))
        for _ in 0..<9 { browser.press(key) }
        browser.type("rm")
        #expect(browser.frame.text.contains(":run rm "))
    }

    @Test func `while Backspace is held it does not leave the folder`() {
        var browser = browser()
        browser.press(.character(":"), .character("x"), .backspace, .backspace)
        #expect(browser.state.focus == .list)
        #expect(browser.press(.backspace).isEmpty && browser.state.notice == nil)
        browser.send(.tick(milliseconds: 2_000))
        browser.press(.backspace)
        #expect(browser.state.notice?.text == "this list is no folder")
    }

    @Test func `a wrong command stays in its line with the reason`() {
        var browser = browser()
        #expect(run("rename a/b.jpg", &browser).isEmpty)
        #expect(browser.frame.text.contains(":rename a/b.jpg"))
        #expect(browser.state.notice?.text == "rename takes a name without /")
    }

    @Test func `a completed word gets the space before its argument`() {
        var browser = browser()
        browser.press(.character(":"))
        browser.type("exp")
        browser.press(.tab)
        browser.type("a.png")
        #expect(browser.frame.text.contains(":export a.png"))
    }

    @Test func `a filter in force is replaced by what is typed`() {
        var browser = browser()
        browser.press(.character("/"))
        browser.type("x")
        browser.press(.enter, .character("/"))
        browser.type("y")
        #expect(browser.state.filterText == "y")
    }

    @Test func `a slideshow at the last picture begins with the first`() {
        var browser = browser()
        browser.press(.character("G"), .character("S"))
        #expect(browser.state.selected == ItemID(0))
        #expect(browser.state.notice?.text.hasPrefix("slideshow of 10 pictures") == true)
    }

    @Test(arguments: ["run rm {}", "export a.png", "open-externally", "remove-from-cache"])
    func `a pasted command that changes files needs Enter once more`(text: String) {
        var browser = browser()
        browser.send(.keysTogether(true))
        #expect(run(text, &browser).isEmpty)
        #expect(browser.frame.text.contains("Enter once more: it came like pasted text"))
        browser.send(.keysTogether(false))
        #expect(browser.press(.enter).count == 1)
        #expect(browser.state.focus == .list)
    }

    @Test func `a long path does not cover that Enter is needed once more`() {
        var browser = browser()
        browser.send(.keysTogether(true))
        #expect(run("export /\(String(repeating: "long/", count: 40))end", &browser).isEmpty)
        #expect(browser.frame.text.contains("Enter once more"))
        #expect(browser.frame.text.contains("long/end"))
    }

    @Test func `pasted keys may move, filter and mark`() {
        var browser = browser()
        browser.send(.keysTogether(true))
        _ = run("5", &browser)
        #expect(browser.state.selected == ItemID(4))
        #expect(browser.press(.character("o")).isEmpty)
    }

    @Test
    func `Tab cycles through the completions; Shift-Tab goes back`() {
        var browser = browser()
        browser.press(.character(":"))
        browser.type("transition ")
        browser.press(.tab, .tab)
        #expect(browser.frame.row(29).hasPrefix(" :transition wipe"))
        browser.press(.backTab)
        #expect(browser.frame.row(29).hasPrefix(" :transition fade"))
        #expect(browser.press(.enter).contains(.setTransition("fade")))
    }

    @Test
    func `commands and their values have completions`() {
        #expect(
            CommandText.completions(of: "zoom-a", Self.options) == ["zoom-actual"])
        #expect(CommandText.completions(of: "process bl", Self.options) == ["process blur(6)", "process blackwhite()"])
        #expect(CommandText.completions(of: "export a", Self.options).isEmpty)
    }

    @Test
    func `e proposes a path; Enter exports the marked or the selected pictures`() {
        var browser = browser()
        browser.press(.character("e"))
        #expect(browser.press(.enter) == [.export([ItemID(0)], path: "picture-0.jpg")])
        browser.press(.character("*"), .character("e"))
        let all = (0..<10).map { ItemID($0) }
        #expect(browser.press(.enter).contains(.export(all, path: "pictures/")))
    }

    @Test func `the export line shows what is exported, how many, in which format and where`() {
        var browser = browser()
        #expect(browser.press(.character("e")) == [.inspectPath("picture-0.jpg")])
        #expect(browser.frame.row(29).hasSuffix("this picture, as JPEG → picture-0.jpg "))
        browser.send(.pathInspected("picture-0.jpg", .file))
        #expect(browser.frame.row(29).hasSuffix("picture-0.jpg exists: name another file "))
        browser.press(.control("u"))
        browser.type("export a.bmp")
        #expect(browser.frame.row(29).hasSuffix("the name must end with png, jpg, webp or gif "))
        browser.press(.escape)
        browser.type("3 e")
        browser.send(.pathInspected("pictures/", .nothing))
        #expect(browser.frame.row(29).hasSuffix("3 marked pictures, as they are → pictures/ (new) "))
        browser.send(.pathInspected("pictures/", .folder))
        #expect(browser.frame.row(29).hasSuffix("3 marked pictures, as they are → pictures/ (exists) "))
        browser.press(.escape)
        _ = run("process blur(6)", &browser)
        browser.press(.character("e"))
        #expect(browser.frame.row(29).hasSuffix("3 marked pictures, processed → pictures/ "))
    }

    @Test
    func `a processor is previewed at once; Enter keeps the chain, Esc restores the previous one`() {
        var browser = browser()
        browser.press(.character("P"))
        #expect(browser.press(.character(" ")).contains(.setProcessor("blur(6)")))
        #expect(
            browser.press(.character("j"), .character("j"), .character(" ")).contains(
                .setProcessor("blur(6) |> round(20)")))
        #expect(browser.frame.text.contains("blur(6) |> round(20)"))
        browser.press(.enter)
        #expect(browser.state.options.processor == "blur(6) |> round(20)")
        browser.press(.character("P"), .character("0"))
        #expect(browser.state.options.processor.isEmpty)
        #expect(browser.press(.escape).contains(.setProcessor("blur(6) |> round(20)")))
    }

    @Test
    func `the links of the current chain come before the offered processors and can be removed`() {
        let menu = ProcessorMenu(chain: "crop(3,  4, a|b) |> blur(6)", offer: Self.options.processors)
        #expect(menu.entries == ["crop(3, 4, a|b)", "blur(6)", "blackwhite()", "round(20)"])
        var changed = menu
        changed.toggle()
        #expect(changed.chain == "blur(6)")
    }

    @Test
    func `the hint lists the completions after the current one`() {
        var field = CommandField("sort ")
        let orders = SortOrder.allCases.map(\.rawValue)
        #expect(field.hints(Self.options) == orders)
        field.complete(by: 1, Self.options)
        field.complete(by: 1, Self.options)
        #expect(field.field.text == "sort \(orders[1])")
        #expect(field.hints(Self.options).prefix(2) == orders[1...2])
        #expect(CommandField("tran").hints(Self.options) == ["transition"])
    }

    @Test func `a sheet shows completions with meanings and keys; Tab goes through it`() {
        var browser = browser()
        browser.type(":half")
        #expect(browser.frame.text.contains("2 completions"))
        #expect(browser.frame.text.contains("   half-page-down  half a page down"))
        #expect(browser.frame.text.contains("ctrl-u"))
        browser.press(.tab, .tab)
        #expect(browser.frame.text.contains("completion 2 of 2"))
        #expect(browser.frame.text.contains("▌  half-page-up    half a page up"))
        #expect(browser.frame.row(29).hasPrefix(" :half-page-up "))
        #expect(!browser.frame.row(29).contains("half-page-down"))
        browser.press(.escape)
        #expect(!browser.frame.text.contains("completion"))
    }

    @Test(arguments: [
        ("sort d", "date  newest first"), ("filter a !cam", "camera:  a part of the camera's name"),
        ("mark w", "w<  width in pixels"), ("exp", "export  pictures to a file or folder/"),
    ])
    func `words, orders and filters have meanings`(text: String, row: String) {
        var browser = browser()
        browser.type(":" + text)
        #expect(browser.frame.text.contains("   " + row))
    }

    @Test func `the sheet has eight rows at most, and follows the chosen one`() {
        var browser = browser()
        browser.press(.character(":"))
        #expect(browser.state.layout.menu.rows == 9)
        browser.press(.backTab)
        let count = CommandText.completions(of: "", Self.options).count
        #expect(browser.frame.text.contains("completion \(count) of \(count)"))
        #expect(browser.state.layout.menu.rows == 9 && browser.frame.text.contains("▌  quit"))
    }

    @Test func `Tab shows the forms of a filter's last word`() {
        var browser = browser()
        browser.press(.character("/"))
        browser.type("!fr")
        browser.press(.tab)
        #expect(browser.state.filterText == "!frames")
        #expect(browser.frame.text.contains("   frames<  frames of an animation"))
        browser.type(">")
        #expect(!browser.frame.text.contains("frames<"))
    }

    @Test(arguments: ["!fr", "a | b", "", "status:"])
    func `Tab and Shift-Tab go through the forms of a filter's last word`(typed: String) {
        var browser = browser()
        browser.type("/" + typed)
        browser.press(.tab)
        let forms = browser.state.filterForms
        #expect(forms.count > 1 && !forms.contains(browser.state.filterText))
        func check(_ number: Int) {
            let word = forms[number].split(separator: " ").last?.drop { $0 == "!" } ?? ""
            #expect(browser.state.filterText == forms[number])
            #expect(browser.frame.text.contains("completion \(number + 1) of \(forms.count)"))
            #expect(browser.frame.text.contains("▌  \(word)"))
        }
        for number in forms.indices {
            browser.press(.tab)
            check(number)
        }
        browser.press(.tab)
        check(0)
        browser.press(.backTab)
        check(forms.count - 1)
        browser.press(.backspace)
        #expect(!browser.frame.text.contains(" of \(forms.count) ") && browser.state.filterForms.isEmpty)
        // The first Shift-Tab chooses from the end.
        browser.press(.control("u"))
        browser.type(typed)
        browser.press(.tab, .backTab)
        check(forms.count - 1)
    }

    @Test(arguments: [(60, 20), (80, 24), (120, 30)])
    func `completions take no room from the picture`(columns: Int, rows: Int) {
        var browser = Browser(options: Self.options, size: GridSize(columns: columns, rows: rows))
        browser.add(count: 30)
        let picture = browser.state.layout.picture
        browser.type(":s")
        #expect(!browser.state.layout.menu.isEmpty && browser.state.layout.picture == picture)
        #expect(browser.frame.faults.isEmpty)
    }

    @Test(arguments: [GridSize(columns: 40, rows: 12), GridSize(columns: 38, rows: 20)])
    func `where there is no room for a sheet the completions stand beside the line`(size: GridSize) {
        var browser = Browser(options: Self.options, size: size)
        browser.add(count: 30)
        if size.columns < 40 { browser.press(.tab) }
        browser.type(":sl")
        #expect(browser.state.layout.menu.isEmpty && browser.frame.text.contains("slideshow"))
    }

    @Test
    func `after a refused chain the previous one is in force`() {
        var browser = browser()
        _ = run("process blur(6)", &browser)
        _ = run("process nonsense", &browser)
        browser.send(.processorRefused("no processor nonsense", inForce: "blur(6)"))
        #expect(browser.state.options.processor == "blur(6)")
        #expect(browser.frame.text.contains("no processor nonsense"))
    }

    @Test
    func `T cycles through the transitions; yu copies the address; o opens it`() {
        var browser = browser()
        #expect(browser.press(.character("T")) == [.setTransition("wipe")])
        #expect(browser.press(.character("T")) == [.setTransition("dissolve")])
        #expect(browser.press(.character("y"), .character("u")) == [.copyAddresses([ItemID(0)])])
        browser.press(.character(" "), .character(" "))
        #expect(browser.press(.character("y"), .character("u")) == [.copyAddresses([ItemID(0), ItemID(1)])])
        #expect(browser.frame.text.contains("2 URLs copied"))
        #expect(browser.press(.character("o")) == [.openExternally(ItemID(2))])
    }

    @Test
    func `Tab cycles through paths; a late answer is ignored`() {
        var browser = browser()
        browser.press(.character(":"))
        browser.type("export p")
        #expect(browser.press(.tab) == [.listPaths("p")])
        browser.send(.paths(beginning: "q", ["q/"]))
        #expect(!browser.frame.text.contains("export q/"))
        browser.send(.paths(beginning: "p", ["pictures/", "pier.png"]))
        #expect(browser.frame.text.contains("export pictures/"))
        browser.press(.tab)
        #expect(browser.frame.text.contains("export pier.png"))
        // The only completion can be completed further.
        browser.press(.control("u"))
        browser.type("export pictures")
        browser.press(.tab)
        browser.send(.paths(beginning: "pictures", ["pictures/"]))
        #expect(browser.press(.tab) == [.listPaths("pictures/")])
    }

    @Test
    func `Up and Down recall earlier commands and the typed text`() {
        var browser = browser()
        for text in ["sort name", "go 3", "go 3"] {
            browser.press(.character(":"))
            browser.type(text)
            browser.press(.enter)
        }
        browser.press(.character(":"))
        browser.type("ex")
        var seen: [String] = []
        for key in [Key.up, .up, .up, .down, .down, .down] {
            browser.press(key)
            if case .command(let field) = browser.state.focus { seen.append(field.field.text) }
        }
        #expect(seen == ["go 3", "sort name", "sort name", "go 3", "ex", "ex"])
    }

    @Test
    func `a slideshow advances when a loaded picture was shown long enough, and ends with the list`() throws {
        var browser = Browser(options: Self.options)
        browser.add(count: 2)
        var load = try #require(browser.press(.character("S")).load)
        #expect(browser.state.isFullScreen)
        #expect(browser.state.notice?.text == "slideshow of 2 pictures: 5 s each")
        browser.send(.slotPicture(load.id, .sample(1, size: PixelSize(width: 9, height: 9))))
        #expect(browser.send(.tick(milliseconds: 4999)).load == nil)
        load = try #require(browser.send(.tick(milliseconds: 5000)).load)
        #expect(load.item == ItemID(1))
        // The time of a picture begins when it has loaded.
        browser.send(.tick(milliseconds: 20_000))
        browser.send(.slotPicture(load.id, .sample(2, size: PixelSize(width: 9, height: 9))))
        browser.send(.tick(milliseconds: 24_999))
        #expect(browser.state.isFullScreen)
        browser.send(.tick(milliseconds: 25_000))
        #expect(!browser.state.isFullScreen && browser.state.slideEnd == nil)
    }

    @Test
    func `[ and ] pause an animation and show the previous or next frame`() throws {
        var browser = browser()
        let load = try #require(browser.press(.character("j")).load)
        var facts = ShownPicture.sample(1, size: PixelSize(width: 9, height: 9))
        (facts.frames, facts.frameInterval, facts.frameDelay) = (4, 20, 100)
        browser.send(.slotPicture(load.id, facts))
        browser.press(.character("]"), .character("]"))
        #expect(browser.frame.pictures.first?.playTime == 200)
        #expect(browser.frame.text.contains("frame 3 of 4") && browser.frame.text.contains("] next frame"))
        browser.send(.tick(milliseconds: 900))
        #expect(browser.frame.pictures.first?.playTime == 200)
        browser.press(.character("["), .character("["), .character("["))
        #expect(browser.frame.pictures.first?.playTime == 0)
    }

    @Test
    func `[ and ] go through the pages of a document`() throws {
        var browser = browser()
        let load = try #require(browser.press(.character("j")).load)
        var facts = ShownPicture.sample(1, size: PixelSize(width: 9, height: 9))
        (facts.page, facts.pages) = (2, 3)
        browser.send(.slotPicture(load.id, facts))
        #expect(browser.frame.text.contains("page 2 of 3") && browser.frame.text.contains("[ ] page"))
        let item = try #require(browser.state.selected)
        let effects = browser.press(.character("]"))
        #expect(effects.contains(.setPage(item, 3)))
        let next = try #require(effects.load)
        facts.page = 3
        browser.send(.slotPicture(next.id, facts))
        #expect(browser.press(.character("]")).load == nil)
        #expect(browser.frame.text.contains("this is the last page"))
    }

    @Test
    func `in the one-pane layout the processor menu leaves half of the pane to the picture`() {
        var browser = Browser(options: Self.options, size: GridSize(columns: 38, rows: 20))
        browser.add(count: 3)
        browser.press(.character("P"))
        let layout = browser.state.layout
        #expect(layout.picture.rows >= 6)
        #expect(layout.picture.row + layout.picture.rows <= layout.menu.row)
        #expect(browser.frame.text.contains("Processors"))
    }

    @Test
    func `+ in the tasks moves an item to the front of the order`() throws {
        var browser = browser()
        browser.send(.statusChanged(ItemID(8), .retrying(attempt: 2, of: 4, seconds: 3, reason: "503")))
        browser.press(.character("w"))
        #expect(browser.press(.character("+")).prefetch?.first == 8)
    }
}
