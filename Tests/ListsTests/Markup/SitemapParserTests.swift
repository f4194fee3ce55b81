import Testing

@testable import Lists

@Suite(.timeLimit(.minutes(1))) struct SitemapParserTests {
    private func events(_ text: String, pieces: Int = .max) -> [ListEvent] {
        var parser = SitemapParser(base: .web("http://a.example/sitemap.xml"))
        return parser.events(text, pieces: pieces)
    }

    @Test(arguments: [1, 6, .max])
    func `images are entries and pages are not`(pieces: Int) {
        let found = events(
            """
            <?xml version="1.0"?>
            <urlset xmlns="s" xmlns:image="i"><url><loc>http://a.example/page</loc>
            <image:image><image:loc> http://a.example/1.png?a=1&amp;b=2 </image:loc>
            <image:title>One</image:title><image:caption>no</image:caption></image:image>
            <image:image><image:loc><![CDATA[http://a.example/2.png?a&b]]></image:loc></image:image></url>
            <url><loc>http://a.example/3.jpg</loc></url></urlset>
            """, pieces: pieces)
        #expect(
            found == [
                .entry(ListEntry(line: 3, location: "http://a.example/1.png?a=1&b=2", title: "One")),
                .entry(ListEntry(line: 5, location: "http://a.example/2.png?a&b")),
                .entry(ListEntry(line: 6, location: "http://a.example/3.jpg")),
            ])
    }

    @Test func `sitemaps of an index are lists`() {
        let found = events(
            """
            <sitemapindex><sitemap><loc>http://a.example/1.xml.gz</loc><lastmod>2024</lastmod></sitemap>
            <sitemap><loc>/2.xml</loc></sitemap></sitemapindex>
            """)
        let expected = [(1, "http://a.example/1.xml.gz"), (2, "http://a.example/2.xml")].map { line, location in
            var entry = ListEntry(line: line, location: location)
            entry.kind = .list
            return ListEvent.entry(entry)
        }
        #expect(found == expected)
    }

    @Test func `entity bomb is never expanded`() {
        let lines = (1...9).map { "<!ENTITY l\($0) \"\(String(repeating: "&l\($0 - 1);", count: 10))\">" }
        let found = events(
            "<!DOCTYPE urlset [<!ENTITY l0 \"lol\"><!ENTITY x SYSTEM \"file:///etc/passwd\">\(lines.joined())]>"
                + "<urlset><url><image><loc>http://a.example/&l9;</loc></image>"
                + "<image><loc>http://a.example/&x;</loc></image>"
                + "<image><loc>http://a.example/1.png</loc></image></url></urlset>")
        let reason = "the text refers to an entity that XML does not predefine"
        #expect(
            found == [
                .rejected(line: 1, reason: reason), .rejected(line: 1, reason: reason),
                .entry(ListEntry(line: 1, location: "http://a.example/1.png")),
            ])
    }

    @Test(arguments: ["<image><lo", "<image><loc>http://a.example/2.png", ""])
    func `end within the sitemap is reported`(rest: String) {
        var parser = SitemapParser(base: .web("http://a.example/"))
        let found = parser.events("<urlset><url><image><loc>http://a.example/1.png</loc></image>\n" + rest)
        #expect(found == [.entry(ListEntry(line: 1, location: "http://a.example/1.png"))])
        #expect(parser.truncation == Truncation(line: 2, reason: "the XML ends before </urlset>"))
    }

    @Test func `sitemap with its end lacks nothing`() {
        var parser = SitemapParser(base: .web("http://a.example/"))
        _ = parser.events("<urlset><url><loc>http://a.example/1.png</loc></url></urlset>\n")
        #expect(parser.truncation == nil)
    }

    @Test func `text over the limit is reported and not held`() {
        let found = events(
            "<urlset><url><loc>\(String(repeating: "x", count: 70_000))</loc><loc>http://a.example/1.png</loc></url>"
                + "</urlset>")
        #expect(found.first == .rejected(line: 1, reason: "a text longer than 64 KiB"))
        #expect(found.count == 2)
    }

    @Test func `deep nesting and stray tags end`() {
        let text = "<urlset></x></y>" + String(repeating: "<url>", count: 100_000) + "</urlset>"
        #expect(events(text) == [])
    }
}
