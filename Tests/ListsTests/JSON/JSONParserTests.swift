import TestSupport
import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct JSONParserTests {
    private func events(_ text: String, pieces: Int = .max, isTruncated: Bool = false) -> [ListEvent] {
        var parser = JSONParser(base: .folder("/lists"), isArray: true)
        return parser.events(text, pieces: pieces, isTruncated: isTruncated)
    }

    private func entry(_ line: Int, _ name: String) -> ListEvent {
        .entry(ListEntry(line: line, location: "/lists/\(name)"))
    }

    private func rejected(_ line: Int, _ fault: ListLine.ReadError) -> ListEvent {
        .rejected(line: line, reason: fault.rawValue)
    }

    @Test(arguments: [1, 2, 3, 7, .max])
    func `elements are read with any line breaks and in any pieces`(pieces: Int) {
        let text = """
            [
              {
                "url": "a.png",
                "more": {"a": ["]}", "\\"\\\\"]}
              },
              {"url": "b.png"}, "c.png",
              "d.png"
            ]

            """
        let expected = [entry(2, "a.png"), entry(6, "b.png"), entry(6, "c.png"), entry(7, "d.png")]
        #expect(events(text, pieces: pieces) == expected)
    }

    @Test(arguments: ["[]", " [ ] \n", "[\n\n]"])
    func `an empty array has no entries`(text: String) {
        #expect(events(text) == [])
    }

    @Test(arguments: [
        ("7", "neither an object nor a string"), ("null", "neither an object nor a string"),
        ("[\"x\"]", "neither an object nor a string"), ("{\"title\":\"x\"}", "no url"),
        ("{\"url\":\"x\",}", "not valid JSON at byte 12"), ("tru", "not valid JSON at byte 4"),
    ])
    func `a bad element is reported and the next is read`(element: String, reason: String) {
        #expect(events("[\(element),\n\"b.png\"]") == [.rejected(line: 1, reason: reason), entry(2, "b.png")])
    }

    @Test func `an element over the limit is rejected and the next is read`() {
        let long = String(repeating: "x", count: 5 << 20)
        let found = events("[{\"url\":\"\(long)\"},\n\"b.png\"]", pieces: 100_000)
        #expect(found == [rejected(1, .elementTooLong), entry(2, "b.png")])
    }

    @Test func `an element that is not UTF-8 is reported`() {
        var parser = JSONParser(base: .folder("/lists"), isArray: true)
        var events: [ListEvent] = []
        parser.feed(Array("[\"".utf8) + [0xFF] + Array("\", \"b.png\"]".utf8), into: &events)
        #expect(events == [rejected(1, .notUTF8), entry(1, "b.png")])
    }

    @Test(arguments: [
        ("\n", "the JSON array has no closing bracket"), ("\n{\"url\"", "the JSON ends within this element"),
        ("]", nil),
    ])
    func `an unterminated array is reported`(rest: String, reason: String?) {
        var parser = JSONParser(base: .folder("/lists"), isArray: true)
        #expect(parser.events("[\"a.png\"," + rest) == [entry(1, "a.png")])
        #expect(parser.truncation == reason.map { Truncation(line: 2, reason: $0) })
    }

    @Test func `several arrays are read, and other text is reported once`() {
        #expect(events("[\"a.png\"]\n[\"b.png\"]") == [entry(1, "a.png"), entry(2, "b.png")])
        #expect(events("[\"a.png\"]\nmore\nand more") == [entry(1, "a.png"), rejected(2, .outsideArray)])
        #expect(
            events("[\"a.png\"]\n{\"url\":\"b.png\",\"tags\":[\"sea\"]}") == [
                entry(1, "a.png"), rejected(2, .outsideArray),
            ])
        #expect(events("# draft [1\n[\"a.png\"]\n# end ]") == [rejected(1, .outsideArray), entry(2, "a.png")])
    }

    @Test func `random bytes give the same result in any pieces`() {
        var random = SeededRandom(seed: 7)
        let alphabet = Array("[]{}\",:\\ \n019tfna".utf8)
        for _ in 0..<500 {
            let bytes = (0..<200).compactMap { _ in alphabet.randomElement(using: &random) }
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(events(text) == events(text, pieces: 3))
        }
    }
}
