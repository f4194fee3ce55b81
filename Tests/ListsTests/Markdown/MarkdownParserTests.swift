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

    /// The locations of the pictures in a text, each of which is called `http://a/N.png`.
    private func numbers(_ text: String) -> [String] {
        events(text).compactMap { if case .entry(let entry) = $0 { entry.location } else { nil } }.map {
            $0.replacing("http://a/", with: "").replacing(".png", with: "")
        }
    }

    @Test(arguments: [
        "a `b\n![](http://a/no.png)\nc` ![](http://a/1.png)", "a `` ` b\nhttp://a/no.png ``\nhttp://a/1.png",
        "- a ```b\n  <img src=http://a/no.png>``` ![](http://a/1.png)",
        "> a `b\n> <img src=http://a/no.png>` <img src=http://a/1.png>",
        "a `b\n![](http://a/no.png) \\` ![](http://a/1.png) \n", "use `<img src=http://a/no.png>`, ![](http://a/1.png)",
        "`<img src=http://a/no.png>`\n![](http://a/1.png)", "`a\nhttp://a/no.png\nb`\n\nhttp://a/1.png",
        "`` a ` b\n`` http://a/1.png `c\n![](http://a/no.png)`",
    ])
    func `a code span that goes over several lines, or has HTML, is not read`(text: String) {
        #expect(numbers(text) == ["1"])
    }

    @Test(arguments: [
        "a ` b\n\n![](http://a/1.png) `", "- a ` b\n- ![](http://a/1.png) `", "# a ` b\n![](http://a/1.png) `",
        "| a ` b |\n| ![](http://a/1.png) ` |", "a ` b\n> ![](http://a/1.png) `", "a \\` b\n![](http://a/1.png) `",
        "a ` b\n![](http://a/1.png) ``", "a ` b\n```\n![](http://a/no.png)\n```\n![](http://a/1.png) `",
        "<img alt=\"a ` b\" src=http://a/1.png>\n`", "a ` b\n===\n![](http://a/1.png) `",
        "a ` b\n![](http://a/1.png)", "a ` b\n<!-- x -->\n![](http://a/1.png) `",
    ])
    func `backticks that nothing in the paragraph closes are text`(text: String) {
        #expect(numbers(text) == ["1"])
    }

    @Test(arguments: [
        "a\n\n    ![](http://a/no.png)\n\n    http://a/no.png\n\n![](http://a/1.png)",
        "\t<img src=http://a/no.png>\n![](http://a/1.png)", "# a\n    ![](http://a/no.png)\n![](http://a/1.png)",
        ">     ![](http://a/no.png)\n> ![](http://a/1.png)", "a\n>     ![](http://a/no.png)\n\n![](http://a/1.png)",
        "- a\n\n      ![](http://a/no.png)\n\n  ![](http://a/1.png)",
        "1. - a\n\n         ![](http://a/no.png)\n\n   ![](http://a/1.png)",
        "- a\n\nb\n\n    ![](http://a/no.png)\n- ![](http://a/1.png)", "    ```\n![](http://a/1.png)",
        "> - a\n\nb\n\n    ![](http://a/no.png)\n\n![](http://a/1.png)",
        "- - -\n    ![](http://a/no.png)\n![](http://a/1.png)",
        "```\na\n```\n    ![](http://a/no.png)\n![](http://a/1.png)",
    ])
    func `indented code is not read`(text: String) {
        #expect(numbers(text) == ["1"])
    }

    @Test(arguments: [
        "a\n    ![](http://a/1.png)", "- a\n\n    ![](http://a/1.png)", "1. a\n\n      ![](http://a/1.png)",
        "- a\n    - b\n\n        ![](http://a/1.png)", "> - a\n>\n>     ![](http://a/1.png)",
        "<p>\n    <img src=http://a/1.png></p>", "-\n    ![](http://a/1.png)", "   ![](http://a/1.png)",
        "1. a\n\n   > b\n\n   ![](http://a/1.png)", "- a\nb\n\n    ![](http://a/1.png)",
        "!!! note\n\n    ![](http://a/1.png)", "=== \"Tab\"\n\n    ![](http://a/1.png)",
        "[^1]: a\n\n    ![](http://a/1.png)", ">    ![](http://a/1.png)", "- a\n        - ![](http://a/1.png)",
    ])
    func `an indented line in a paragraph, an item or a tag is read`(text: String) {
        #expect(numbers(text) == ["1"])
    }

    @Test func `lines that wait for backticks keep their order, their numbers and their tags`() {
        let text = "![a](1.png) `\n<img\n src=2.png>\n" + String(repeating: "b\n", count: 300) + "![c](3.png)\n"
        #expect(
            events(text) == [
                entry("http://a/d/1.png", "a"), entry("http://a/d/2.png", line: 2),
                entry("http://a/d/3.png", "c", line: 304),
            ])
    }

    @Test(arguments: ["`", "` ``", "\\", "`\n", "` \n``\n", "- ", "> ", ">", "\t", "<a `", "    > ", "- `\n"])
    func `many marks of code and of blocks are parsed in little time`(mark: String) {
        let text = String(repeating: mark, count: 60_000 / mark.utf8.count)
        let found = events("a \(text)\n\nb " + String(repeating: "\(mark)\n", count: 20_000) + "\n\n![a](1.png)\n")
        #expect(found.last.map { if case .entry = $0 { true } else { false } } == true)
    }
}
