import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct TableParserTests {
    private func events(_ text: String, separator: Character = ",", isTruncated: Bool = false) -> [ListEvent] {
        events(text, TableShape(separator: separator.asciiValue ?? 0), isTruncated: isTruncated)
    }

    private func events(_ text: String, _ shape: TableShape, isTruncated: Bool = false) -> [ListEvent] {
        var parser = TableParser(shape, base: .folder("/lists"))
        return parser.events(text, isTruncated: isTruncated)
    }

    @Test func `columns are found by the header and unknown ones are ignored`() {
        let found = events(
            "width,Title,URL,tags,TTL,low-data,headers\n7,\"Sea,\nsky\",a.png,x|y,60,s.png,\"A: 1\nB: 2\"\n")
        var entry = ListEntry(line: 2, location: "/lists/a.png", title: "Sea,\nsky")
        entry.tags = ["x", "y"]
        entry.timeToLive = .seconds(60)
        entry.lowData = "/lists/s.png"
        entry.headers = [ListHeader(name: "A", value: "1"), ListHeader(name: "B", value: "2")]
        #expect(found == [.entry(entry)])
    }

    @Test func `wanted columns go with the entry, but never the address or the headers`() {
        var choice = ColumnChoice()
        choice.kept = .all
        var parser = TableParser(TableShape(separator: 0x2C), base: .folder("/lists"), columns: choice)
        let found = parser.events("url,headers,title,license,n\na.png,A: 1,Sea,CC0,\n")
        var entry = ListEntry(line: 2, location: "/lists/a.png", title: "Sea")
        entry.headers = [ListHeader(name: "A", value: "1")]
        entry.columns = ["title": .string("Sea"), "license": .string("CC0")]
        #expect(found == [.entry(entry)])
    }

    @Test func `a named column that the header lacks is told, one named besides is not`() {
        var choice = ColumnChoice()
        choice.kept = .named(["licence", "n"], besides: ["caption"])
        var parser = TableParser(TableShape(separator: 0x2C), base: .folder("/lists"), columns: choice)
        let found = parser.events("url,license,n\na.png,CC0,3\n")
        var entry = ListEntry(line: 2, location: "/lists/a.png")
        entry.columns = ["n": .string("3")]
        #expect(found == [.warning(line: 1, reason: "no column 'licence'"), .entry(entry)])
    }

    @Test func `a title may be Windows-1252, an address may not`() {
        // Given a table as office programs write it in the west of Europe
        let text: [UInt8] =
            Array("title,url\ncaf".utf8) + [0xE9] + Array(",a.png\nb,caf".utf8) + [0xE9] + Array(".png\n".utf8)
        var parser = TableParser(TableShape(separator: 0x2C), base: .folder("/lists"))
        var found: [ListEvent] = []
        // When it is read
        parser.feed(text, into: &found)
        // Then the title is understood, and what is asked for is not guessed
        #expect(
            found == [
                .entry(ListEntry(line: 2, location: "/lists/a.png", title: "café")),
                .rejected(line: 3, reason: "url is not valid UTF-8"),
            ])
    }

    @Test func `a record may contain a long text`() {
        let article = "\"" + String(repeating: "a line of it\n", count: 20_000) + "\""
        #expect(
            events("url,text\na.png,\(article)\nb.png,x\n") == [
                .entry(ListEntry(line: 2, location: "/lists/a.png")),
                .entry(ListEntry(line: 20_003, location: "/lists/b.png")),
            ])
    }

    @Test func `address columns of common datasets are known`() {
        let found = events(
            "photo_id\tphoto_url\tphoto_image_url\n1\thttps://a/page\thttps://a/1.png\n", separator: "\t")
        #expect(found == [.entry(ListEntry(line: 2, location: "https://a/1.png"))])
        #expect(
            ListFormat.detect(Array("ImageID,OriginalURL,Title\n1".utf8), isComplete: true)
                == .table(TableShape(separator: 0x2C)))
    }

    @Test func `addresses are found in a column with an unknown name`() {
        let found = events("id,link,title\n1,https://a/1.png,One\n", TableShape(separator: 0x2C, address: 1))
        #expect(found == [.entry(ListEntry(line: 2, location: "https://a/1.png", title: "One"))])
    }

    @Test func `a table without a header starts with its first record`() {
        let shape = TableShape(separator: 0x2C, address: 1, hasHeader: false)
        let found = events("# mine\n1,https://a/1.png\n2,https://a/2.png\n3\n", shape)
        #expect(
            found == [
                .entry(ListEntry(line: 2, location: "https://a/1.png")),
                .entry(ListEntry(line: 3, location: "https://a/2.png")),
                .rejected(line: 4, reason: "no url"),
            ])
    }

    @Test func `an unclosed quote does not lose other lines`() {
        let rest = [ListEvent.entry(ListEntry(line: 3, location: "/lists/b.png", title: "y"))]
        let lost = ListEvent.rejected(line: 2, reason: "a quoted field has no closing quote")
        let kept = ListEvent.entry(ListEntry(line: 2, location: "/lists/a.png", title: "\"x"))
        #expect(events("url,title\na.png,\"x\nb.png,y\n") == [lost] + rest)
        #expect(events("url\ttitle\na.png\t\"x\nb.png\ty\n", separator: "\t") == [kept] + rest)
    }

    @Test func `comments are recognized only above the header`() {
        let found = events("# mine, all\n\nurl\ttitle\n#1.png\tOne\n", separator: "\t")
        #expect(found == [.entry(ListEntry(line: 4, location: "/lists/#1.png", title: "One"))])
    }

    @Test func `empty cells and blank records are ignored`() {
        let found = events("url,title,pin\n,,\na.png,,\nb.png\n")
        #expect(
            found == [
                .entry(ListEntry(line: 3, location: "/lists/a.png")),
                .entry(ListEntry(line: 4, location: "/lists/b.png")),
            ])
    }

    @Test func `bad records are reported with their first line`() {
        let found = events("url,title\na.png,\"x\ny\",z\n,x\nb.png,c\n")
        #expect(
            found == [
                .rejected(line: 2, reason: "3 fields where the header has 2"), .rejected(line: 4, reason: "no url"),
                .entry(ListEntry(line: 5, location: "/lists/b.png", title: "c")),
            ])
    }

    @Test func `a truncated last record is dropped`() {
        #expect(events("url\na.png\nb.pn", isTruncated: true) == [.entry(ListEntry(line: 2, location: "/lists/a.png"))])
    }

    @Test func `blanks in a quoted address are encoded, others follow the plain text rules`() {
        let shape = TableShape(separator: UInt8(ascii: ","))
        var parser = TableParser(shape, base: .folder("/l"))
        let found = parser.events(
            "id,url\n1,\"http://a/my picture # 1\"\n2,http://a/my cat.png\n3,http://a/3 # x\n4,http://a/4 x\n")
        #expect(
            found == [
                .entry(ListEntry(line: 2, location: "http://a/my%20picture%20#%201")),
                .entry(ListEntry(line: 3, location: "http://a/my%20cat.png")),
                .entry(ListEntry(line: 4, location: "http://a/3")),
                .rejected(line: 5, reason: "a space in a URL; write it as %20"),
            ])
    }
}
