import Testing

@testable import AlcedoDemoServer

@Suite(.timeLimit(.minutes(1))) struct HeadBufferTests {
    private func buffer(_ text: String) -> HeadBuffer {
        var buffer = HeadBuffer()
        buffer.append(Array(text.utf8))
        return buffer
    }

    @Test func `a head ends at the first blank line and the rest stays in the buffer`() {
        var buffer = buffer("GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b")
        #expect(buffer.next() == "GET /a HTTP/1.1\r\nHost: x")
        #expect(buffer.rest == Array("GET /b".utf8))
        #expect(buffer.next() == nil)
    }

    @Test(arguments: ["", "\r", "\r\n\r"])
    func `an unfinished head stays in the buffer`(text: String) {
        var buffer = buffer(text)
        #expect(buffer.next() == nil)
        #expect(buffer.rest == Array(text.utf8))
    }

    @Test func `a head longer than the limit is too long`() {
        var buffer = buffer(String(repeating: "a", count: HeadBuffer.limit))
        #expect(!buffer.isTooLong)
        buffer.append([97])
        #expect(buffer.isTooLong)
    }
}
