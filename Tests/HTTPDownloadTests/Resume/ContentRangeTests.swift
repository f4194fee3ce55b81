import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

@Suite(.timeLimit(.minutes(1)))
struct ContentRangeTests {
    @Test(arguments: [
        ("bytes 0-0/1", 0, 0, 1), ("bytes 5-9/10", 5, 9, 10), ("Bytes  5-9/*", 5, 9, nil), ("bytes 5-9/100", 5, 9, 100),
    ])
    func `a content range is parsed`(field: String, first: Int, last: Int, total: Int?) throws {
        let range = try #require(ContentRange(field))
        #expect(range.first == first)
        #expect(range.last == last)
        #expect(range.total == total)
    }

    @Test(arguments: [
        "", "bytes", "bytes */10", "bytes 9-5/10", "bytes 5-10/10", "bytes 5-9", "bytes 5-9/10/11", "bytes -5-9/10",
        "bytes 5-/10", "items 5-9/10", "bytes 5-9/x", "bytes 5 - 9/10", "bytes 0-9223372036854775808/*",
        "bytes 0-5/9223372036854775808", "bytes=5-9/10", "bytes 5-9/",
    ])
    func `an invalid content range is refused`(field: String) {
        #expect(ContentRange(field) == nil)
    }
}
