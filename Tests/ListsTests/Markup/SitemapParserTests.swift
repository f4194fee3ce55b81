import Testing

@testable import AlcedoLists

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

    @Test func `sitemaps of an index are nested lists`() {
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

    @Test func `entities are not expanded`() {
        let lines = (1...9).map { "<!ENTITY l\($0) \"\(String(repeating: "&l\($0 - 1);", count: 10))\">" }
        let found = events(
            "<!DOCTYPE urlset [<!ENTITY l0 \"lol\"><!ENTITY x SYSTEM \"file:///etc/passwd\">\(lines.joined())]>"
                + "<urlset><url><image><loc>http://a.example/&l9;</loc></image>"
                + "<image><loc>http://a.example/&x;</loc></image>"
                + "<image><loc>http://a.example/1.png</loc></image></url></urlset>")
        let locations = ["http://a.example/&l9;", "http://a.example/&x;", "http://a.example/1.png"]
        #expect(found == locations.map { .entry(ListEntry(line: 1, location: $0)) })
    }

    @Test(arguments: ["<image><lo", "<image><loc>http://a.example/2.png", ""])
    func `an unterminated sitemap is reported`(rest: String) {
        var parser = SitemapParser(base: .web("http://a.example/"))
        let found = parser.events("<urlset><url><image><loc>http://a.example/1.png</loc></image>\n" + rest)
        #expect(found == [.entry(ListEntry(line: 1, location: "http://a.example/1.png"))])
        #expect(parser.truncation == Truncation(line: 2, reason: "the XML ends before </urlset>"))
    }

    @Test func `a complete sitemap has no truncation`() {
        var parser = SitemapParser(base: .web("http://a.example/"))
        _ = parser.events("<urlset><url><loc>http://a.example/1.png</loc></url></urlset>\n")
        #expect(parser.truncation == nil)
    }

    @Test func `an address over the limit is reported and not truncated`() {
        let long = "http://a.example/\(String(repeating: "x", count: 70_000)).png"
        let found = events(
            "<urlset><url><image><loc>\(long)</loc></image><loc>\(long)</loc><loc>http://a.example/1.png</loc></url>"
                + "</urlset>")
        #expect(
            found == [
                .rejected(line: 1, reason: "no URL and no path"),
                .entry(ListEntry(line: 1, location: "http://a.example/1.png")),
            ])
    }

    @Test func `deep nesting and stray tags do not hang the parser`() {
        let text = "<urlset></x></y>" + String(repeating: "<url>", count: 100_000) + "</urlset>"
        #expect(events(text) == [])
    }
}
