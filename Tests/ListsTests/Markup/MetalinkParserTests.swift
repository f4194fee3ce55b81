import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct MetalinkParserTests {
    private func events(_ text: String, pieces: Int = .max) -> [ListEvent] {
        var parser = MetalinkParser(base: .folder("/l"))
        return parser.events(text, pieces: pieces)
    }

    @Test(arguments: [1, .max])
    func `a file is an entry with its mirrors by priority, and its digest`(pieces: Int) {
        let digest = String(repeating: "0a", count: 32)
        let found = events(
            """
            <?xml version="1.0"?><metalink xmlns="urn:ietf:params:xml:ns:metalink">
            <file name="a.jpg"><size>9</size><hash type="sha-256">\(digest.uppercased())</hash>
            <pieces type="sha-256"><hash>x</hash></pieces>
            <url priority="2">http://m/a.jpg?x=1&amp;y=2</url><url priority="1">http://b/a</url></file>
            <file name="program.iso"><url>http://b/program.iso</url></file></metalink>
            """, pieces: pieces)
        var entry = ListEntry(
            line: 2, location: "http://b/a", title: "a.jpg", alternatives: ["http://m/a.jpg?x=1&y=2"])
        entry.sha256 = digest
        #expect(found == [.entry(entry)])
    }

    @Test func `the preference of version 3 counts, and a wrong digest does not`() {
        let found = events(
            """
            <metalink version="3.0"><files><file name="a.png"><verification><hash type="sha256">12</hash></verification>
            <resources><url preference="-9223372036854775807">http://c/a.png</url><url>ftp://f/a.png</url>
            <url type="bittorrent" preference="100">http://t/a.torrent</url><url preference="10">http://b/a.png</url><url preference="90">http://m/a.png</url></resources>
            </file></files></metalink>
            """)
        #expect(
            found == [
                .entry(
                    ListEntry(
                        line: 1, location: "http://m/a.png", title: "a.png",
                        alternatives: ["http://b/a.png", "http://c/a.png"]))
            ])
    }

    @Test func `a file that breaks off is told`() {
        var parser = MetalinkParser(base: .folder("/l"))
        #expect(parser.events("<metalink><file name='a.jpg'><url>http://a/a.jpg").isEmpty)
        #expect(parser.truncation != nil && parser.emptyReason != nil)
    }
}
