import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

/// The lines of heads, as servers send them.
@Suite(.timeLimit(.minutes(1)))
struct ResponseHeadTests {
    private func parsed(_ text: String, answered: Set<Int> = []) -> ResponseHeadParser {
        var parser = ResponseHeadParser(answered: answered)
        for line in text.utf8.split(separator: 10, omittingEmptySubsequences: false).dropLast() {
            (Array(line) + [10]).withUnsafeBytes { _ = parser.add($0) }
        }
        return parser
    }

    @Test(arguments: ["\r\n", "\n"])
    func `status, version and headers are parsed with CRLF and LF`(end: String) throws {
        let parser = parsed("HTTP/1.1 404 Not Found\(end)A:  b \(end)Content-Length:5\(end)\(end)")
        let head = try #require(parser.head)
        #expect(parser.isComplete)
        #expect(head.statusCode == 404)
        #expect(head.version == "HTTP/1.1")
        #expect(head.fields == [HeaderField(name: "A", value: "b"), HeaderField(name: "Content-Length", value: "5")])
        #expect(head.first("content-length") == "5")
        #expect(!head.isMultiplexed)
    }

    @Test func `a status line without a reason is parsed, and HTTP/2 is multiplexed`() {
        #expect(parsed("HTTP/2 200 \r\n\r\n").head?.isMultiplexed == true)
        #expect(parsed("HTTP/1.0 200\r\n\r\n").head?.statusCode == 200)
    }

    @Test func `a folded header is one value`() {
        let head = parsed("HTTP/1.1 200 OK\r\nA: b \r\n \t c\r\n\td\r\n\r\n").head
        #expect(head?.values(of: "a") == ["b c d"])
    }

    @Test func `a line without a colon is ignored`() {
        #expect(parsed("HTTP/1.1 200 OK\r\njunk\r\nA: b\r\n\r\n").head?.fields.count == 1)
    }

    @Test func `interim responses are skipped`() {
        let interim = "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
        #expect(!parsed(interim).isComplete)
        let head = parsed(interim + "HTTP/1.1 200 OK\r\nA: b\r\n\r\n").head
        #expect(head?.statusCode == 200)
        #expect(head?.fields.map(\.name) == ["A"])
    }

    @Test func `a 401 answered by libcurl is not the final head`() {
        let challenge = "HTTP/1.1 401 Unauthorized\r\n\r\n"
        #expect(parsed(challenge).isComplete)
        #expect(!parsed(challenge, answered: [401]).isComplete)
        #expect(parsed(challenge + "HTTP/1.1 200 OK\r\n\r\n", answered: [401]).head?.statusCode == 200)
        #expect(parsed(challenge + challenge, answered: [401]).isComplete)
        var refused = parsed(challenge, answered: [401])
        refused.finish()
        #expect(refused.isComplete)
    }

    @Test func `trailers do not change a complete head`() {
        let head = parsed("HTTP/1.1 200 OK\r\nA: b\r\n\r\nContent-Length: 9\r\n").head
        #expect(head?.fields.map(\.name) == ["A"])
    }

    @Test func `list values are split across all headers`() {
        let head = parsed("HTTP/1.1 200 OK\r\nX: a, b,,\r\nx: c\r\n\r\n").head
        #expect(head?.elements(of: "x") == ["a", "b", "c"])
    }

    @Test func `the head is limited to 256 KiB`() {
        var parser = ResponseHeadParser()
        let line = Array(("A: " + String(repeating: "b", count: 1_019) + "\r\n").utf8)
        let taken = (0..<300).filter { _ in line.withUnsafeBytes { parser.add($0) } }.count
        #expect(taken == 256)
    }
}
