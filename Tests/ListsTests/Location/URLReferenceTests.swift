import Testing

@testable import AlcedoLists

/// The examples of RFC 3986, 5.4, and references of files.
@Suite(.timeLimit(.minutes(1))) struct URLReferenceTests {
    @Test(arguments: [
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
        ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
        (";x", "http://a/b/c/;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
        ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"),
        ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"),
        ("g.", "http://a/b/c/g."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
        ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"), ("g?y/../x", "http://a/b/c/g?y/../x"),
    ])
    func `the examples of RFC 3986 are resolved`(reference: String, url: String) {
        #expect(URLReference.resolve(reference, against: "http://a/b/c/d;p?q") == url)
    }

    @Test(arguments: [
        ("b.png", "file:///x/b.png"), ("/b.png", "file:///b.png"), ("//cdn/b.png", "https://cdn/b.png"),
    ])
    func `references in files become file URLs`(reference: String, url: String) {
        #expect(URLReference.resolve(reference, against: "file:///x/") == url)
    }

    @Test func `a base without a path resolves against its root`() {
        #expect(URLReference.resolve("b.png", against: "http://a.example") == "http://a.example/b.png")
    }
}
