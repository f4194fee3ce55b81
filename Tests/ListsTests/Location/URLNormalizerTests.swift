import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct URLNormalizerTests {
    @Test(arguments: [
        ("HTTP://Example.ORG", "http://example.org/"), ("http://a:80/x", "http://a/x"),
        ("https://a:443", "https://a/"), ("https://a:80/", "https://a:80/"), ("http://a:/x", "http://a/x"),
        ("http://a/X?Q=1#part", "http://a/X?Q=1"), ("http://a?q", "http://a/?q"),
        ("http://User:Pass@A/", "http://User:Pass@a/"), ("http://[::FF]:80/", "http://[::ff]/"),
        ("http://a:8080/x", "http://a:8080/x"), ("http://u:80@a/x", "http://u:80@a/x"),
        ("http://[::1]:81/", "http://[::1]:81/"), ("http://[::1]/", "http://[::1]/"),
        ("http://a/é 1?q=ü#é", "http://a/%C3%A9%201?q=%C3%BC"), ("http://a/%c3%A9", "http://a/%C3%A9"),
        ("http://a/%41%7e%2F%zz?%62=%26", "http://a/A~%2F%25zz?b=%26"), ("http://a/b/../c/./d", "http://a/c/d"),
        ("http://a/../x//y/..", "http://a/x//"), ("http://a/.", "http://a/"),
        ("http://a/.well-known/x", "http://a/.well-known/x"),
        ("http://a/x?y=/../z", "http://a/x?y=/../z"),
        ("/Files/A.png#1", "/Files/A.png#1"), ("/é.png", "/é.png"), ("data:image/PNG,AA#b", "data:image/PNG,AA#b"),
    ])
    func `equivalent addresses are normalized to the same text`(location: String, normal: String) {
        #expect(URLNormalizer.normalize(location) == normal)
        #expect(URLNormalizer.normalize(normal) == normal)
    }
}
