import TestSupport
import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct PlainTextParserTests {
    @Test func `a caption after an address is its title, not an alternative`() {
        var parser = PlainTextParser(base: .folder("/lists"))
        let found = parser.events("http://a/1\ta cat sitting\thttp://b/1\nhttp://a/2\tkitten\nb.png\tc d\n")
        var (first, second) = (ListEntry(line: 1, location: "http://a/1"), ListEntry(line: 2, location: "http://a/2"))
        (first.title, first.alternatives, second.title) = ("a cat sitting", ["http://b/1"], "kitten")
        var third = ListEntry(line: 3, location: "/lists/b.png")
        third.alternatives = ["/lists/c d"]
        #expect(found == [.entry(first), .entry(second), .entry(third)])
    }

    @Test(arguments: ["\"http://a/1.png\"", "<http://a/1.png>", "'http://a/1.png'"])
    func `quotes and brackets around an address are removed`(line: String) {
        var parser = PlainTextParser(base: .folder("/lists"))
        #expect(parser.events(line) == [.entry(ListEntry(line: 1, location: "http://a/1.png"))])
    }

    @Test(arguments: ["see http://a/1.png", "1.http://a/1.png", "-http://a/1.png"])
    func `an address after other text is rejected`(line: String) {
        var parser = PlainTextParser(base: .folder("/lists"))
        #expect(parser.events(line) == [.rejected(line: 1, reason: "there is text before the address")])
    }

    @Test(arguments: [
        ("http://a/sp ace.jpg", "http://a/sp%20ace.jpg"), ("http://a/b c/d e.jpg?w=1", "http://a/b%20c/d%20e.jpg?w=1"),
        ("http://a/x?file=my cat.jpg", "http://a/x?file=my%20cat.jpg"), ("\"http://a/my cat\"", "http://a/my%20cat"),
        ("<http://a/my cat>", "http://a/my%20cat"),
        ("http://a/My Photos - 2020.JPG", "http://a/My%20Photos%20-%202020.JPG"),
        ("http://a/1%20 2.png", "http://a/1%20%202.png"), ("http://a/2\u{A0}3.png", "http://a/2%C2%A03.png"),
    ])
    func `a blank is part of an address if no other address can follow it`(line: String, url: String) {
        #expect(events(line) == [.entry(ListEntry(line: 1, location: url))])
    }

    @Test(arguments: [
        ("http://a/1 my comment", "a space in a URL; write it as %20"),
        ("http://a/1.jpg my cat.jpg", "a space in a URL; write it as %20"),
        ("http://a/my cat.jpg my dog", "a space in a URL; write it as %20"),
        ("http://a/1.jpg http://b/2.jpg", "two addresses in a line; write a TAB between them"),
        ("http://a/1 https://b/2.jpg", "two addresses in a line; write a TAB between them"),
        ("http://a b/2.jpg", "the host name contains characters that are not allowed"),
        ("\"http://a/1\" \"http://a/2\"", "there is text before the address"),
    ])
    func `an ambiguous blank in an address is rejected with a reason`(line: String, reason: String) {
        #expect(events(line) == [.rejected(line: 1, reason: reason)])
    }

    @Test(arguments: [
        ("http://a/1 # a comment", "http://a/1"), ("http://a/1.jpg #2 http://b/2", "http://a/1.jpg"),
        ("http://a/my cat.jpg # a cat.jpg", "http://a/my%20cat.jpg"), ("http://a/1#top # x", "http://a/1#top"),
        ("<http://a/my cat> # x", "http://a/my%20cat"), ("\"http://a/1\"  #x", "http://a/1"),
        ("http://a/1\t# a comment", "http://a/1"), ("http://a/1\t#\tx", "http://a/1"), ("a.png # x", "/lists/a.png"),
        ("shot #1.png", "/lists/shot #1.png"), ("a # b.png", "/lists/a # b.png"), ("a.png #2", "/lists/a.png #2"),
        ("file:///a%20b.png # x", "/a b.png"), ("data:image/png,AA # x", "data:image/png,AA"),
    ])
    func `a comment may follow an address`(line: String, location: String) {
        #expect(events(line) == [.entry(ListEntry(line: 1, location: location))])
    }

    @Test(arguments: [
        "- http://a/1", "* http://a/1", "+  http://a/1", "1. http://a/1", "12) http://a/1", "- <http://a/1>",
        "  - http://a/1 # x", "-\thttp://a/1",
    ])
    func `a bullet or number before an address is ignored`(line: String) {
        #expect(events(line) == [.entry(ListEntry(line: 1, location: "http://a/1"))])
        #expect(events("- a.png") == [.entry(ListEntry(line: 1, location: "/lists/- a.png"))])
    }

    @Test func `relative addresses with a web base follow the same rule for blanks`() {
        var parser = PlainTextParser(base: .web("http://a/b/"))
        #expect(
            parser.events("my cat.png\n1.png 2.png\n") == [
                .entry(ListEntry(line: 1, location: "http://a/b/my%20cat.png")),
                .rejected(line: 2, reason: "a space in a URL; write it as %20"),
            ])
    }

    private func events(_ text: String) -> [ListEvent] {
        var parser = PlainTextParser(base: .folder("/lists"))
        var events: [ListEvent] = []
        parser.feed(Array(text.utf8), into: &events)
        parser.finish(isTruncated: false, into: &events)
        return events
    }

    @Test func `URLs and paths are entries with their line numbers`() {
        let found = events("# pictures\n\nhttps://example.org/a.png#top\n  birds/b.png  \n/abs/c.png")
        #expect(
            found == [
                .entry(ListEntry(line: 3, location: "https://example.org/a.png#top")),
                .entry(ListEntry(line: 4, location: "/lists/birds/b.png")),
                .entry(ListEntry(line: 5, location: "/abs/c.png")),
            ])
    }

    @Test func `locations after a tab are alternatives`() {
        let found = events("http://a.example/1.png\thttp://b.example/1.png\t \t./1.png\n")
        let expected = ListEntry(
            line: 1, location: "http://a.example/1.png", alternatives: ["http://b.example/1.png", "/lists/1.png"])
        #expect(found == [.entry(expected)])
    }

    @Test func `a caption before an address is its title`() {
        let found = events("a dog\thttp://a.example/1.png\ndog\t7\thttp://a.example/2.png\nx.png\thttp://b/1.png\n")
        #expect(
            found == [
                .entry(ListEntry(line: 1, location: "http://a.example/1.png", title: "a dog")),
                .entry(ListEntry(line: 2, location: "http://a.example/2.png", title: "dog")),
                .entry(ListEntry(line: 3, location: "/lists/x.png", alternatives: ["http://b/1.png"])),
            ])
    }

    @Test func `a bad alternative is reported and the entry is kept`() {
        let found = events("http://a.example/1.png\tftp://b.example/1.png\n")
        #expect(found.count == 2)
        let reason = "alternative 1: the scheme ftp is not one of http, https, file, data"
        #expect(found.first == .warning(line: 1, reason: reason))
        #expect(found.last == .entry(ListEntry(line: 1, location: "http://a.example/1.png")))
    }

    @Test func `if the first location is unusable the next address is used`() {
        let lines = [
            "ftp://a/1.png\thttp://b/1.png\thttp://c/1.png", "http://a/2 3\tftp://b/",
            "http://a/4 5\tA caption",
            "ftp://a/6.png\t640\t480",
        ]
        let found = events(lines.joined(separator: "\n"))
        var entry = ListEntry(line: 1, location: "http://b/1.png")
        entry.alternatives = ["http://c/1.png"]
        #expect(found.contains(.entry(entry)))
        #expect(found.count(where: { if case .entry = $0 { true } else { false } }) == 1)
        #expect(found.count(where: { if case .rejected = $0 { true } else { false } }) == 3)
    }

    @Test func `an entry is returned before the next line is complete, unless that may be an option`() {
        for (rest, isGiven) in [("http://a/2", true), (" out", false), ("# a", false)] {
            var parser = PlainTextParser(base: .folder("/lists"))
            var events: [ListEvent] = []
            parser.feed(Array("http://a/1.png\n\(rest)".utf8), into: &events)
            #expect(events.isEmpty == !isGiven, "\(rest)")
        }
    }

    @Test func `an indented line is not an entry in a list with options`() {
        let digest = String(repeating: "0", count: 64)
        let found = events("http://a/1.png\n  out=x\n  nonsense\n  sha256=\(digest)\n  http://a/2.png\n")
        var first = ListEntry(line: 1, location: "http://a/1.png", title: "x")
        first.sha256 = digest
        #expect(
            found == [
                .warning(line: 3, reason: "an indented line that is not an option: KEY=VALUE"), .entry(first),
                .entry(ListEntry(line: 5, location: "http://a/2.png")),
            ])
    }

    @Test func `indented options belong to the entry above`() {
        let found = events("http://a.example/1.png\n  out=First light\n  Split=http://a.example/?x=1\nb.png\n")
        let first = ListEntry(line: 1, location: "http://a.example/1.png", title: "First light")
        #expect(found == [.entry(first), .entry(ListEntry(line: 4, location: "/lists/b.png"))])
    }

    @Test func `indented fields and their aria2 names belong to the entry`() {
        let digest = String(repeating: "AB", count: 32)
        let found = events(
            """
            a.png
             header=Authorization: Bearer x:y
             referer=http://a.example/
             checksum=sha-256=\(digest)
             low-data=small/a.png
             ttl=2h
             tags=sea|sky
             pin=true
            """)
        var entry = ListEntry(line: 1, location: "/lists/a.png")
        entry.headers = [
            ListHeader(name: "Authorization", value: "Bearer x:y"),
            ListHeader(name: "Referer", value: "http://a.example/"),
        ]
        entry.sha256 = digest.lowercased()
        entry.lowData = "/lists/small/a.png"
        entry.timeToLive = .seconds(7200)
        entry.tags = ["sea", "sky"]
        entry.pin = true
        #expect(found == [.entry(entry)])
    }

    @Test(arguments: [
        " http-user=me\n http-passwd=x:y", " http-passwd=x:y\n http-user=me",
        " header=authorization: Bearer z\n http-user=me\n http-passwd=x:y",
    ])
    func `a user and a password become basic credentials`(options: String) {
        guard case .entry(let entry) = events("http://a.example/1.png\n\(options)\n").first else {
            Issue.record("no entry")
            return
        }
        // "me:x:y" in base 64
        #expect(entry.headers == [ListHeader(name: "Authorization", value: "Basic bWU6eDp5")])
    }

    @Test func `the last credentials are used`() {
        let found = events("http://a.example/1.png\n http-user=me\n header=Authorization: Bearer z\n")
        guard case .entry(let entry) = found.first else {
            Issue.record("no entry")
            return
        }
        #expect(entry.headers == [ListHeader(name: "Authorization", value: "Bearer z")])
    }

    @Test func `an unsupported digest is reported`() {
        let found = events("a.png\n checksum=md5=00\n checksum=sha-1=00")
        #expect(found.count == 3)
        #expect(found.contains(.entry(ListEntry(line: 1, location: "/lists/a.png"))))
    }

    @Test func `a bad option is reported with its own line and the entry is kept`() {
        let found = events("a.png\n  priority=2\n")
        #expect(
            found == [
                .warning(line: 2, reason: "priority must be a number from 0 to 1"),
                .entry(ListEntry(line: 1, location: "/lists/a.png")),
            ])
    }

    @Test func `a truncated last line is dropped and the entry before it is kept`() {
        var parser = PlainTextParser(base: .folder("/lists"))
        var events: [ListEvent] = []
        parser.feed(Array("a.png\nhttp://a.exa".utf8), into: &events)
        parser.finish(isTruncated: true, into: &events)
        #expect(events == [.entry(ListEntry(line: 1, location: "/lists/a.png"))])
    }

    @Test func `relative locations are resolved against a web base`() {
        var parser = PlainTextParser(base: .web("http://a.example/b/page.html"))
        var events: [ListEvent] = []
        parser.feed(Array("1.png\thttp://c.example/1.png\n/2.png\n".utf8), into: &events)
        parser.finish(isTruncated: false, into: &events)
        #expect(
            events == [
                .entry(
                    ListEntry(
                        line: 1, location: "http://a.example/b/1.png", alternatives: ["http://c.example/1.png"])),
                .entry(ListEntry(line: 2, location: "http://a.example/2.png")),
            ])
    }

    @Test func `an indented option without an entry is rejected`() {
        #expect(events("  out=x\n") == [.rejected(line: 1, reason: "an indented option with no entry above it")])
    }

    @Test func `an option below a bad line does not apply to the entry before it`() {
        let found = events("a.png\nhttp://\n  out=wrong\n")
        #expect(found.first == .entry(ListEntry(line: 1, location: "/lists/a.png")))
        #expect(found.count == 3)
    }

    @Test func `the number of options of an entry is limited`() {
        let pairs = (0..<70).map { "  header=Key\($0): v\n" }.joined()
        let found = events("a.png\n" + pairs)
        guard case .entry(let entry) = found.last else {
            Issue.record("no entry")
            return
        }
        #expect(entry.headers.count == 64)
        #expect(found.count == 1 + 70 - 64)
        #expect(found.first == .warning(line: 66, reason: "more than 64 headers"))
    }

    @Test func `an indented URL with a query is an entry`() {
        let entry = ListEntry(line: 1, location: "http://a.example/?id=1")
        #expect(events("  http://a.example/?id=1\n") == [.entry(entry)])
    }

    @Test func `a malformed line is rejected and reading continues`() {
        let found = events("http://\nb.png\n")
        #expect(found.first == .rejected(line: 1, reason: "a URL without a host"))
        #expect(found.last == .entry(ListEntry(line: 2, location: "/lists/b.png")))
    }

    @Test func `random bytes give at most one event per line and tab`() {
        var random = SeededRandom(seed: 0x2545_F491_4F6C_DD1D)
        var parser = PlainTextParser(base: .folder("/"))
        var events: [ListEvent] = []
        let bytes = (0..<200_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        parser.feed(bytes, into: &events)
        parser.finish(isTruncated: false, into: &events)
        #expect(!events.isEmpty)
        #expect(events.count <= bytes.count { $0 == 10 || $0 == 9 } + 1)
    }
}
