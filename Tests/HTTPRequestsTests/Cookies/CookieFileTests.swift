import Foundation
import TestSupport
import Testing

@testable import AlcedoHTTPRequests

/// The file `cookies.txt` of browsers, wget and curl.
@Suite(.timeLimit(.minutes(1)))
struct CookieFileTests {
    private func names(_ text: String, at address: String, now: Int64 = 100) throws -> [String] {
        try CookieFile(text).cookies(for: try #require(URL(string: address)), at: now).map(\.name)
    }

    private func problem(_ text: String) -> CookieProblem? {
        do throws(CookieProblem) {
            _ = try CookieFile(text)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        arguments: [
            ("h.x\tFALSE", "http://h.x/a", true), ("h.x\tFALSE", "http://a.h.x/a", false),
            (".h.x\tTRUE", "http://h.x/a", true), (".h.x\tTRUE", "http://a.b.h.x/a", true),
            ("h.x\tTRUE", "http://a.h.x/a", true), (".h.x\tTRUE", "http://ah.x/a", false),
            (".h.x\tTRUE", "http://h.x.evil/a", false), ("H.X\tFALSE", "http://h.x/a", true),
            ("1.2.3.4\tTRUE", "http://9.1.2.3.4/a", false), (".3.4\tTRUE", "http://1.2.3.4/a", false),
            ("127.0.0.1\tFALSE", "http://127.0.0.1:8080/a", true),
        ])
    func `a cookie is sent to its domain, and to subdomains if the file says so`(
        domain: String, address: String, isSent: Bool
    ) throws {
        #expect(try names("\(domain)\t/\tFALSE\t0\ta\t1", at: address) == (isSent ? ["a"] : []))
    }

    @Test func `path, secure flag and expiry are respected`() throws {
        let text = """
            h\tFALSE\t/x\tFALSE\t0\tpath\t1
            h\tFALSE\t/\tTRUE\t0\tsecure\t1
            h\tFALSE\t/\tFALSE\t100\tgone\t1
            h\tFALSE\t/\tFALSE\t101\tlive\t1
            """
        #expect(try names(text, at: "http://h/") == ["live"])
        #expect(try names(text, at: "https://h/x/y") == ["path", "secure", "live"])
    }

    @Test func `comments, empty lines, CRLF and missing tabs are accepted`() throws {
        let text =
            "# Netscape HTTP Cookie File\r\n\r\n#HttpOnly_h\tFALSE\t/\tFALSE\t0\ta\t1\r\n"
            + "# h\tFALSE\t/\tFALSE\t0\tb\t1\r\nh\tFALSE\t/\tFALSE\t1893456000.5\tc"
        #expect(try names(text, at: "http://h/") == ["a", "c"])
        #expect(try CookieFile("").count == 0)
    }

    @Test func `faults are reported with the line and without its contents`() {
        #expect(problem("# c\nsecret=1; path=/") == .notCookie(line: 2))
        #expect(problem(#"[{"name": "secret"}]"#) == .notCookie(line: 1))
        #expect(problem("h\tFALSE\t/\tFALSE\tsoon\ta\t1") == .notCookie(line: 1))
        #expect(problem("h\tFALSE\t/\tFALSE\t0\ta\t1\u{1B}[2J") == .notCookie(line: 1))
        #expect(problem(".\tFALSE\t/\tFALSE\t0\ta\t1") == .notCookie(line: 1))
        #expect(problem("\u{0}") == .notText)
    }

    @Test func `a missing or binary file is an error`() throws {
        let place = try TemporaryFolder()
        #expect(throws: CookieProblem.self) { try CookieFile(contentsOf: place.url.appending(path: "none")) }
        let binary = URL(filePath: try place.write("binary", [0x6D, 0xFF, 0xFE]))
        #expect(throws: CookieProblem.notText) { try CookieFile(contentsOf: binary) }
    }

    @Test func `a printed cookie file shows no secret`() throws {
        let file = try CookieFile("h\tFALSE\t/\tFALSE\t0\tid\tgeheim")
        var dumped = ""
        dump(file, to: &dumped)
        #expect(!"\(file) \(String(reflecting: file)) \(dumped)".contains("geheim"))
    }
}
