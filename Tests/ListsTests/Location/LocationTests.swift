import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct LocationTests {
    private func resolved(_ text: String) -> Result<String, LocationError> {
        Result { () throws(LocationError) in try Location.resolve(text, from: "/home/birds") }
    }

    @Test(arguments: [
        "http://example.org", "https://user:pass@example.org:8443/a?b#c", "HTTP://EXAMPLE.org/", "http://[::1]:80/x",
        "http://münchen.example/o.png", "data:image/png;base64,AAAA", "http://example.org:/x", "http://a/100%25.png",
        "data:image/svg+xml,<svg a=\"/../b\"/>", "http://example.org/a..b/.c/...?d=/../e", "http://a/%20%2F%c3%A9#f",
    ])
    func `web and data URLs are accepted unchanged`(url: String) {
        #expect(resolved(url) == .success(url))
    }

    @Test(arguments: [
        ("http://a/sp ace.jpg", "http://a/sp%20ace.jpg"),
        ("http://a/x y%20z?q=1 2#3 4", "http://a/x%20y%20z?q=1%202#3%204"),
        ("http://a/|^{}<>\"`\\[]", "http://a/%7C%5E%7B%7D%3C%3E%22%60%5C%5B%5D"),
        ("http://a/ö/\u{3000}\u{A0}", "http://a/%C3%B6/%E3%80%80%C2%A0"), ("http://a/100%.png", "http://a/100%25.png"),
        ("http://a/%2", "http://a/%252"), ("http://a/x#y#z", "http://a/x#y%23z"), ("http://ö/ö", "http://ö/%C3%B6"),
        ("http://a?b c", "http://a?b%20c"),
    ])
    func `invalid characters of an address are encoded once`(text: String, url: String) {
        #expect(resolved(text) == .success(url))
        #expect(resolved(url) == .success(url))
    }

    @Test(arguments: [
        ("http://a/u/../x.jpg", "http://a/x.jpg"), ("http://a/../../x.jpg", "http://a/x.jpg"),
        ("http://a/./b/.", "http://a/b/"), ("http://a/b/..", "http://a/"),
        ("http://a/b/..?c=/../d", "http://a/?c=/../d"),
        ("HTTPS://a:8/b//../c#/../d", "HTTPS://a:8/b/c#/../d"), ("http://a/b/%2e%2E/c/.%2e/d/%2E/e", "http://a/d/e"),
        ("http://a/../sp ace", "http://a/sp%20ace"), ("http://u:p@a/b/../c", "http://u:p@a/c"),
    ])
    func `dot segments of a web address are removed`(text: String, url: String) {
        #expect(resolved(text) == .success(url))
        #expect(URLNormalizer.normalize(url) == URLNormalizer.normalize(text))
    }

    @Test(arguments: [
        ("a.png", "/home/birds/a.png"), ("./a.png", "/home/birds/a.png"), ("../a.png", "/home/birds/../a.png"),
        ("/x/a.png", "/x/a.png"), ("shot: one.png", "/home/birds/shot: one.png"),
        ("file:///x/a%20b.png", "/x/a b.png"), ("file://localhost/x.png", "/x.png"),
    ])
    func `paths and file URLs become absolute paths`(text: String, path: String) {
        #expect(resolved(text) == .success(path))
    }

    @Test(arguments: [
        ("", LocationError.empty), ("http:example.org", .noSlashes), ("http://", .noHost), ("http:///x", .noHost),
        ("http://user@/x", .noHost), ("http://a b/x", .host), ("http://u v@a/x", .host),
        ("http://a\u{A0}b/", .host), ("http://a<b>/", .host),
        ("http://[::1/x", .host), ("http://a:0/", .port), ("http://a:65536/", .port), ("http://a:8o/", .port),
        ("http://a:-1/", .port), ("http://a:+1/", .port), ("ftp://a/x", .scheme("ftp")),
        ("javascript:alert(1)", .scheme("javascript")), ("data:image/png", .dataWithoutComma),
        ("file://elsewhere/x", .remoteFile), ("file:x", .relativeFile), ("file:///%zz", .escape),
        ("file:///a%00b", .escape), ("http://a/\u{1B}[2J", .controlCharacter), ("a\u{7F}.png", .controlCharacter),
    ])
    func `an invalid location is reported with its fault`(text: String, fault: LocationError) {
        #expect(resolved(text) == .failure(fault))
    }
}
