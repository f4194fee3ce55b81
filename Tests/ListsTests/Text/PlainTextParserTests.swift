import Testing

@testable import Lists

/// A repeatable stream of numbers (Marsaglia's xorshift64).
private struct Xorshift: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}

@Suite struct PlainTextParserTests {
    private func events(_ text: String) -> [ListEvent] {
        var parser = PlainTextParser(folder: "/lists")
        var events: [ListEvent] = []
        parser.feed(Array(text.utf8), into: &events)
        parser.finish(into: &events)
        return events
    }

    @Test func urlsAndPathsAreEntriesWithTheirLineNumbers() {
        let found = events("# pictures\n\nhttps://example.org/a.png#top\n  birds/b.png  \n/abs/c.png")
        #expect(
            found == [
                .entry(ListEntry(line: 3, location: "https://example.org/a.png#top")),
                .entry(ListEntry(line: 4, location: "/lists/birds/b.png")),
                .entry(ListEntry(line: 5, location: "/abs/c.png")),
            ])
    }

    @Test func locationsAfterATabAreAlternatives() {
        let found = events("http://a.example/1.png\thttp://b.example/1.png\t \t./1.png\n")
        let expected = ListEntry(
            line: 1, location: "http://a.example/1.png", alternatives: ["http://b.example/1.png", "/lists/1.png"])
        #expect(found == [.entry(expected)])
    }

    @Test func badAlternativeIsToldAndTheEntryStays() {
        let found = events("http://a.example/1.png\tftp://b.example/1.png\n")
        #expect(found.count == 2)
        let reason = "alternative 1: the scheme ftp is not one of http, https, file, data"
        #expect(found.first == .rejected(line: 1, reason: reason))
        #expect(found.last == .entry(ListEntry(line: 1, location: "http://a.example/1.png")))
    }

    @Test func indentedPairsBelongToTheEntryAbove() {
        let found = events("http://a.example/1.png\n  out=First light\n  Referer=http://a.example/?x=1\nb.png\n")
        let first = ListEntry(
            line: 1, location: "http://a.example/1.png", title: "First light",
            options: [ListOption(key: "referer", value: "http://a.example/?x=1")])
        #expect(found == [.entry(first), .entry(ListEntry(line: 4, location: "/lists/b.png"))])
    }

    @Test func indentedPairWithNothingAboveIsRejected() {
        #expect(events("  out=x\n") == [.rejected(line: 1, reason: "an indented option with no entry above it")])
    }

    @Test func pairBelowABadLineDoesNotNameTheEntryBeforeIt() {
        let found = events("a.png\nhttp://\n  out=wrong\n")
        #expect(found.first == .entry(ListEntry(line: 1, location: "/lists/a.png")))
        #expect(found.count == 3)
    }

    @Test func optionsOfAnEntryAreBounded() {
        let pairs = (0..<70).map { "  key\($0)=v\n" }.joined()
        let found = events("a.png\n" + pairs)
        guard case .entry(let entry) = found.last else {
            Issue.record("no entry")
            return
        }
        #expect(entry.options.count == PlainTextParser.optionLimit)
        #expect(found.count == 1 + 70 - PlainTextParser.optionLimit)
    }

    @Test func indentedURLWithAQueryIsAnEntry() {
        let entry = ListEntry(line: 1, location: "http://a.example/?id=1")
        #expect(events("  http://a.example/?id=1\n") == [.entry(entry)])
    }

    @Test func malformedLineIsRejectedAndReadingGoesOn() {
        let found = events("http://\nb.png\n")
        #expect(found.first == .rejected(line: 1, reason: "a URL without a host"))
        #expect(found.last == .entry(ListEntry(line: 2, location: "/lists/b.png")))
    }

    @Test func randomBytesGiveEventsAndNeverMoreThanOnePlusTheTabsOfALine() {
        var random = Xorshift(state: 0x2545_F491_4F6C_DD1D)
        var parser = PlainTextParser(folder: "/")
        var events: [ListEvent] = []
        let bytes = (0..<200_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        parser.feed(bytes, into: &events)
        parser.finish(into: &events)
        #expect(!events.isEmpty)
        #expect(events.count <= bytes.count { $0 == 10 || $0 == 9 } + 1)
    }
}
