import Foundation
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

@Suite(.timeLimit(.minutes(1)))
struct RedirectRulesTests {
    private func next(
        from address: String, to location: String?, soFar: Int = 0, limits: DownloadLimits = DownloadLimits()
    ) throws -> DownloadRequest {
        let request = DownloadRequest.picture(
            try #require(URL(string: address)), headers: [HeaderField(name: "Cookie", value: "secret")])
        return try RedirectRules.next(after: request, location: location, redirectsSoFar: soFar, limits: limits)
    }

    @Test(arguments: [
        ("http://h/a/b", "http://h/c", "http://h/c"), ("http://h/a/b", "c?d", "http://h/a/c?d"),
        ("http://h/a/b", "/c", "http://h/c"), ("http://h/a", "//g/c", "http://g/c"),
        ("http://h/a", "?x", "http://h/a?x"),
        ("http://h/a", "https://h/a", "https://h/a"), ("http://h/a", "http://h/u/../x.jpg", "http://h/x.jpg"),
        ("http://h/a/b", "sp ace.jpg", "http://h/a/sp%20ace.jpg"), ("http://h/a/b", "../../x", "http://h/x"),
    ])
    func `the target is resolved against the address`(address: String, location: String, target: String) throws {
        #expect(try next(from: address, to: location).url.absoluteString == target)
    }

    @Test(arguments: [
        ("http://h/a", "http://h/b", true), ("http://h/a", "http://H:80/b", true),
        ("http://h/a", "http://h:81/b", false),
        ("http://h/a", "http://g.h/b", false), ("http://h/a", "https://h/b", false),
        ("https://h/a", "https://h:443/", true),
    ])
    func `headers are kept only for the same origin`(address: String, location: String, isKept: Bool) throws {
        #expect(try next(from: address, to: location).headers.isEmpty == !isKept)
    }

    @Test(arguments: [
        ("http://u:p@h/a", "http://h/b", "http://u:p@h/b"), ("http://u:p@h/a", "/b", "http://u:p@h/b"),
        ("http://u:p@h/a", "http://g/b", "http://g/b"), ("http://h/a", "http://x:y@h/b", "http://h/b"),
        ("http://u:p@h/a", "http://x:y@g/b", "http://g/b"), ("http://u:p%40@h/a", "/b", "http://u:p%40@h/b"),
    ])
    func `credentials are kept only for the same origin, and those in a target are never used`(
        address: String, location: String, target: String
    ) throws {
        #expect(try next(from: address, to: location).url.absoluteString == target)
    }

    @Test(arguments: [
        ("file:///etc/passwd", "file"), ("ftp://h/a", "ftp"), ("data:image/png;base64,AAAA", "data"),
        ("javascript:alert(1)", "javascript"), ("unix:/run/x", "unix"),
    ])
    func `other schemes are refused by name`(location: String, scheme: String) {
        #expect(throws: DownloadError.response(.redirect(.toScheme(scheme)))) {
            try next(from: "http://h/a", to: location)
        }
    }

    @Test func `a redirect from https to http is refused unless allowed`() throws {
        #expect(throws: DownloadError.response(.redirect(.toInsecure))) {
            try next(from: "https://h/a", to: "http://h/a")
        }
        var limits = DownloadLimits()
        limits.allowsDowngrade = true
        #expect(try next(from: "https://h/a", to: "http://h/a", limits: limits).url.scheme == "http")
    }

    @Test(arguments: [nil, "", "http://", "https:///path"])
    func `a redirect without a valid target is refused`(location: String?) {
        let error = #expect(throws: DownloadError.self) { try next(from: "http://h", to: location) }
        if location != "" { #expect(error == .response(.redirect(.missingLocation))) }
    }

    @Test func `the limit counts the redirects followed`() throws {
        _ = try next(from: "http://h/a", to: "/b", soFar: 9)
        #expect(throws: DownloadError.response(.redirect(.tooMany(limit: 10)))) {
            try next(from: "http://h/a", to: "/b", soFar: 10)
        }
    }

    @Test func `validators are kept across a redirect`() throws {
        var request = DownloadRequest.picture(try #require(URL(string: "http://h/a")))
        request.validators = Validators(etag: "\"1\"", lastModified: nil)
        let next = try RedirectRules.next(
            after: request, location: "http://g/b", redirectsSoFar: 0, limits: DownloadLimits())
        #expect(next.id == request.id)
        #expect(next.validators == request.validators)
    }

    @Test(arguments: ["http://h/a%0d%0aX-Evil:1", "http://h/a b", "http://h/\u{0}"])
    func `unsafe characters in a target are encoded`(location: String) throws {
        guard let target = try? next(from: "http://h/", to: location) else { return }
        let text = target.url.absoluteString.utf8
        #expect(text.allSatisfy { $0 > 0x20 && $0 < 0x7F })
    }

    @Test func `a target of 100 KB is accepted`() throws {
        let long = "/" + String(repeating: "a", count: 100_000)
        #expect(try next(from: "http://h/a", to: long).url.path().count == 100_001)
    }
}
