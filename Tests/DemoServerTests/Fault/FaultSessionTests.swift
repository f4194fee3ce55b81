import Testing

@testable import DemoServer

@Suite struct FaultSessionTests {
    @Test func headEndsAtTheFirstBlankLineAndTheRestStays() {
        var pending = Array("GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b".utf8)
        #expect(FaultSession.extractHead(from: &pending) == "GET /a HTTP/1.1\r\nHost: x")
        #expect(pending == Array("GET /b".utf8))
        #expect(FaultSession.extractHead(from: &pending) == nil)
    }

    @Test(arguments: ["", "\r", "\r\n\r"])
    func unfinishedHeadIsLeft(text: String) {
        var pending = Array(text.utf8)
        #expect(FaultSession.extractHead(from: &pending) == nil)
        #expect(pending == Array(text.utf8))
    }
}
