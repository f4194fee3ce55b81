import Testing

@testable import Lists

@Suite struct LocationTests {
    private func resolved(_ text: String) -> Result<String, LocationFault> {
        Result { () throws(LocationFault) in try Location.resolve(text, from: "/home/birds") }
    }

    @Test(arguments: [
        "http://example.org", "https://user:pass@example.org:8443/a?b#c", "HTTP://EXAMPLE.org/", "http://[::1]:80/x",
        "http://münchen.example/ö.png", "data:image/png;base64,AAAA", "http://example.org:/x",
    ])
    func acceptsWebAndDataURLsAsWritten(url: String) {
        #expect(resolved(url) == .success(url))
    }

    @Test(arguments: [
        ("a.png", "/home/birds/a.png"), ("./a.png", "/home/birds/a.png"), ("../a.png", "/home/birds/../a.png"),
        ("/x/a.png", "/x/a.png"), ("shot: one.png", "/home/birds/shot: one.png"),
        ("file:///x/a%20b.png", "/x/a b.png"), ("file://localhost/x.png", "/x.png"),
    ])
    func pathsAndFileURLsBecomeAbsolutePaths(text: String, path: String) {
        #expect(resolved(text) == .success(path))
    }

    @Test(arguments: [
        ("", LocationFault.empty), ("http:example.org", .noSlashes), ("http://", .noHost), ("http:///x", .noHost),
        ("http://user@/x", .noHost), ("http://a b/x", .space), ("http://a/x y", .space), ("http://a<b>/", .host),
        ("http://[::1/x", .host), ("http://a:0/", .port), ("http://a:65536/", .port), ("http://a:8o/", .port),
        ("http://a:-1/", .port), ("http://a:+1/", .port), ("ftp://a/x", .scheme("ftp")),
        ("javascript:alert(1)", .scheme("javascript")), ("data:image/png", .dataWithoutComma),
        ("file://elsewhere/x", .remoteFile), ("file:x", .relativeFile), ("file:///%zz", .escape),
        ("file:///a%00b", .escape), ("http://a/\u{1B}[2J", .control), ("a\u{7F}.png", .control),
    ])
    func saysWhatIsWrong(text: String, fault: LocationFault) {
        #expect(resolved(text) == .failure(fault))
    }
}
