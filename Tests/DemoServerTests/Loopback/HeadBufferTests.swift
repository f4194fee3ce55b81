import Testing

@testable import AlcedoDemoServer

@Suite(.timeLimit(.minutes(1))) struct HeadBufferTests {
    private func buffer(_ text: String) -> HeadBuffer {
        var buffer = HeadBuffer()
        buffer.append(Array(text.utf8))
        return buffer
    }

    @Test func `the head ends at the first blank line and the rest stays`() {
        var buffer = buffer("GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b")
        #expect(buffer.next() == "GET /a HTTP/1.1\r\nHost: x")
        #expect(buffer.rest == Array("GET /b".utf8))
        #expect(buffer.next() == nil)
    }

    @Test(arguments: ["", "\r", "\r\n\r"])
    func `an unfinished head is left`(text: String) {
        var buffer = buffer(text)
        #expect(buffer.next() == nil)
        #expect(buffer.rest == Array(text.utf8))
    }

    @Test func `a head has a largest length`() {
        var buffer = buffer(String(repeating: "a", count: HeadBuffer.limit))
        #expect(!buffer.isTooLong)
        buffer.append([97])
        #expect(buffer.isTooLong)
    }
}
