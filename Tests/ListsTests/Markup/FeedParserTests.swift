import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct FeedParserTests {
    private func events(_ items: String, root: String = "rss") -> [ListEvent] {
        var parser = FeedParser(base: .web("http://a/feed"))
        return parser.events("<\(root)>\(items)</\(root)>")
    }

    private func entry(_ location: String, _ title: String? = nil, line: Int = 1) -> ListEntry {
        ListEntry(line: line, location: location, title: title)
    }

    @Test func `picture enclosures have the title of their item`() {
        let found = events(
            """
            <channel><title>All</title><image><url>logo.png</url></image><item><enclosure url="1.jpg" type="image/jpeg"
             length="5"/><title>A &amp; B</title></item><item><title><![CDATA[C & D]]></title>
            <enclosure url='x?id=2&amp;w=1' type='IMAGE/png'/><enclosure url="a.mp3" type="audio/mpeg"/>
            <enclosure url="my cat.png"/></item></channel>
            """)
        #expect(
            found == [
                .entry(entry("http://a/1.jpg", "A & B")), .entry(entry("http://a/x?id=2&w=1", "C & D", line: 3)),
                .entry(entry("http://a/my%20cat.png", "C & D", line: 4)),
            ])
    }

    @Test func `media are pictures by type, medium or name, and a thumbnail is the low-data version`() {
        let found = events(
            """
            <item><media:content url="1" medium="image"/><media:content url="v.mp4" medium="video"/>\
            <media:content url="2" type="image/webp"><media:title>other</media:title></media:content>\
            <media:content url="3.gif"/><media:thumbnail url="t.jpg"/></item>\
            <item><title>Only</title><media:thumbnail url="s.jpg"/><media:content url="v" type="video/mp4"/></item>
            """)
        var first = entry("http://a/1")
        first.lowData = "http://a/t.jpg"
        #expect(
            found == [
                .entry(first), .entry(entry("http://a/2")), .entry(entry("http://a/3.gif")),
                .entry(entry("http://a/s.jpg", "Only")),
            ])
    }

    @Test func `versions in a media group are one entry`() {
        let found = events(
            """
            <item><media:group><media:content url="s.png" width="100"/><media:content url="l.png" width="900"/>\
            <media:content url="m.png" width="500"/></media:group></item>
            """)
        var picture = entry("http://a/l.png")
        picture.alternatives = ["http://a/s.png", "http://a/m.png"]
        #expect(found == [.entry(picture)])
    }

    @Test func `Atom enclosures and external contents are pictures`() {
        let found = events(
            """
            <entry><title>T</title><link rel="alternate" href="page.html"/><link rel="enclosure" href="1" \
            type="image/png"/><content src="2.jpg" type="image/jpeg"/></entry>
            """, root: "feed xml:base='http://b/c/'")
        #expect(found.prefix(2) == [.entry(entry("http://b/c/1", "T")), .entry(entry("http://b/c/2.jpg", "T"))])
    }

    @Test func `an item without media has the pictures of its HTML`() {
        let found = events(
            """
            <item><title>T</title><description>&lt;p&gt;&lt;img src="1.png?a=1&amp;amp;b=2" alt="x"&gt;</description>
            <content:encoded><![CDATA[<img src="2.png">]]></content:encoded></item>
            <item><description><![CDATA[<img src="3.png?a&amp;b">]]></description><enclosure url="4.png"/></item>
            <item><content:encoded><![CDATA[<img src="5.png?a&amp;b">]]></content:encoded></item>
            <entry><content type="xhtml"><div><img alt="x" src="6.png"/></div></content></entry>
            """)
        #expect(
            found == [
                .entry(entry("http://a/1.png?a=1&b=2", "x")), .entry(entry("http://a/4.png", line: 3)),
                .entry(entry("http://a/5.png?a&b", line: 4)), .entry(entry("http://a/6.png", "x", line: 5)),
            ])
    }

    @Test func `undefined entities in a title are kept`() {
        let found = events("<item><title>A&nbsp;B</title><enclosure url='1.png'/></item>")
        #expect(found == [.entry(entry("http://a/1.png", "A&nbsp;B"))])
    }

    @Test func `an unterminated feed is reported`() {
        var parser = FeedParser(base: .web("http://a/"))
        #expect(parser.events("<rss>\n<item><enclosure url='1.png'/>").isEmpty)
        #expect(parser.truncation == Truncation(line: 2, reason: "the XML ends before </rss>"))
    }

    @Test func `an item with many pictures is read completely`() {
        let found = events("<item>" + String(repeating: "<enclosure url='1.png'/>", count: 5000) + "</item>")
        #expect(found.count == 5000)
    }
}
