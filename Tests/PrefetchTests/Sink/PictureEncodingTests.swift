import AlcedoFilters
import AlcedoLists
import AlcedoSandbox
import ImageLoading
import Raster
import Testing

@testable import AlcedoPrefetch

@Suite(.timeLimit(.minutes(1))) struct PictureEncodingTests {
    @Test(arguments: [
        ("jpg:90", ImageFormat.jpeg, 90), ("JPEG", .jpeg, 85), ("webp:1", .webP, 1), ("png", .png, 85),
        ("gif", .gif, 85),
    ]) func `a format has a quality where it needs one`(text: String, format: ImageFormat, quality: Int) {
        var encoding = PictureEncoding()
        let isRead = encoding.read(text)
        #expect(isRead)
        #expect(encoding.format == format && encoding.quality == quality)
    }

    @Test(arguments: ["", "jpg:", "jpg:0", "jpg:101", "png:9", "avif", "jpg:80:1", ":80"])
    func `other text is refused`(text: String) {
        var encoding = PictureEncoding()
        let isRead = encoding.read(text)
        #expect(!isRead)
    }

    @Test func `without a format a picture keeps its own, or becomes a PNG`() {
        var encoding = PictureEncoding()
        encoding.chain = "bw"
        let entry = ListEntry(line: 1, location: "/a")
        #expect(encoding.recipe(of: entry, .jpeg).format == .jpeg)
        #expect(encoding.recipe(of: entry, .avif).format == .png)
        #expect(encoding.recipe(of: entry, nil).format == .png)
    }

    @Test func `the chain that a list gives replaces that of the run`() {
        var encoding = PictureEncoding()
        encoding.chain = "bw"
        var entry = ListEntry(line: 1, location: "/a")
        entry.process = "blur(3)"
        #expect(encoding.recipe(of: entry, .png).chain == "blur(3)")
        #expect(encoding.text(of: entry) != encoding.text(of: ListEntry(line: 1, location: "/a")))
    }
}

@Suite(.timeLimit(.minutes(1))) struct CheckRecipeTests {
    private func isMade(_ width: Int, keep: String? = nil, reject: String? = nil) throws -> Bool {
        var encoding = PictureEncoding()
        encoding.chain = "bw"
        let recipe = encoding.recipeOfChecks(
            keep: try keep.map { text throws(FilterProblem) in try ReportFilter(text) },
            reject: try reject.map { text throws(FilterProblem) in try ReportFilter(text) })
        let header = ImageHeader(format: .jpeg, size: PixelSize(width: width, height: 50), frameCount: 1)
        let made = recipe(header)
        #expect(made == nil || made == encoding.recipe(of: ListEntry(line: 1, location: "/a"), .jpeg))
        return made != nil
    }

    @Test func `a check makes the file of a picture that its size keeps`() throws {
        #expect(try isMade(50) && isMade(50, keep: "w>=50 h>=50 type:jpeg") && isMade(50, reject: "w<50"))
        #expect(try !isMade(49, keep: "w>=50") && !isMade(49, reject: "w<50"))
    }

    @Test func `a filter of facts that are not yet known makes the file after the check`() throws {
        #expect(try !isMade(50, keep: "host:example.org") && !isMade(50, keep: "alpha:no"))
    }

    @Test func `the chain of an entry is not that of the check`() throws {
        var options = ImageOptions()
        options.process.recipe = { _ in PictureRecipe(chain: "", format: .png) }
        let builder = PrefetchItemBuilder(options: options, variants: nil)
        var entry = ListEntry(line: 1, location: "http://h/a")
        #expect(try builder.item(0, entry).options == nil)
        entry.process = "bw"
        let own = try #require(try builder.item(0, entry).options)
        #expect(own.process.recipe == nil)
    }
}

@Suite(.timeLimit(.minutes(1))) struct ColumnSettingsTests {
    private func entry(_ columns: [String: JSONValue], title: String? = nil) -> ListEntry {
        var entry = ListEntry(line: 1, location: "/a", title: title)
        entry.columns = columns
        return entry
    }

    @Test func `the caption is the named column, else the first usual one, else the title`() {
        var settings = ColumnSettings()
        #expect(settings.caption(of: entry(["alt": .string("b"), "text": .string("a")], title: "t")) == "a")
        #expect(settings.caption(of: entry([:], title: "t")) == "t")
        #expect(settings.caption(of: entry([:])) == nil)
        settings.caption = "words"
        #expect(settings.caption(of: entry(["words": .array([.number(1), .string("x")])], title: "t")) == "[1,\"x\"]")
        #expect(settings.caption(of: entry(["text": .string("a")], title: "t")) == nil)
    }

    @Test func `kept columns are narrowed, but the caption is read before`() {
        var settings = ColumnSettings()
        settings.names = ["license"]
        let item = ItemRecord(
            id: 0, entry: entry(["license": .string("CC0"), "caption": .string("c"), "n": .number(1)]), list: "l",
            columns: settings)
        #expect(item.caption == "c" && item.entry.columns == ["license": .string("CC0")])
    }

    @Test func `credentials in a column are not passed on`() {
        let item = ItemRecord(
            id: 0,
            entry: entry(["from": .object([JSONValue.Member(name: "x", value: .string("https://u:p@h/"))])]), list: "l")
        #expect(ItemReport(item, .planned).columns?["from"]?.plainText == #"{"x":"https://h/"}"#)
    }
}
