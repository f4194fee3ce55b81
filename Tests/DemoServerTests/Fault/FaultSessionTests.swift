import Testing

@testable import FaultServer

@Suite(.timeLimit(.minutes(1))) struct FaultSessionTests {
    @Test func `the head ends at the first blank line and the rest stays`() {
        var pending = Array("GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b".utf8)
        #expect(FaultSession.extractHead(from: &pending) == "GET /a HTTP/1.1\r\nHost: x")
        #expect(pending == Array("GET /b".utf8))
        #expect(FaultSession.extractHead(from: &pending) == nil)
    }

    @Test(arguments: ["", "\r", "\r\n\r"])
    func `an unfinished head is left`(text: String) {
        var pending = Array(text.utf8)
        #expect(FaultSession.extractHead(from: &pending) == nil)
        #expect(pending == Array(text.utf8))
    }
}
