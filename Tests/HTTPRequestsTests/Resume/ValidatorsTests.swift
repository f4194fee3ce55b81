import Testing

@testable import AlcedoHTTPRequests

@Suite(.timeLimit(.minutes(1)))
struct ValidatorsTests {
    @Test func `at least one validator is required`() {
        #expect(Validators(etag: nil, lastModified: nil) == nil)
        #expect(Validators(etag: "\"1\"", lastModified: nil) != nil)
    }

    @Test func `both validators are sent as conditions`() throws {
        let both = try #require(Validators(etag: "W/\"1\"", lastModified: "then"))
        #expect(both.conditions.map(\.name) == ["if-none-match", "if-modified-since"])
        #expect(both.conditions.map(\.value) == ["W/\"1\"", "then"])
    }

    @Test(arguments: [
        ("\"1\"", true), ("\"\"", true), ("W/\"1\"", false), ("1", false), ("\"", false), ("", false),
        ("\"a\"b\"", false),
    ])
    func `only a quoted ETag without W/ is strong`(etag: String, isStrong: Bool) {
        #expect(Validators.isStrong(etag) == isStrong)
    }
}
