import TestSupport
import Testing

@testable import AlcedoLists

/// Properties of all parsers, checked with random sequences of the marks of their formats.
@Suite(.timeLimit(.minutes(1))) struct ListParserTests {
    private static let formats: [(parser: any ListParser, marks: [String])] = [
        (PlainTextParser(base: .folder("/l")), ["a.png", "\t", " ", "\n", "#", "ttl=", "http://a/", "\r\n", "\0"]),
        (
            JSONLinesParser(base: .folder("/l")),
            ["{\"url\":\"a\"", ",\"tags\":[", "\"x\"", "]", "}", "\n", "\\", "[", "\"title\":", "1", "null", "\r"]
        ),
        (
            JSONParser(base: .folder("/l"), isArray: false),
            [
                "{", "}", "\"a.png\"", "\"url\":", "\"b\":", ",", "[", "]", "\n", "#", "\\", "\"", "1", " ",
                "{\"c\":\"d.png\"}\n",
            ]
        ),
        (
            TableParser(TableShape(separator: UInt8(ascii: ",")), base: .folder("/l")),
            ["url,title\n", ",", "\"", "\n", "a", "\r\n"]
        ),
        (
            PageParser(base: .web("http://a/")),
            [
                "<img src=", "'", "\"", ">", "<", "a.png", " ", "<!--", "-->", "<picture>", "</picture>",
                "<source srcset=",
                "<script>", "</script", "<!DOCTYPE", "[", "]", "<![CDATA[", "]]>", "&amp;", "\n", "/",
            ]
        ),
        (
            SitemapParser(base: .web("http://a/")),
            [
                "<urlset>", "</urlset>", "<url>", "</url>", "<image>", "</image>", "<loc>", "</loc>", "http://a/b.png",
                "<title>", "</title>", "&", "lol;", "<![CDATA[", "]]>", "<!--", "-->", "<", ">", "/>", "\n",
                "<sitemap>",
            ]
        ),
        (
            MarkdownParser(base: .folder("/l")),
            [
                "- ", "1. ", "![", "[", "]", "(", ")", "](", "a.png", "http://a/b.png", " ", "\"t\"", "<", ">", "\\",
                "\n",
                "<img src=c.png>", "# ", "&amp;", "]: ", "text", "\t", "> ",
            ]
        ),
        (
            FeedParser(base: .web("http://a/")),
            [
                "<rss>", "</rss>", "<item>", "</item>", "<enclosure url='1.png'/>", "<media:group>", "</media:group>",
                "<media:content url='2.png' width='9'>", "</media:content>", "<media:thumbnail url='3.png'/>",
                "<title>",
                "</title>", "<description>", "</description>", "&lt;img src=4.png&gt;", "<![CDATA[<img src=5.png>]]>",
                "<link rel='enclosure' href='6.png'/>", "&", "lol;", "<", ">", "\n",
            ]
        ),
    ]

    private func text(_ marks: [String], _ random: inout SeededRandom) -> String {
        (0..<200).map { _ in marks[Int.random(in: marks.indices, using: &random)] }.joined()
    }

    @Test(arguments: formats.indices)
    func `events do not depend on the piece boundaries and their lines exist`(format: Int) {
        let (parser, marks) = Self.formats[format]
        var random = SeededRandom(seed: 0x2545_F491_4F6C_DD1D)
        var total = 0
        for _ in 0..<100 {
            let text = text(marks, &random)
            var (whole, bytewise, uneven) = (parser, parser, parser)
            let events = whole.events(text)
            total += events.count + (whole.truncation == nil ? 0 : 1)
            #expect(bytewise.events(text, pieces: 1) == events)
            #expect(uneven.events(text, pieces: 7) == events)
            #expect(bytewise.truncation == whole.truncation && uneven.truncation == whole.truncation)
            let lines = text.utf8.count { $0 == UInt8(ascii: "\n") } + 1
            #expect(events.allSatisfy { (1...lines).contains($0.line) })
            #expect(whole.truncation.map { (1...lines).contains($0.line) } ?? true)
        }
        #expect(total > 100)
    }
}

extension ListEvent {
    fileprivate var line: Int {
        switch self {
        case .entry(let entry): entry.line
        case .warning(let line, _), .rejected(let line, _): line
        }
    }
}
