import Testing

@testable import FaultServer

/// The examples of RFC 7541, appendix C.
@Suite(.timeLimit(.minutes(1))) struct HPACKTests {
    private func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    @Test func `requests with Huffman codes share a table`() throws {
        var decoder = HPACKDecoder()
        let beginning = [HTTP2Field(":method", "GET"), HTTP2Field(":scheme", "http"), HTTP2Field(":path", "/")]
        let host = HTTP2Field(":authority", "www.example.com")
        #expect(try decoder.fields(bytes("8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff")) == beginning + [host])
        #expect(
            try decoder.fields(bytes("8286 84be 5886 a8eb 1064 9cbf")) == beginning + [
                host, HTTP2Field("cache-control", "no-cache"),
            ])
        let last = try decoder.fields(bytes("8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf"))
        #expect(last.last == HTTP2Field("custom-key", "custom-value"))
        #expect(last[3] == host)
    }

    @Test func `fields are encoded and decoded unchanged`() throws {
        let fields = [
            HTTP2Field(":status", "200"), HTTP2Field(":status", "429"), HTTP2Field("content-type", "image/png"),
            HTTP2Field("x-long", String(repeating: "ä", count: 5000)), HTTP2Field("x-empty", ""),
        ]
        var decoder = HPACKDecoder()
        #expect(try decoder.fields(HPACKEncoder.block(fields)) == fields)
    }

    @Test(arguments: ["ff", "80", "be", "41", "0003 61", "ffff ffff ffff ff", "4084 ffff ffff"])
    func `malformed blocks are errors`(hex: String) {
        var decoder = HPACKDecoder()
        #expect(throws: HPACKDecoder.Malformed.self) { try decoder.fields(bytes(hex)) }
    }

    @Test func `a table of size zero stores nothing`() throws {
        var decoder = HPACKDecoder()
        #expect(try decoder.fields(bytes("20 4001 6101 62")) == [HTTP2Field("a", "b")])
        #expect(throws: HPACKDecoder.Malformed.self) { try decoder.fields(bytes("be")) }
    }
}
