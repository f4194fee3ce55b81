import Testing

@testable import AlcedoDemoServer

@Suite(.timeLimit(.minutes(1))) struct DemoRequestTests {
    @Test func `a request head is parsed into method, target and case-insensitive fields`() throws {
        let request = try #require(DemoRequest(head: "GET /a?b HTTP/1.1\r\nRange:bytes=1-\r\nx:\t y z \r\nX: 2\r\nE:"))
        #expect(request.method == "GET")
        #expect(request.target == "/a?b")
        #expect(request.fields["range"] == ["bytes=1-"])
        #expect(request.fields["X"] == ["y z", "2"])
        #expect(request.fields["e"] == [""])
        #expect(request.fields["none"] == [])
    }

    @Test(arguments: [
        "", "GET", "GET /", "GET / HTTP/2.0", "GET  HTTP/1.1", " / HTTP/1.1", "GET / x HTTP/1.1", "GET / HTTP/1.1\r\nx",
        "GET / HTTP/1.1\r\n: x", "\u{16}\u{3}\u{1}",
    ])
    func `an invalid request head is refused`(head: String) {
        #expect(DemoRequest(head: head) == nil)
    }

    @Test(arguments: [
        ("HTTP/1.1", true), ("HTTP/1.1\r\nConnection: x, Close", false), ("HTTP/1.0", false),
        ("HTTP/1.0\r\nConnection: Keep-Alive", true), ("HTTP/1.1\r\nContent-Length: 0", true),
        ("HTTP/1.1\r\nContent-Length: 1", false), ("HTTP/1.1\r\nTransfer-Encoding: chunked", false),
    ])
    func `version and fields decide whether the connection is kept alive`(end: String, isKept: Bool) throws {
        #expect(try #require(DemoRequest(head: "GET / \(end)")).isKeepAlive == isKept)
    }
}
