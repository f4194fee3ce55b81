import FaultServer
import Foundation
import ImageTestSupport
import TestSupport
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

/// Logins of servers and proxies that ask for a digest (RFC 7616).
@Suite(.timeLimit(.minutes(1))) struct DigestTests {
    private let picture: [UInt8]

    init() throws { picture = Array(try Pictures.png()) }

    private static func challenge(_ code: Int, algorithm: String = "MD5") -> FaultScript {
        let field = "Digest realm=\"r\", nonce=\"n0\", qop=\"auth\", algorithm=\(algorithm)"
        return .status(code, headers: [(code == 401 ? "WWW-Authenticate" : "Proxy-Authenticate", field)])
    }

    /// Starts a server that answers digests only.
    private func server(_ code: Int = 401, algorithm: String = "MD5") async throws -> FaultServer {
        let field = code == 401 ? "authorization" : "proxy-authorization"
        return try await FaultServer.start { [picture] request, _ in
            request.values(of: field).first?.hasPrefix("Digest ") == true
                ? .picture(picture) : Self.challenge(code, algorithm: algorithm)
        }
    }

    @Test(arguments: ["MD5", "SHA-256"])
    func `a digest challenge is answered, and the next request sends the digest at once`(algorithm: String) async throws
    {
        let server = try await server(algorithm: algorithm)
        let downloader = ImageDownloader()
        for name in ["a", "b", "c"] {
            let address = "http://ann:p%40w@127.0.0.1:\(server.port)/\(name)"
            let url = try #require(URL(string: address))
            #expect(try await downloader.download(.picture(url)) { _ in }.data == Data(picture))
        }
        let sent = await server.requests.map { $0.values(of: "authorization").first ?? "" }
        // Basic is tried first, then the nonce is fetched; after that each picture costs one request.
        #expect(sent.map { $0.prefix { $0 != " " } } == ["Basic", "", "Digest", "Digest", "Digest"])
        #expect(sent.suffix(2).map { $0.contains("nc=00000002") || $0.contains("nc=00000003") } == [true, true])
        #expect(sent.suffix(3).allSatisfy { $0.contains("username=\"ann\"") && !$0.contains("p@w") })
        downloader.shutdown()
        await server.stop()
    }

    @Test func `concurrent transfers with a digest challenge all succeed`() async throws {
        let server = try await server()
        let downloader = ImageDownloader()
        let url = try #require(URL(string: "http://ann:pw@127.0.0.1:\(server.port)/x"))
        let transfers = (0..<6).map { _ in Task { try await downloader.download(.picture(url)) { _ in } } }
        for transfer in transfers { #expect(try await transfer.value.data == Data(picture)) }
        downloader.shutdown()
        await server.stop()
    }

    @Test func `a wrong password ends with 401`() async throws {
        let server = try await FaultServer.start { _, _ in Self.challenge(401) }
        let downloader = ImageDownloader()
        let url = try #require(URL(string: "http://ann:no@127.0.0.1:\(server.port)/x"))
        let error = await #expect(throws: DownloadError.self) { try await downloader.download(.picture(url)) { _ in } }
        #expect(error?.isInvalidResponseStatusCode(401) == true)
        #expect(await server.requests.count <= 4)
        downloader.shutdown()
        await server.stop()
    }

    @Test func `without a password a digest challenge is not answered`() async throws {
        let server = try await server()
        let downloader = ImageDownloader()
        let url = try #require(URL(string: server.url("/x")))
        await #expect(throws: DownloadError.self) { try await downloader.download(.picture(url)) { _ in } }
        #expect(await server.requests.count == 1)
        downloader.shutdown()
        await server.stop()
    }

    @Test func `a proxy that refuses a tunnel once keeps its basic credentials`() async throws {
        let identity = try TestIdentity()
        let server = try await FaultServer.start(["/x": [.picture(picture)]], tls: identity.serverTLS())
        let proxy = try await FaultServer.start { request, turn in
            let isBasic = request.values(of: "proxy-authorization").first?.hasPrefix("Basic ") == true
            return turn > 0 && isBasic
                ? FaultScript([.tunnel(port: server.port)])
                : .status(407, headers: [("Proxy-Authenticate", "Basic realm=\"r\"")])
        }
        var configuration = DownloaderConfiguration()
        configuration.proxies = ProxySettings(try ProxyServer("http://ann:pw@127.0.0.1:\(proxy.port)"))
        try configuration.tls.addRoots(pem: identity.certificatePEM)
        let downloader = ImageDownloader(configuration: configuration)
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/x"))
        #expect(try await downloader.download(.picture(url)) { _ in }.data == Data(picture))
        downloader.shutdown()
        await proxy.stop()
        await server.stop()
    }

    @Test func `a digest challenge of a proxy is answered too`() async throws {
        let proxy = try await server(407)
        var configuration = DownloaderConfiguration()
        configuration.proxies = ProxySettings(try ProxyServer("http://ann:pw@127.0.0.1:\(proxy.port)"))
        let downloader = ImageDownloader(configuration: configuration)
        let url = try #require(URL(string: "http://h.invalid/x"))
        #expect(try await downloader.download(.picture(url)) { _ in }.data == Data(picture))
        #expect(await proxy.requests.last?.values(of: "proxy-authorization").first?.hasPrefix("Digest ") == true)
        downloader.shutdown()
        await proxy.stop()
    }
}
