import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct JSONLinesParserTests {
    private func events(_ text: String) -> [ListEvent] {
        var parser = JSONLinesParser(base: .folder("/lists"))
        return parser.events(text)
    }

    @Test func `all fields are read`() {
        let digest = String(repeating: "0a", count: 32)
        let found = events(
            """
            {"url":"http://u:p@a.example/1.png","key":"one","title":"First","alternatives":["2.png"],\
            "low_data":"s.png","headers":{"B":"2","A":"1"},"priority":0.9,"ttl":"1d","process":"blur(2)",\
            "sha256":"\(digest.uppercased())","pin":true,"tags":["sea","sky"],"width":100,"more":{"a":[null]}}
            """)
        var entry = ListEntry(
            line: 1, location: "http://u:p@a.example/1.png", title: "First", alternatives: ["/lists/2.png"])
        entry.key = "one"
        entry.lowData = "/lists/s.png"
        entry.headers = [ListHeader(name: "B", value: "2"), ListHeader(name: "A", value: "1")]
        entry.priority = 0.9
        entry.timeToLive = .seconds(86400)
        entry.process = "blur(2)"
        entry.sha256 = digest
        entry.pin = true
        entry.tags = ["sea", "sky"]
        #expect(found == [.entry(entry)])
    }

    @Test func `blank lines, comments and nulls are ignored`() {
        let found = events("# mine\n\n{\"url\":\"a.png\",\"title\":null,\"sha256\":null}\r\n")
        #expect(found == [.entry(ListEntry(line: 3, location: "/lists/a.png"))])
    }

    @Test(arguments: [
        ("{\"url\":", "not valid JSON at byte 8"), ("[1]", "neither an object nor a string"),
        ("1", "neither an object nor a string"),
        ("{\"title\":\"x\"}", "no url"), ("{\"url\":null}", "no url"), ("{\"url\":\"\"}", "no URL and no path"),
        ("{\"sizes\":[1]}", "no url"), ("{\"page\":\"http://a/\"}", "no url"),
        ("{\"a\":{\"title\":\"a.png\"}}", "no url"),
        ("{\"url\":7}", "no URL and no path"), ("{\"url\":[1]}", "url holds a value of the wrong type"),
        ("{\"url\":\"ftp://a/\"}", "the scheme ftp is not one of http, https, file, data"),
        ("{\"url\":\"a\",\"sha256\":\"12\"}", "sha256 must be 64 hexadecimal digits"),
        ("{\"url\":\"a\",\"key\":\" \"}", "key must be a text or a number"),
        (
            "{\"url\":\"a\",\"headers\":{\"Host\":\"b\"}}",
            "headers must be names with values, and none that frames the request"
        ),
        ("{\"url\":\"a\\u0000.png\"}", "the location contains a control character"),
    ])
    func `a bad line is reported and the next is read`(line: String, reason: String) {
        let next = ListEvent.entry(ListEntry(line: 2, location: "/lists/b.png"))
        #expect(events(line + "\n{\"url\":\"b.png\"}\n") == [.rejected(line: 1, reason: reason), next])
    }

    @Test(arguments: [
        ("\"priority\":1.5", "priority must be a number from 0 to 1"),
        ("\"priority\":true", "priority must be a number from 0 to 1"), ("\"pin\":\"x\"", "pin must be true or false"),
        ("\"ttl\":-1", "ttl must be seconds, or a number with s, m, h, d or w"),
        ("\"tags\":[\"a\",1]", "tags holds a value of the wrong type"),
    ])
    func `a bad optional field is reported and the entry is kept`(field: String, reason: String) {
        let entry = ListEvent.entry(ListEntry(line: 1, location: "/lists/a.png"))
        #expect(events("{\"url\":\"a.png\",\(field)}") == [.warning(line: 1, reason: reason), entry])
    }

    @Test func `a bare string is an address`() {
        #expect(events("\"a.png\"\n") == [.entry(ListEntry(line: 1, location: "/lists/a.png"))])
    }

    @Test func `field names ignore case, and numbers are accepted as keys`() {
        var entry = ListEntry(line: 1, location: "/lists/a.png")
        entry.key = "12"
        #expect(events("{\"URL\":\"a.png\",\"TEXT\":\"x\",\"KEY\":12}") == [.entry(entry)])
    }

    @Test func `other names of the address are used unless there is a url`() {
        #expect(events("{\"image_url\":\"a.png\"}") == [.entry(ListEntry(line: 1, location: "/lists/a.png"))])
        #expect(
            events("{\"image_url\":\"a.png\",\"url\":\"b.png\"}")
                == [.entry(ListEntry(line: 1, location: "/lists/b.png"))])
    }

    @Test func `a bad alternative or low-data address is reported and the entry is kept`() {
        let list = "[\"b.png\",\"ftp://a/\",\"c.png\",\"http://\"]"
        let found = events("{\"url\":\"a.png\",\"alternatives\":\(list),\"low_data\":\"http://\"}")
        var entry = ListEntry(line: 1, location: "/lists/a.png")
        entry.alternatives = ["/lists/b.png", "/lists/c.png"]
        #expect(
            found == [
                .warning(
                    line: 1,
                    reason: "alternative 2: the scheme ftp is not one of http, https, file, data; "
                        + "alternative 4: a URL without a host"),
                .warning(line: 1, reason: "low_data: a URL without a host"),
                .entry(entry),
            ])
    }

    @Test func `a truncated last line is dropped`() {
        var parser = JSONLinesParser(base: .folder("/lists"))
        let found = parser.events("{\"url\":\"a.png\"}\n{\"url\":\"b.p", isTruncated: true)
        #expect(found == [.entry(ListEntry(line: 1, location: "/lists/a.png"))])
    }

    @Test func `blanks in an address are encoded`() {
        let found = events("{\"url\":\"http://a/my picture\",\"low_data\":\"http://a/s b\"}")
        var entry = ListEntry(line: 1, location: "http://a/my%20picture")
        entry.lowData = "http://a/s%20b"
        #expect(found == [.entry(entry)])
    }
}
