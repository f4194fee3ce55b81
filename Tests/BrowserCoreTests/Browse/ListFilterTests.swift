import AlcedoFilters
import AlcedoScreen
import Raster
import Testing

@testable import AlcedoBrowserCore

@Suite(.timeLimit(.minutes(1))) struct ListFilterTests {
    private static let names = ["sp ace.png", "100%-15.png", "Größe.PNG", "a.jpg", "b*c.gif"]

    private static func list(_ names: [String] = names) -> ItemList {
        var list = ItemList()
        list.append(
            names.enumerated().map { place, name in
                BrowseItem(id: ItemID(place), name: name, place: "host.png", location: "https://host.png/f/\(name)?q")
            })
        return list
    }

    private static func found(_ text: String, in list: ItemList = list()) throws -> [String] {
        var list = list
        list.apply(try PictureFilter(text, in: .list))
        return (0..<list.count).map { list.items.name(at: list.index(at: $0)) }
    }

    @Test(arguments: [
        ("\"sp *.png\"", ["sp ace.png"]), ("\"sp ace.png\"", ["sp ace.png"]), ("sp ace", ["sp ace.png"]),
        ("100%-*.png", ["100%-15.png"]), ("100%-15.png", ["100%-15.png"]), ("gr*e.png", ["Größe.PNG"]),
        ("*.png", ["sp ace.png", "100%-15.png", "Größe.PNG"]), ("!*.png", ["a.jpg", "b*c.gif"]), ("a*", all("a")),
        ("*", ["b*c.gif"]), ("*.jp", []), ("p*p*g", ["sp ace.png"]), ("\"ace", ["sp ace.png"]),
        ("größe", ["Größe.PNG"]),
        ("/f/a*", ["a.jpg"]), ("/f/*.gif | *.jpg", ["a.jpg", "b*c.gif"]), ("~^a", ["a.jpg"]), ("host:HOST.png", names),
        ("host:other", []), ("type:jpeg", ["a.jpg"]), ("!type:png", ["a.jpg", "b*c.gif"]),
    ])
    func `text, globs, hosts and types select items`(text: String, names: [String]) throws {
        #expect(try Self.found(text) == names)
    }

    private static func all(_ letter: String) -> [String] { names.filter { $0.contains(letter) } }

    @Test func `an invalid filter stays open and shows the error`() {
        var browser = Browser()
        browser.add(names: ["a.png", "b.jpg"])
        browser.press(.character("/"))
        browser.type("type:pngq")
        browser.press(.enter)
        #expect(browser.state.focus == .filter && browser.state.notice?.text.contains("type:pngq") == true)
        browser.press(.backspace, .enter)
        #expect(browser.state.focus == .list && browser.state.list.count == 1)
    }

    @Test func `only a longer word counts as narrowing a filter`() throws {
        func narrows(_ new: String, _ old: String) throws -> Bool {
            try PictureFilter(new, in: .list).narrows(try PictureFilter(old, in: .list))
        }
        #expect(try narrows("ab", "a"))
        for (new, old) in [
            ("a*b", "a"), ("a*bc", "a*b"), ("ab c", "a"), ("!ab", "!a"), ("ab | c", "a"), ("w>10", "w>1"),
        ] {
            #expect(try !narrows(new, old))
        }
    }

    /// Items 0 to 3: whole and large, its copy, a small broken one, one without facts that failed.
    private static func known() -> ItemList {
        var list = list(["a.jpg", "b.jpg", "c.jpg", "d.jpg"])
        var facts = ItemFacts()
        facts.format = .jpeg
        facts.size = PixelSize(width: 1600, height: 900)
        facts.frames = 1
        list.record(CaptureTexts(camera: "FUJIFILM X100VI", taken: "2026-07-14T18:30:05"), of: ItemID(0))
        list.record(CaptureTexts(camera: "NIKON Z 8", taken: "2025-12-31T23:59:59+01:00"), of: ItemID(2))
        list.mark([1, 3])
        (facts.verdict, facts.color, facts.hasAlpha) = (.whole, .rgb, false)
        (facts.hash, facts.digest) = (0xFF, 7)
        list.record(facts, of: ItemID(0))
        list.record(facts, of: ItemID(1))
        facts.format = .png
        facts.size = PixelSize(width: 40, height: 40)
        (facts.verdict, facts.color, facts.hasAlpha) = (.corrupt, .cmyk, true)
        (facts.hash, facts.digest, facts.isMismatched) = (0xFE, 8, true)
        list.record(facts, of: ItemID(2))
        list.statuses.set(0, .onDisk(bytes: 300_000), at: 0)
        list.statuses.set(1, .inMemory(bytes: 300_000), at: 0)
        list.statuses.set(2, .onDisk(bytes: 900), at: 0)
        list.statuses.set(3, .failed(reason: "404 Not Found"), at: 0)
        return list
    }

    @Test(arguments: [
        ("w>1000", "ab"), ("h<=40", "c"), ("mpx>1", "ab"), ("bytes<1K", "c"), ("frames<2", "abc"), ("ratio:16:9", "ab"),
        ("ratio:1:1", "c"), ("verdict:corrupt", "c"), ("color:cmyk", "c"), ("alpha:yes", "c"), ("alpha:no", "ab"),
        ("dup", "ab"), ("like:0", "ab"), ("like:1", "abc"), ("mismatch", "c"), ("status:failed", "d"),
        ("status:cached", "abc"), ("status:404", "d"), ("status:4xx", "d"), ("status:500", ""), ("error:found", "d"),
        ("!w>1000", "cd"), ("camera:x100", "a"), ("taken:2026-07", "a"), ("taken:2025-12-31", "c"),
        ("!camera:fuji", "bcd"), ("marked", "bd"), ("!marked", "ac"), ("marked !dup", "d"), ("type:png", "c"),
        ("!dup | w>1000", "abcd"), ("dup a", "a"),
    ])
    func `facts and states select items`(text: String, names: String) throws {
        #expect(try Self.found(text, in: Self.known()) == names.map { "\($0).jpg" })
    }

    @Test func `an item appears when its facts match and disappears when its state no longer does`() throws {
        var list = Self.list(["a.jpg", "b.jpg", "c.jpg"])
        list.apply(try PictureFilter("w>100 !status:failed", in: .list))
        #expect(list.count == 0)
        var facts = ItemFacts()
        facts.size = PixelSize(width: 200, height: 100)
        for index in [2, 0] { list.record(facts, of: ItemID(index)) }
        #expect((0..<list.count).map { list.index(at: $0) } == [0, 2])
        list.statuses.set(0, .failed(reason: "gone"), at: 0)
        list.testAgain(0)
        #expect((0..<list.count).map { list.index(at: $0) } == [2])
    }

    @Test func `rows follow the marks that the filter reads`() throws {
        var list = Self.list(["a.jpg", "b.jpg", "c.jpg", "d.jpg"])
        list.apply(try PictureFilter("marked", in: .list))
        #expect(list.count == 0)
        list.mark([3, 1])
        #expect((0..<list.count).map { list.index(at: $0) } == [1, 3])
        list.toggleMark(1)
        #expect((0..<list.count).map { list.index(at: $0) } == [3])
        list.invertMarks()
        #expect(list.count == 0 && list.marks.isEmpty)
    }

    @Test(arguments: [("marked", [1, 3], [3]), ("!marked", [0, 2, 4], [2, 4])] as [(String, [Int], [Int])])
    func `the cursor goes to the next row when a mark hides its own`(
        filter: String, before: [Int], after: [Int]
    ) throws {
        var browser = Browser()
        browser.add(count: 5)
        browser.state.list.mark([1, 3])
        browser.press(.character("/"))
        browser.type(filter)
        browser.press(.enter)
        #expect((0..<browser.state.list.count).map { browser.state.list.index(at: $0) } == before)
        browser.press(.home, .character(" "))
        #expect((0..<browser.state.list.count).map { browser.state.list.index(at: $0) } == after)
        #expect(browser.state.selection == after[0])
        browser.press(.end, .character(" "))
        #expect(browser.state.selection == (after.count > 1 ? after[0] : nil))
    }

    @Test func `the cursor stays in the list when items above it leave by themselves`() {
        var browser = Browser()
        browser.add(count: 3)
        browser.press(.character("/"))
        browser.type("!status:failed")
        browser.press(.enter, .end)
        for index in 0..<2 { browser.send(.statusChanged(ItemID(index), .failed(reason: "404 Not Found"))) }
        #expect(browser.state.list.count == 1 && browser.state.selection == 2)
    }

    @Test func `how files and cached pictures were taken is asked for once, when a filter reads it`() throws {
        var browser = Browser()
        browser.add(count: 3)
        browser.send(.statusChanged(ItemID(1), .onDisk(bytes: 9)))
        browser.press(.character("/"))
        #expect(browser.type("w>1").captures.isEmpty)
        browser.press(.control("u"))
        // The effects of all letters: the term is whole with its value
        #expect(browser.type("camera:fuji").captures == [1])
        #expect(browser.state.list.count == 0)
        browser.send(.capturesRead([ItemID(1): CaptureTexts(camera: "FUJIFILM X100VI")]))
        #expect(browser.state.list.count == 1)
        // What comes into the cache later follows
        #expect(browser.send(.statusChanged(ItemID(0), .onDisk(bytes: 9))).captures == [0])
        #expect(browser.send(.statusChanged(ItemID(1), .inMemory(bytes: 9))).captures.isEmpty)
        // What could not be read is asked for again when its state changes
        browser.send(.capturesRead([ItemID(0): nil]))
        #expect(browser.send(.statusChanged(ItemID(0), .inMemory(bytes: 9))).captures == [0])
    }

    @Test func `captures are not read any more when no filter reads them, and asked for again`() {
        var browser = Browser()
        browser.add(count: 2)
        for item in 0..<2 { browser.send(.statusChanged(ItemID(item), .onDisk(bytes: 9))) }
        browser.press(.character("/"))
        #expect(browser.type("camera:fuji").captures == [0, 1])
        browser.send(.capturesRead([ItemID(0): CaptureTexts(camera: "FUJIFILM X100VI")]))
        // When the filter is cleared, what is left is not read
        #expect(browser.press(.control("u")).contains(.readCaptures([])))
        #expect(!browser.type("pict").contains(.readCaptures([])))
        // But it is when one comes that reads it
        browser.press(.control("u"))
        #expect(browser.type("taken:2026").captures == [1])
    }

    @Test func `rows are sorted by pixels and type`() {
        var list = Self.known()
        list.sort(by: .pixels)
        #expect((0..<4).map { list.index(at: $0) } == [0, 1, 2, 3])
        list.sort(by: .type)
        #expect((0..<4).map { list.index(at: $0) } == [0, 1, 3, 2])
    }
}
