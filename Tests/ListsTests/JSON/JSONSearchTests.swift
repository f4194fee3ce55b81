import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct JSONSearchTests {
    private func events(_ text: String, pieces: Int = .max) -> [ListEvent] {
        var parser = JSONParser(base: .folder("/l"), isArray: false)
        return parser.events(text, pieces: pieces)
    }

    private func entry(_ location: String, _ title: String? = nil, line: Int = 1) -> ListEvent {
        .entry(ListEntry(line: line, location: location, title: title))
    }

    @Test func `strings that are picture addresses are entries in order`() {
        let found = events(
            """
            {"page": "https://a/p", "b": {"big": "https://a/2.jpg?w=1"}, "a": ["https://a/my 1.png", 7, null,
            ["data:image/png;base64,AA"]], "name": "x.png", "icon": "https://a/2.jpg?w=1"}
            """)
        #expect(
            found == [
                entry("https://a/2.jpg?w=1"), entry("https://a/my%201.png"), entry("data:image/png;base64,AA"),
                entry("https://a/2.jpg?w=1"),
            ])
    }

    @Test func `versions of a picture in the answer of a service are one entry`() {
        var photo = ListEntry(
            line: 1, location: "https://i/p?w=9", title: nil, alternatives: ["https://i/p?q=1", "https://i/p?w=1"])
        photo.lowData = "https://i/p?w=1"
        let found = events(
            """
            {"id": "x", "urls": {"thumb": "https://i/p?w=1", "full": "https://i/p?q=1", "raw": "https://i/p?w=9"},
            "links": {"html": "https://u/p/x"}}
            """)
        #expect(found == [.entry(photo)])
    }

    @Test func `beside versions of a picture the address is that of its page`() {
        let text =
            #"{"id": 7, "url": "https://p/photo/7", "src": {"small": "https://i/7?h=1", "original": "https://i/7"}}"#
        var photo = ListEntry(line: 1, location: "https://i/7", title: nil, alternatives: ["https://i/7?h=1"])
        photo.lowData = "https://i/7?h=1"
        #expect(events(text) == [.entry(photo)])
        var parser = JSONParser(base: .folder("/l"), isArray: true)
        #expect(parser.events("[\(text)]") == [.entry(photo)])
    }

    @Test func `a recorded request is a picture if its answer was one`() {
        let text = """
            {"log": {"entries": [
            {"request": {"url": "http://h/a.jpg"}, "response": {"content": {"mimeType": "image/jpeg"}}},
            {"request": {"url": "http://h/thumb?id=7"}, "response": {"content": {"mimeType": "Image/WebP"}}},
            {"request": {"url": "http://h/app.js"}, "response": {"content": {"mimeType": "text/javascript"}}},
            {"request": {"url": "http://h/page"}, "response": {"content": {"mimeType": ""}}}]}}
            """
        #expect(events(text) == [entry("http://h/a.jpg", line: 1), entry("http://h/thumb?id=7", line: 1)])
    }

    @Test func `the two hosts of a picture of COCO are one entry`() {
        let found = events(
            """
            {"images": [{"file_name": "7.jpg", "coco_url": "http://c/7.jpg", "flickr_url": "http://f/a.jpg"},
            {"flickr_url": "http://f/b.jpg"}]}
            """)
        #expect(
            found == [
                .entry(ListEntry(line: 1, location: "http://c/7.jpg", alternatives: ["http://f/a.jpg"])),
                entry("http://f/b.jpg"),
            ])
    }

    @Test func `a nested object with an address uses its own fields`() {
        var first = ListEntry(line: 1, location: "https://a/1.png", title: "One")
        first.tags = ["sea"]
        let found = events(
            """
            {"title": "All", "data": [{"url": "https://a/1.png", "title": "One", "tags": ["sea"]},
            {"author": {"url": "https://a/joe"}, "src": "https://a/2.png"}]}
            """)
        #expect(found == [.entry(first), entry("https://a/2.png", "All")])
    }

    @Test(arguments: [
        ("{\"a\":{\"b\":\"c/d.png\"}}", "/l/c/d.png"), ("{\"image\":\"https://a/1\"}", "https://a/1"),
        ("{\"data\":[{\"url\":\"https://a/1\",\"page\":\"https://a/2\"}]}", "https://a/1"),
        ("{\"data\":[{\"url\":\"a\"}]}", "/l/a"), ("{\"image_url\":{\"url\":\"https://a/1\"}}", "https://a/1"),
        ("{\"url\":{\"raw\":\"https://a/1.png\"}}", "https://a/1.png"), ("{\"url\":null,\"x\":\"y.png\"}", "/l/y.png"),
        ("{\"a\":{\"url\":null,\"image_url\":\"y.png\"}}", "/l/y.png"),
        ("{\"data\":[{\"url\":\"https://a/p\"},\"https://a/1.png\"]}", "https://a/1.png"),
    ])
    func `an address without a picture extension is recognized by its key`(text: String, location: String) {
        #expect(events(text) == [entry(location)])
    }

    @Test(arguments: [1, 3, .max])
    func `consecutive objects are read with any line breaks`(pieces: Int) {
        let text =
            "\n{\n  \"url\": \"a.png\"\n}\n{\n  \"x\": \"b.png\"\n}{\"url\":\"c.png\"},\nnonsense\n{\"url\":\n\"d.png\"}"
        #expect(
            events(text, pieces: pieces) == [
                entry("/l/a.png", line: 2), entry("/l/b.png", line: 5), entry("/l/c.png", line: 7),
                .rejected(line: 8, reason: "not valid JSON at byte 2"), entry("/l/d.png", line: 9),
            ])
    }

    @Test func `JSON Lines and arrays are searched as well`() {
        var lines = JSONLinesParser(base: .folder("/l"))
        #expect(lines.events("{\"a\":[\"b.png\"]}\n[\"c.png\"]") == [entry("/l/b.png"), entry("/l/c.png", line: 2)])
        var array = JSONParser(base: .folder("/l"), isArray: true)
        #expect(array.events("[{\"a\":{\"b\":\"c.png\"}}, [\"d.png\"]]") == [entry("/l/c.png"), entry("/l/d.png")])
    }

    @Test func `a scalar that ends in a bracket does not lose later objects`() {
        #expect(
            events("{\"url\":\"a.png\"}\nx]\n{\"url\":\"b.png\"}") == [
                entry("/l/a.png"), .rejected(line: 2, reason: "not valid JSON at byte 1"), entry("/l/b.png", line: 3),
            ])
    }

    @Test func `an object that is too long is reported and the next is read`() {
        let text = "{\"a\":\"" + String(repeating: "x", count: 5 << 20) + "\"}\n{\"url\":\"b.png\"}\n"
        let reason = "the JSON value is longer than 4 MiB; to extract a list in it: jq -c '.NAME[]'"
        #expect(events(text) == [.rejected(line: 1, reason: reason), entry("/l/b.png", line: 2)])
    }
}
