import AsyncHTTPClient
import Foundation
import NIOHTTP1
import Testing

@testable import DiskCache
@testable import HTTPDownload
@testable import ImageCodecs
@testable import ImageLoading

@Suite(.timeLimit(.minutes(1)))
struct OutgoingRequestTests {
    private func outgoing(
        _ address: String, route: HTTPTransport.Route = .direct, learned: [Origin: Credential] = [:],
        headers: [(name: String, value: String)] = [], _ configure: (inout DownloaderConfiguration) -> Void = { _ in }
    ) throws -> OutgoingRequest {
        var configuration = DownloaderConfiguration()
        configure(&configuration)
        let request = DownloadRequest.picture(
            try #require(URL(string: address)),
            headers: headers.map { HeaderField(name: $0.name, value: $0.value) })
        return OutgoingRequest(
            request: request, configuration: configuration, isUsersOwn: true, learned: learned, part: nil, route: route)
    }

    private func authorization(_ outgoing: OutgoingRequest) -> [String] { outgoing.message.headers["authorization"] }

    @Test func `credentials of the request win over the address's, and these over the host's`() throws {
        let configure: (inout DownloaderConfiguration) -> Void = { $0.credentials["h"] = .bearer(token: "host") }
        #expect(try authorization(outgoing("http://h/", configure)) == ["Bearer host"])
        #expect(try authorization(outgoing("http://a:b@h/", configure)) == ["Basic YTpi"])
        #expect(try authorization(outgoing("http://a:b@h/", headers: [("Authorization", "Own")], configure)) == ["Own"])
        #expect(try authorization(outgoing("http://g/", configure)) == [])
    }

    @Test func `an answer to a challenge wins over all other credentials`() throws {
        let learned = [Origin(try #require(URL(string: "http://h/other"))): Credential.bearer(token: "learned")]
        let headers = [(name: "Authorization", value: "Own")]
        #expect(try authorization(outgoing("http://h/", learned: learned, headers: headers)) == ["Bearer learned"])
        #expect(try authorization(outgoing("http://g/", learned: learned, headers: headers)) == ["Own"])
        #expect(try authorization(outgoing("https://h/", learned: learned)) == [])
    }

    @Test func `user and password are never in the address`() throws {
        #expect(try outgoing("http://a:b@h/x?y").message.url == "http://h/x?y")
    }

    @Test(arguments: [
        ("http://h", "http://h/", "http://p:1/"),
        ("http://h:8080/a%2Fb?c=d#e", "http://h:8080/a%2Fb?c=d", "http://p:1/a%2Fb?c=d"),
        ("http://[::1]:81/x", "http://[::1]:81/x", "http://p:1/x"), ("http://a:b@h/x", "http://h/x", "http://p:1/x"),
    ])
    func `a proxy gets the whole address`(address: String, target: String, connection: String) throws {
        let outgoing = try outgoing(address, route: .forward(ProxyServer(host: "p", port: 1)))
        #expect(outgoing.absoluteTarget == target)
        #expect(outgoing.message.url == connection)
        #expect(outgoing.message.headers["host"].count == 1)
    }

    @Test func `without a proxy there is no whole address`() throws {
        #expect(try outgoing("http://h/").absoluteTarget == nil)
        #expect(try outgoing("https://h/", route: .tunnel(ProxyServer(host: "p"))).absoluteTarget == nil)
    }

    @Test func `the fields of a host are for that host`() throws {
        let configure: (inout DownloaderConfiguration) -> Void = {
            $0.setHeaders([HeaderField(name: "X-Key", value: "k")], forHost: "H:8080")
        }
        #expect(try outgoing("http://h:8080/", configure).message.headers["x-key"] == ["k"])
        #expect(try outgoing("http://h/", configure).message.headers["x-key"] == [])
        #expect(
            try outgoing("http://h:8080/", headers: [("x-key", "own")], configure).message.headers["x-key"] == ["own"])
    }

    @Test(
        arguments: [
            ("http://h/", nil, .direct), ("http://h/", ProxyServer(host: "p"), .forward(ProxyServer(host: "p"))),
            ("https://h/", ProxyServer(host: "p"), .tunnel(ProxyServer(host: "p"))),
            (
                "http://h/", ProxyServer(kind: .socks5, host: "p"), .tunnel(ProxyServer(kind: .socks5, host: "p"))
            ),
        ] as [(String, ProxyServer?, HTTPTransport.Route)])
    func `plain requests are forwarded and others tunnelled`(
        address: String, proxy: ProxyServer?, route: HTTPTransport.Route
    ) throws {
        #expect(HTTPTransport.Route(to: try #require(URL(string: address)), through: proxy) == route)
    }
}
