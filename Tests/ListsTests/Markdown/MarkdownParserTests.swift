import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct MarkdownParserTests {
    private func events(_ text: String, base: ListBase = .web("http://a/d/")) -> [ListEvent] {
        var parser = MarkdownParser(base: base)
        return parser.events(text)
    }

    private func entry(_ location: String, _ title: String? = nil, line: Int = 1) -> ListEvent {
        .entry(ListEntry(line: line, location: location, title: title))
    }

    @Test(arguments: [
        ("- http://b/1", "http://b/1", nil), ("* http://b/1.png # x", "http://b/1.png", nil),
        ("1. <http://b/my cat>", "http://b/my%20cat", nil), ("  2) 3.png", "http://a/d/3.png", nil),
        ("![A cat](1.png)", "http://a/d/1.png", "A cat"), ("![](1.png \"A cat\")", "http://a/d/1.png", "A cat"),
        ("![a \\[b\\]](1.png 'c')", "http://a/d/1.png", "a [b]"), ("![a](my cat.png)", "http://a/d/my%20cat.png", "a"),
        ("![a](<my (cat).png> (t))", "http://a/d/my%20(cat).png", "a"),
        ("![a](x_(1).png)", "http://a/d/x_(1).png", "a"),
        ("![a](1?x=1&amp;y=2)", "http://a/d/1?x=1&y=2", "a"), ("[A cat](http://b/1)", "http://b/1", "A cat"),
        ("- [x] [**A**](http://b/1.jpg) and more", "http://b/1.jpg", "**A**"),
        ("> - ![a](1.png)", "http://a/d/1.png", "a"),
        ("Look at https://b/1.png, please", "https://b/1.png", nil), ("so (http://b/1.png).", "http://b/1.png", nil),
        ("see <http://b/1.png>", "http://b/1.png", nil), ("[a]: 1.png \"A\"", "http://a/d/1.png", "A"),
        ("| a | ![b](1.png) |", "http://a/d/1.png", "b"), ("<img alt=\"A\" src=1.png>", "http://a/d/1.png", "A"),
        ("größe \\é ![größe](1.png)", "http://a/d/1.png", "größe"),
        ("[![a](1.png)](page.html)", "http://a/d/1.png", "a"), ("`http://b/1.png`", "http://b/1.png", nil),
    ])
    func `a Markdown line with a picture is an entry`(_ line: String, location: String, title: String?) {
        #expect(events(line) == [entry(location, title)])
    }

    @Test(arguments: [
        "Some text", "- an item", "[a page](http://b/page.html)", "[top](#top)", "[a](b.md) c", "[a](http://b/)",
        "\\![a](http://b/)", "![a](1.png b", "see [a](http://b/1) there", "[a] (1.png)", "# 1.png 2", "a [b", "[]()",
    ])
    func `other Markdown text is ignored`(_ line: String) {
        #expect(events(line) == [])
    }

    @Test func `all pictures are read in order with their lines`() {
        let found = events(
            """
            # My pictures

            ![a](1.png) and ![b](2.png)
            - [![c](small.png)](large.png)
            <p>
            <img
             src="3.png"></p>
            - photos/4.png
            - ![bad](ftp://x/)
            """, base: .folder("/lists"))
        #expect(
            found == [
                entry("/lists/1.png", "a", line: 3), entry("/lists/2.png", "b", line: 3),
                entry("/lists/small.png", "c", line: 4), entry("/lists/large.png", "c", line: 4),
                entry("/lists/3.png", line: 6), entry("/lists/photos/4.png", line: 8),
                .rejected(line: 9, reason: "the scheme ftp is not one of http, https, file, data"),
            ])
    }

    @Test func `links in a plain text list are read as well`() {
        var parser = PlainTextParser(base: .web("http://a/"))
        let found = parser.events("http://b/1\n- ![x](2.png)\n[y](http://b/3)\n- <http://b/4>\n[z](w).png\n")
        #expect(
            found == [
                entry("http://b/1"), entry("http://a/2.png", "x", line: 2), entry("http://b/3", "y", line: 3),
                entry("http://b/4", line: 4), entry("http://a/%5Bz%5D(w).png", line: 5),
            ])
    }

    @Test(arguments: ["[", "![", "[]", "[](", "<", "[a](b", "![a](\\", "http://", "h", "[[]]", "> - ", "1. "])
    func `a line of many brackets is parsed in little time`(mark: String) {
        let line = String(repeating: mark, count: 60_000 / mark.utf8.count)
        let nested = String(repeating: "[", count: 20_000) + String(repeating: "]", count: 20_000)
        let links = String(repeating: "[", count: 10_000) + String(repeating: "](a)", count: 10_000)
        #expect(events("\(line)\n\(nested)\n\(links)\n![a](1.png)\n").last == entry("http://a/d/1.png", "a", line: 4))
    }

    @Test func `code in quotes, lists and HTML, and comments, are not read`() {
        var parser = MarkdownParser(base: .folder("/l"))
        let text = """
            > ```
            > http://a/no.png
            > ```
            1. ```sh
               ![](http://a/no.png)
               ```
            <pre>
            ![](http://a/no.png)
            </pre>
            <!-- ![](http://a/no.png)
            ![](http://a/no.png) -->
            ![](http://a/1.png)
            """
        #expect(parser.events(text) == [.entry(ListEntry(line: 12, location: "http://a/1.png"))])
    }

    @Test func `code in lines and between fences has examples, which are not read`() {
        var parser = MarkdownParser(base: .folder("/l"))
        let text = """
            ![](http://a/1.png)
            ```sh
            curl http://a/no.png
            http://a/no.png
            ~~~
            <img src="http://a/no.png">
            ````
            - http://a/2.png
            ``` `x` http://a/no.png```
            ~~~
            ![](http://a/no.png)
            """
        let found = parser.events(text).compactMap { if case .entry(let entry) = $0 { entry.location } else { nil } }
        #expect(found == ["http://a/1.png", "http://a/2.png"])
    }
}
