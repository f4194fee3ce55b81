import Foundation
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

@Suite(.timeLimit(.minutes(1)))
struct OutgoingRequestTests {
    private func outgoing(
        _ address: String, proxy: ProxyServer? = nil, learned: [Origin: Credential] = [:], digest: [Origin] = [],
        headers: [(name: String, value: String)] = [], _ configure: (inout DownloaderConfiguration) -> Void = { _ in }
    ) throws -> OutgoingRequest {
        var configuration = DownloaderConfiguration()
        configure(&configuration)
        let request = DownloadRequest(
            url: try #require(URL(string: address)),
            headers: headers.map { HeaderField(name: $0.name, value: $0.value) })
        let logins = Logins(credentials: learned, digests: Set(digest))
        return try OutgoingRequest(
            request, configuration: configuration, isOriginalOrigin: true, logins: logins, cookies: nil, part: nil,
            proxy: proxy)
    }

    private func values(_ outgoing: OutgoingRequest, _ name: String) -> [String] {
        outgoing.lines.filter { $0.lowercased().hasPrefix(name + ": ") }.map { String($0.dropFirst(name.count + 2)) }
    }

    private func authorization(_ outgoing: OutgoingRequest) -> [String] { values(outgoing, "authorization") }

    @Test func `credentials of the request override those of the address, and these those of the host`() throws {
        let configure: (inout DownloaderConfiguration) -> Void = { $0.credentials["h"] = .bearer(token: "host") }
        #expect(try authorization(outgoing("http://h/", configure)) == ["Bearer host"])
        #expect(try authorization(outgoing("http://a:b@h/", configure)) == ["Basic YTpi"])
        #expect(try authorization(outgoing("http://a:b@h/", headers: [("Authorization", "Own")], configure)) == ["Own"])
        #expect(try authorization(outgoing("http://g/", configure)) == [])
    }

    @Test func `a learned credential overrides all others`() throws {
        let learned = [Origin(try #require(URL(string: "http://h/other"))): Credential.bearer(token: "learned")]
        let headers = [(name: "Authorization", value: "Own")]
        #expect(try authorization(outgoing("http://h/", learned: learned, headers: headers)) == ["Bearer learned"])
        #expect(try authorization(outgoing("http://g/", learned: learned, headers: headers)) == ["Own"])
        #expect(try authorization(outgoing("https://h/", learned: learned)) == [])
    }

    @Test(arguments: [
        ("http://a:b@h/x?y", "http://h/x?y"), ("http://h", "http://h"),
        ("http://h:8080/a%2Fb?c=d#e", "http://h:8080/a%2Fb?c=d"),
        ("http://[::1]:81/x", "http://[::1]:81/x"), ("https://h/a@b?c@d", "https://h/a@b?c@d"),
        ("http://a:b@h/caf%E9.jpg?x=%EB#y", "http://h/caf%E9.jpg?x=%EB"),
        ("http://h/%FF/../b/./c", "http://h/%FF/../b/./c"),
        ("http://u@h?q", "http://h?q"),
    ])
    func `an address is sent unchanged except for credentials and fragment`(
        address: String, sent: String
    ) throws {
        #expect(try outgoing(address).address == sent)
    }

    @Test func `headers of a host are sent to that host only`() throws {
        let configure: (inout DownloaderConfiguration) -> Void = {
            $0.setHeaders([HeaderField(name: "X-Key", value: "k")], forHost: "H:8080")
        }
        #expect(try values(outgoing("http://h:8080/", configure), "x-key") == ["k"])
        #expect(try values(outgoing("http://h/", configure), "x-key") == [])
        #expect(try values(outgoing("http://h:8080/", headers: [("x-key", "own")], configure), "x-key") == ["own"])
    }

    @Test func `digest credentials replace the Authorization header for their origin only`() throws {
        let origin = Origin(try #require(URL(string: "http://h/")))
        let request = try outgoing("http://ann:p%40w@h/x", digest: [origin])
        #expect(request.digest == .basic(user: "ann", password: "p@w"))
        #expect(authorization(request) == [])
        #expect(try outgoing("http://ann:p%40w@g/x", digest: [origin]).digest == nil)
        #expect(try outgoing("http://h/x", digest: [origin]).digest == nil)
    }

    @Test func `proxy credentials are not among the headers for the server`() throws {
        let proxy = ProxyServer(host: "p", credential: .bearer(token: "t"))
        let request = try outgoing("http://h/", proxy: proxy)
        #expect(request.proxyLines == ["proxy-authorization: Bearer t"])
        #expect(!request.lines.contains { $0.lowercased().hasPrefix("proxy-") })
        let basic = try outgoing(
            "http://h/", proxy: ProxyServer(host: "p", credential: .basic(user: "a", password: "b")))
        #expect(basic.proxyLines == [])
    }

    @Test(arguments: [("X", "a\r\nY: b"), ("X", "a\u{0}"), ("X:", "a"), ("", "a"), ("X Y", "a"), ("X\r\nY", "a")])
    func `a header that would break the request is refused`(name: String, value: String) throws {
        #expect(throws: DownloadError.self) { try outgoing("http://h/", headers: [(name, value)]) }
    }

    @Test func `an empty header is written with a semicolon for libcurl`() throws {
        #expect(try outgoing("http://h/", headers: [("X-Empty", "")]).lines.contains("X-Empty;"))
    }
}
