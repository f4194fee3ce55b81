import Testing

@testable import AlcedoHTTPRequests

@Suite(.timeLimit(.minutes(1)))
struct ProxyServerTests {
    @Test(
        arguments: [
            ("http://proxy:3128", ProxyServer(host: "proxy", port: 3128)),
            ("proxy:3128", .init(host: "proxy", port: 3128)),
            ("proxy", .init(host: "proxy")), ("socks5://p:9", .init(kind: .socks5, host: "p", port: 9)),
            ("SOCKS5H://p", .init(kind: .socks5, host: "p")), ("https://p", .init(kind: .https, host: "p", port: 443)),
            ("socks4a://p", .init(kind: .socks4a, host: "p")),
            ("socks5://u:p@h", .init(kind: .socks5, host: "h", credential: .basic(user: "u", password: "p"))),
            (
                "http://ann:p%40w@proxy:1/",
                .init(host: "proxy", port: 1, credential: .basic(user: "ann", password: "p@w"))
            ),
        ])
    func `a proxy address is parsed`(address: String, server: ProxyServer) throws {
        #expect(try ProxyServer(address) == server)
    }

    @Test(arguments: [
        ("ftp://p", ProxyProblem.scheme("ftp")), ("http://", .notAnAddress),
    ])
    func `an unusable proxy address throws its reason`(address: String, problem: ProxyProblem) {
        #expect(throws: problem) { try ProxyServer(address) }
    }
}
