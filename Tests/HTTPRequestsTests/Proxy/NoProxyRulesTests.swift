import Testing

@testable import AlcedoHTTPRequests

@Suite(.timeLimit(.minutes(1)))
struct NoProxyRulesTests {
    @Test(arguments: [
        ("example.org", "example.org", true), ("example.org", "img.example.org", true),
        ("example.org", "badexample.org", false), (".example.org", "example.org", true),
        (".example.org", "img.example.org", true), ("example.org", "example.org.evil", false),
        ("Example.ORG", "eXample.org", true), ("example.org.", "example.org", true),
        ("example.org", "example.org.", true), ("a.b, example.org  c.d", "c.d", true), ("a,,b", "", false),
        ("*", "anything", true), ("*.example.org", "a.example.org", false), ("", "h", false), (".", "h", false),
        ("10.0.0.0/8", "10.200.3.4", true), ("10.0.0.0/8", "11.0.0.1", false), ("0.0.0.0/0", "1.2.3.4", true),
        ("192.168.1.128/25", "192.168.1.127", false), ("192.168.1.128/25", "192.168.1.200", true),
        ("10.0.0.0/8", "10.example.org", false), ("10.0.0.0/33", "10.0.0.1", false), ("x/8", "x", false),
        ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "1.127.0.0.1", false), ("0.0.1", "127.0.0.1", false),
        ("::1", "::1", true), ("[::1]", "::1", true), ("::1", "[::1]", true), ("::1", "0:0::0:1", true),
        ("fd00::/8", "fd12::7", true), ("fd00::/8", "fe80::7", false), ("10.0.0.0/8", "::1", false),
    ])
    func `a rule matches host names and addresses`(text: String, host: String, isException: Bool) {
        #expect(NoProxyRules(text).contains(host, port: 80) == isException)
    }

    @Test(arguments: [
        ("h:8080", 8080, true), ("h:8080", 80, false), ("127.0.0.1:81", 80, false), ("[::1]:80", 80, true),
    ])
    func `a port restricts a rule`(text: String, port: Int, isException: Bool) {
        let host = text.hasPrefix("h") ? "h" : text.hasPrefix("[") ? "::1" : "127.0.0.1"
        #expect(NoProxyRules(text).contains(host, port: port) == isException)
    }
}
