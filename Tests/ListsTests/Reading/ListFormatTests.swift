import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct ListFormatTests {
    private func recognised(_ text: String, isComplete: Bool = true) -> ListFormat? {
        ListFormat.detect(Array(text.utf8), isComplete: isComplete)
    }

    @Test(arguments: [
        "", "a.png", "# list\nhttp://a/\n", "\u{FEFF}grün.png\r\n", "BM.png\n", "[group] a.png\n", "urls.png\n",
        "http://a/1.png\thttp://b/1.png\n", "http://a/?url,title\n",
    ])
    func `plain text is a list`(text: String) {
        #expect(recognised(text) == .plainText)
    }

    @Test(
        arguments: [
            ("{\"url\": \"a.png\"}\n", .jsonLines), ("# mine\n\n  {\"url\":\"a.png\"}", .jsonLines),
            ("{\n  \"url\"", .json(isArray: false)), ("{ \"data\": [\n  {", .json(isArray: false)),
            ("{\"url\":\n\"a\"}", .json(isArray: false)),
            ("{\"url\":\"a.png\n{\"url\":\"b.png\"}\n", .jsonLines), ("{\"data\":[{}]}", .jsonLines),
            ("{\"a\":\"" + String(repeating: "x", count: 70_000), .json(isArray: false)),
            ("[{\"url\": \"a\"}]", .json(isArray: true)), ("\n [\n", .json(isArray: true)),
            ("[]", .json(isArray: true)), ("[ ]\n", .json(isArray: true)),
            ("[\"a.png\",", .json(isArray: true)),
            ("url,title\n", .table(TableShape(separator: 0x2C))),
            ("\"Title\";\"URL\"\n", .table(TableShape(separator: 0x3B))),
            ("title\turl\n", .table(TableShape(separator: 0x09))),
            ("url\nhttp://a/1,2.png\n", .table(TableShape(separator: 0x09))),
            ("<!DOCTYPE html>\n<html>", .page), ("  <!-- x --><div><img src=a>", .page), ("<IMG SRC=a>", .page),
            ("<?xml version=\"1.0\"?><html xmlns=\"x\">", .page),
            ("<?xml version=\"1.0\"?>\n<!-- <html> --><urlset xmlns=\"x\">", .sitemap), ("<s:sitemapindex>", .sitemap),
            ("<?xml version='1.0'?><rss>", .feed), ("<feed xmlns='x'>", .feed), ("<rdf:RDF>", .feed),
        ] as [(String, ListFormat)])
    func `the first line with content determines the format`(text: String, format: ListFormat) {
        #expect(recognised(text) == format)
    }

    @Test(arguments: [
        "- http://a/1\n", "* <http://a/1>\n", "1. [a](http://a/1)\n", "# Mine\n\n![a](b.png)\n", "[a]: b.png\n",
        "[![a](b.png)](http://a/)\n", "> [a](b.png)\n", "Pictures\n========\n\nHere they are:\n\n- http://a/1\n",
        "- [ ] [a](b.png)", "[Cats, all](http://a/1.png)\n",
    ])
    func `Markdown is detected by links, images and bullets before addresses`(text: String) {
        #expect(recognised(text) == .markdown)
    }

    @Test(arguments: [
        "- a.png\n1. b.png\n", "[group] (2).png\n", "[x](y).png\n", "http://a/1\n![a](b.png)\n", "a.png\n[a](b.png)\n",
        "my cat\nmy dog\n", "1.png\n2.png\n", "!a.png\n",
    ])
    func `text that only looks like Markdown is plain text`(text: String) {
        #expect(recognised(text) == .plainText)
    }

    @Test func `a file with a Markdown extension is Markdown`() {
        for text in ["- a.png\n", "<p><img src=a.png></p>\n", "Only text\n"] {
            #expect(ListFormat.detect(Array(text.utf8), isComplete: true, isMarkdown: true) == .markdown)
        }
    }

    @Test func `prose is undecided until a line with an address`() {
        #expect(recognised("Here are all my pictures\n", isComplete: false) == nil)
        #expect(recognised("Here are all my pictures\n![a](b.pn", isComplete: false) == nil)
        #expect(recognised("Here are all my pictures\n![a](b.png)\n", isComplete: false) == .markdown)
        #expect(recognised("Here are all my pictures\nb.png\n", isComplete: false) == .plainText)
        #expect(recognised(String(repeating: "Only some words\n", count: 70), isComplete: false) == .plainText)
    }

    @Test func `a file with a table extension may begin with an address`() {
        func found(_ text: String) -> ListFormat? {
            ListFormat.detect(Array(text.utf8), isComplete: true, isTable: true)
        }
        let table = ListFormat.table(TableShape(separator: 0x2C, address: 0, hasHeader: false))
        #expect(found("http://a/1.png,5,x\n") == table)
        #expect(found("http://a/1.png,a cat\nhttp://a/2.png,a dog\n") == table)
        #expect(recognised("http://a/1.png,5,x\n") == .plainText)
        // What may go on with a slash is one address.
        #expect(found("http://a/w_200,h_200/1.png\n") == .plainText)
    }

    @Test(
        arguments: [
            ("id,link\n1,https://a/1.png\n", TableShape(separator: 0x2C, address: 1)),
            ("link;page\nhttps://a/1.png;https://a/p\n", TableShape(separator: 0x3B, address: 0)),
            ("page\tpicture\nhttps://a/p\thttps://a/1\n", TableShape(separator: 0x09, address: 1)),
            ("id,thumb,image\n1,https://a/t.png,https://a/1.png\n", TableShape(separator: 0x2C, address: 2)),
            ("preview,original\nhttps://a/t.png,https://a/1.png\n", TableShape(separator: 0x2C, address: 1)),
            ("id,author_link,photo\n1,https://a/a,https://a/1\n", TableShape(separator: 0x2C, address: 2)),
            ("name,photo\nfoo,\nbar,https://a/1.png\n", TableShape(separator: 0x2C, address: 1)),
            ("id,text,photo\n1,\"one\ntwo\",https://a/1.png\n", TableShape(separator: 0x2C, address: 2)),
            ("Handle,Body (HTML),Image Src\na,<p>,https://a/1.png\n", TableShape(separator: 0x2C, address: 2)),
            (
                ",Name,,Image\n0,a,b,https://a/1.png\n1,a, b, c,https://a/1.png\n",
                TableShape(separator: 0x2C, address: 3)
            ),
            ("image,label\na.jpg,cat\n", TableShape(separator: 0x2C, address: 0)),
            ("photo\nhttps://a/1.png\n", TableShape(separator: 0x09, address: 0)),
            ("# mine\n1,https://a/1.png", TableShape(separator: 0x2C, address: 1, hasHeader: false)),
            ("\"a cat, asleep\",https://a/1\n", TableShape(separator: 0x2C, address: 1, hasHeader: false)),
            ("id,big\n1,\"https://a/my cat.png\"\n", TableShape(separator: 0x2C, address: 1)),
            ("\"https://a/1\",\"a cat\"\n", TableShape(separator: 0x2C, address: 0, hasHeader: false)),
        ])
    func `a table is detected by its column of addresses`(text: String, shape: TableShape) {
        #expect(recognised(text) == .table(shape))
    }

    @Test(arguments: [
        "https://a/1,2.png\n", "a cat\thttps://a/1.png\n", "name\tlink\nb\tc\n", "My, Pictures\nOther, Pictures\n",
        "a.png,b\n1,https://a/1.png\n", "one,two\n1,2,https://a/1.png\n", "photos/1.jpg\nphotos/2.jpg\n",
        "Pictures of Paris, 2024\nhttps://a/w_400,c_fill/0.png\n", "Titel; Jahr\nhttps://a/a;v=1\n",
        "images/cat, dog.jpg\nimages/b.jpg\n", "<PERSON> on a boat\thttps://a/1.png\n", "<https://a/1.png>\n",
        "Paris\nhttps://a/1.png\n", "/images/a, b\n/images/c, d\n",
    ])
    func `text that only looks like a table is plain text`(text: String) {
        #expect(recognised(text) == .plainText)
    }

    @Test(arguments: [
        ("<svg xmlns='x'></svg>", "it is an SVG picture"),
        ("<?xml version='1.0'?><opml>", "it is XML, but neither a sitemap, a feed nor Metalink"),
    ])
    func `text that is not a list is refused with its kind`(text: String, reason: String) {
        #expect(recognised(text) == ListFormat.notAList(reason: reason))
    }

    @Test func `the format is undecided until the first line is complete`() {
        #expect(recognised("# a long comment\nurl", isComplete: false) == nil)
        #expect(recognised("# a long comment\nurl,title\n", isComplete: false) == .table(TableShape(separator: 0x2C)))
        #expect(recognised("id,link,and,more\n1,http", isComplete: false) == nil)
        #expect(recognised("id,text,photo,more\n1,,,\n", isComplete: false) == nil)
        #expect(recognised("<!-- a comment without a ro", isComplete: false) == nil)
        #expect(recognised(String(repeating: "#\n", count: 40_000), isComplete: false) == .plainText)
    }

    @Test func `a long text with one zero byte is still a list`() {
        #expect(recognised("http://a.example/1.png\n\u{0}\n") == .plainText)
    }

    @Test(
        arguments: [
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13], "it is a picture"),
            ([0x1F, 0x8B, 8, 0], "it is compressed with gzip twice"),
            ([0x50, 0x4B, 3, 4, 0, 0], "it is a ZIP archive"), ([1, 2, 3, 4, 0, 0, 65], "it holds binary data"),
            (Array("ARROW1\0\0".utf8) + [0xFF, 0xFF], "it is an Arrow file"),
        ] as [([UInt8], String)])
    func `binary data is refused with its kind`(bytes: [UInt8], reason: String) {
        #expect(ListFormat.detect(bytes, isComplete: true) == ListFormat.notAList(reason: reason))
    }

    @Test func `a Parquet file is refused with a hint at its conversion`() {
        let reason = """
            it is a Parquet file, which is read from a local file if python3 has pyarrow; or convert it, e.g. \
            duckdb -c "COPY (SELECT url FROM 'x.parquet') TO 'x.csv'"
            """
        // Its addresses may be text for the most part.
        let texts = Array(String(repeating: "http://a.example/1.png", count: 100).utf8)
        for head: [UInt8] in [[0x15, 0x04, 0x15], [0x00, 0x00], [0x15, 0x00] + texts] {
            #expect(
                ListFormat.detect(Array("PAR1".utf8) + head, isComplete: true) == ListFormat.notAList(reason: reason))
        }
        #expect(recognised("PAR1/a.png\n") == .plainText && recognised("PAR1\n") == .plainText)
    }
}
