import Foundation
import Testing

@testable import ImageLoading

/// The cookies of one chain of redirects.
struct ChainCookiesTests {
    private func field(after fields: [String], from origin: String = "http://h/a", at address: String = "http://h/b")
        throws -> String?
    {
        var cookies = ChainCookies()
        for field in fields { cookies.take([field], from: try #require(URL(string: origin))) }
        return cookies.field(for: try #require(URL(string: address)))
    }

    @Test(
        arguments: [
            ([], nil), (["a=1"], "a=1"), (["a=1; Path=/x; HttpOnly", "b = 2 "], "a=1; b=2"), (["a=1", "a=2"], "a=2"),
            (["a=b=c=="], "a=b=c=="), (["a="], "a="), (["a", "=1", "", ";"], nil), (["a=\u{1B}[2J", "b=é"], nil),
            (["a=1", "a=1; Max-Age=0"], nil), (["a=1; max-age=-5"], nil), (["a=1; Max-Age=60"], "a=1"),
        ] as [([String], String?)])
    func `what was set is sent`(fields: [String], expected: String?) throws {
        #expect(try field(after: fields) == expected)
    }

    @Test(arguments: ["http://g/b", "http://h:81/b", "https://h/b", "http://x.h/b"])
    func `another origin gets none, whatever its domain says`(address: String) throws {
        #expect(try field(after: ["a=1; Domain=h"], at: address) == nil)
    }

    @Test func `a server can set no more than servers take`() throws {
        let many = (0..<30).map { "n\($0)=1" }
        #expect(try field(after: many)?.split(separator: ";").count == 20)
        let long = String(repeating: "x", count: 4_000)
        #expect(try field(after: ["a=\(long)", "b=\(long)", "c=1"]) == "a=\(long); c=1")
    }
}
