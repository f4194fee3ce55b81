import Foundation
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

/// The cookies that servers set, for their own hosts.
@Suite(.timeLimit(.minutes(1)))
struct CookieJarTests {
    private func field(
        after fields: [String], from origin: String = "http://h/a", at address: String = "http://h/b", now: Int64 = 100
    ) throws -> String? {
        let jar = CookieJar()
        for field in fields { jar.store([field], from: try #require(URL(string: origin)), at: 100) }
        return jar.field(for: try #require(URL(string: address)), at: now)
    }

    @Test(
        arguments: [
            ([], nil), (["a=1"], "a=1"), (["a=1; Path=/; HttpOnly", "b = 2 "], "a=1; b=2"), (["a=1", "a=2"], "a=2"),
            (["a=b=c=="], "a=b=c=="), (["a="], "a="), (["a", "=1", "", ";"], nil), (["a=\u{1B}[2J", "b=é"], nil),
            (["a=1", "a=1; Max-Age=0"], nil), (["a=1; max-age=-5"], nil), (["a=1; Max-Age=60"], "a=1"),
            (["a=1", "a=1; Expires=Thu, 01-Jan-1970 00:00:01 GMT"], nil),
            (["a=1; Expires=Thu, 01 Jan 1970 00:00:01 GMT; Max-Age=60"], "a=1"),
            (["a=1; Expires=Thu, 01 Jan 2099 00:00:00 GMT"], "a=1"), (["a=1; Expires=soon"], "a=1"),
        ] as [([String], String?)])
    func `a stored cookie is sent until it expires`(fields: [String], expected: String?) throws {
        #expect(try field(after: fields) == expected)
    }

    @Test func `a cookie expires during the session`() throws {
        #expect(try field(after: ["a=1; Max-Age=60"], now: 159) == "a=1")
        #expect(try field(after: ["a=1; Max-Age=60"], now: 160) == nil)
        #expect(try field(after: ["a=1; Max-Age=9223372036854775807"], now: 160) == "a=1")
    }

    @Test(arguments: ["http://g/b", "http://h:81/b", "http://x.h/b", "http://h.x/b"])
    func `a cookie is not sent to another host, whatever its domain`(address: String) throws {
        #expect(try field(after: ["a=1; Domain=h"], at: address) == nil)
        #expect(try field(after: ["a=1; Domain=x"], from: "http://h.x/a", at: "http://g.x/b") == nil)
    }

    @Test(
        arguments: [
            ("http://h/x/y/a", "a=1", "http://h/x/y/b", true), ("http://h/x/y/a", "a=1", "http://h/x/b", false),
            ("http://h/x/y/a", "a=1; Path=/x", "http://h/x/b", true),
            ("http://h/a", "a=1; Path=/x", "http://h/xy", false),
            ("http://h/a", "a=1; Path=/x/", "http://h/x/y", true), ("http://h/a", "a=1; Path=x", "http://h/y/z", true),
            ("http://h/a", "a=1; Path=/x", "http://h/x", true), ("http://h", "a=1", "http://h", true),
        ])
    func `a cookie is sent to its path and below`(origin: String, set: String, address: String, isSent: Bool) throws {
        #expect((try field(after: [set], from: origin, at: address) != nil) == isSent)
    }

    @Test func `a secure cookie is sent over https only`() throws {
        #expect(try field(after: ["a=1; Secure"], from: "https://h/a", at: "http://h/b") == nil)
        #expect(try field(after: ["a=1; Secure"], from: "https://h/a", at: "https://h/b") == "a=1")
        #expect(try field(after: ["a=1"], from: "https://h/a", at: "http://h/b") == "a=1")
    }

    @Test func `cookies with the longest path come first`() throws {
        #expect(
            try field(after: ["a=1; Path=/", "b=2; Path=/x/y", "c=3; Path=/x"], at: "http://h/x/y") == "b=2; c=3; a=1")
    }

    @Test func `number and size of the cookies of a host are limited`() throws {
        let many = (0..<30).map { "n\($0)=1" }
        #expect(try field(after: many)?.split(separator: ";").count == 20)
        let long = String(repeating: "x", count: 4_000)
        #expect(try field(after: ["a=\(long)", "b=\(long)", "c=1"]) == "a=\(long); c=1")
    }

    @Test func `cookies of many hosts are dropped, those of the user's file are not`() throws {
        let jar = CookieJar(try CookieFile("h\tFALSE\t/\tFALSE\t0\tmine\t1"))
        for host in 0..<3_001 { jar.store(["a=1"], from: try #require(URL(string: "http://h\(host)/")), at: 0) }
        #expect(jar.field(for: try #require(URL(string: "http://h0/")), at: 0) == nil)
        #expect(jar.field(for: try #require(URL(string: "http://h3000/")), at: 0) == "a=1")
        #expect(jar.field(for: try #require(URL(string: "http://h/")), at: 0) == "mine=1")
    }

    @Test func `a cookie set by a server replaces the same cookie of the file`() throws {
        let jar = CookieJar(try CookieFile(".h.x\tTRUE\t/\tFALSE\t0\tid\told\n.h.x\tTRUE\t/\tFALSE\t0\tb\t2"))
        let url = try #require(URL(string: "http://a.h.x/p"))
        #expect(jar.field(for: url, at: 0) == "id=old; b=2")
        jar.store(["id=new; Path=/"], from: url, at: 0)
        #expect(jar.field(for: url, at: 0) == "b=2; id=new")
    }
}
