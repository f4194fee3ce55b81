import Testing

@testable import DiskCache
@testable import HTTPDownload
@testable import ImageCodecs
@testable import ImageLoading

/// Heads that servers send in other forms than the parser reads.
@Suite(.timeLimit(.minutes(1)))
struct ResponseHeadTests {
    private func rewritten(_ head: String) -> String? {
        ResponseHead.rewritten(Array(head.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nA: b\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",
    ])
    func `a head in the usual form is left as it is`(head: String) {
        #expect(rewritten(head) == nil)
        #expect(ResponseHead.length(in: Array(head.utf8)) == head.utf8.count)
    }

    @Test(
        arguments: [
            ("HTTP/1.1 200 OK\nA: b\n\n", "HTTP/1.1 200 OK\r\nA: b\r\n\r\n"),
            ("HTTP/1.1 200 OK\r\nA: b\nC: d\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b\r\nC: d\r\n\r\n"),
            ("HTTP/1.1 200 OK\r\nA: b\r\n\n", "HTTP/1.1 200 OK\r\nA: b\r\n\r\n"),
            ("HTTP/1.1 200 OK\r\nA: b \r\n \t c\r\n\td\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b c d\r\n\r\n"),
            (
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nA: b\r\ncontent-length:5\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nA: b\r\n\r\n"
            ),
            ("HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"),
        ])
    func `bare line feeds, folded fields and equal lengths are put right`(head: String, expected: String) {
        #expect(rewritten(head) == expected)
        #expect(ResponseHead.length(in: Array((head + "body\n\n").utf8)) == head.utf8.count)
    }

    @Test(
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 5, 6\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: x, x\r\n\r\n",
            "HTTP/1.1 200 OK\r\n folded: status\r\n\r\n",
        ])
    func `what makes no sense is left for the parser to refuse`(head: String) {
        #expect(rewritten(head) == nil)
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n\r"])
    func `a head without its empty line has no length yet`(head: String) {
        #expect(ResponseHead.length(in: Array(head.utf8)) == nil)
    }

    @Test(arguments: [
        ("HTTP/1.1 100 Continue", true), ("HTTP/1.1 103 ", true), ("HTTP/1.1 101 X", false), ("HTTP/1.1 200 OK", false),
        ("x", false),
    ])
    func `an informational head announces another one`(line: String, isInformational: Bool) {
        #expect(ResponseHead.isInformational(Array("\(line)\r\n\r\n".utf8)) == isInformational)
    }
}
