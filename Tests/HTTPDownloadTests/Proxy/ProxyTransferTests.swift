import FaultServer
import Foundation
import ImageTestSupport
import TestSupport
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

/// Transfers through scripted proxies.
@Suite(.timeLimit(.minutes(1))) struct ProxyTransferTests {
    private let picture: [UInt8]

    init() throws { picture = Array(try Pictures.png()) }

    /// Asks a proxy that answers as scripted.
    private func ask(
        _ address: String, _ scripts: [FaultScript], userInfo: String = "", responder: ScriptedResponder? = nil
    ) async throws -> (result: Result<Download, DownloadError>, requests: [RecordedRequest]) {
        let proxy = try await FaultServer.start { _, turn in scripts[min(turn, scripts.count - 1)] }
        var configuration = DownloaderConfiguration()
        configuration.proxies = ProxySettings(try ProxyServer("http://\(userInfo)127.0.0.1:\(proxy.port)"))
        configuration.challengeResponder = responder
        let stage = DownloadStage(server: proxy, downloader: ImageDownloader(configuration: configuration))
        let result = await stage.download(address)
        stage.downloader.shutdown()
        let requests = await proxy.requests
        await proxy.stop()
        return (result, requests)
    }

    @Test func `a plain request is sent to the proxy with its whole address`() async throws {
        let (result, requests) = try await ask(
            "http://pictures.invalid:8080/a%20b?c=d#e", [.picture(picture)], userInfo: "ann:pw@")
        #expect(try result.get().data == Data(picture))
        let request = try #require(requests.first)
        #expect(request.path == "http://pictures.invalid:8080/a%20b?c=d")
        #expect(request.values(of: "host") == ["pictures.invalid:8080"])
        #expect(request.values(of: "proxy-authorization") == ["Basic YW5uOnB3"])
        #expect(request.values(of: "authorization") == [])
        #expect(!request.head.contains("x-exchange"))
    }

    @Test func `credentials of the proxy are not sent to a directly requested host`() async throws {
        let direct = try await FaultServer.start(["/y": .picture(picture)])
        let proxy = try await FaultServer.start { _, _ in .redirect(to: direct.url("/y")) }
        var configuration = DownloaderConfiguration()
        configuration.proxies = ProxySettings(
            try ProxyServer("http://ann:pw@127.0.0.1:\(proxy.port)"), exceptions: NoProxyRules("127.0.0.1"))
        let downloader = ImageDownloader(configuration: configuration)
        let url = try #require(URL(string: "http://pictures.invalid/x"))
        _ = try await downloader.download(DownloadRequest.picture(url)) { _ in }
        #expect(await proxy.requests.map(\.path) == ["http://pictures.invalid/x"])
        #expect(await direct.requests.map { $0.values(of: "proxy-authorization") } == [[]])
        downloader.shutdown()
        await proxy.stop()
        await direct.stop()
    }

    @Test func `a proxy's challenge is answered`() async throws {
        let responder = ScriptedResponder { _ in .credential(.basic(user: "ann", password: "pw")) }
        let challenge = FaultScript.status(407, headers: [("Proxy-Authenticate", "Basic realm=\"gate\"")])
        let (result, requests) = try await ask(
            "http://h.invalid/x", [challenge, .picture(picture)], responder: responder)
        #expect(try result.get().data == Data(picture))
        #expect(requests.map { $0.values(of: "proxy-authorization") } == [[], ["Basic YW5uOnB3"]])
        #expect(requests.allSatisfy { $0.values(of: "authorization").isEmpty })
        #expect(responder.seen.all.map(\.isProxy) == [true])
        #expect(responder.seen.all.first?.schemes.map(\.realm) == ["gate"])
    }

    @Test func `without a responder a 407 of a proxy is the error`() async throws {
        for address in ["http://h.invalid/x", "https://h.invalid/x"] {
            let (result, requests) = try await ask(address, [.status(407).then(.close)])
            #expect(result.error?.isInvalidResponseStatusCode(407) == true)
            #expect(result.error?.isRetryable == false)
            #expect(requests.count == 1)
        }
    }

    @Test func `secure requests use a tunnel, and the proxy credentials go to the proxy only`() async throws {
        let identity = try TestIdentity()
        let server = try await FaultServer.start(["/x": [.picture(picture)]], tls: identity.serverTLS())
        let proxy = try await FaultServer.start { _, _ in FaultScript([.tunnel(port: server.port)]) }
        var configuration = DownloaderConfiguration()
        configuration.proxies = ProxySettings(try ProxyServer("http://ann:pw@127.0.0.1:\(proxy.port)"))
        try configuration.tls.addRoots(pem: identity.certificatePEM)
        let downloader = ImageDownloader(configuration: configuration)
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/x"))
        let download = try await downloader.download(DownloadRequest.picture(url)) { _ in }
        #expect(download.data == Data(picture))
        let opening = try #require(await proxy.requests.first)
        #expect(opening.method == "CONNECT")
        #expect(opening.path == "127.0.0.1:\(server.port)")
        #expect(opening.values(of: "proxy-authorization") == ["Basic YW5uOnB3"])
        #expect(await server.requests.map { $0.values(of: "proxy-authorization") } == [[]])
        downloader.shutdown()
        await proxy.stop()
        await server.stop()
    }

    @Test func `the challenge of a tunnel has no schemes`() async throws {
        let responder = ScriptedResponder { _ in .credential(.basic(user: "ann", password: "pw")) }
        let scripts = [
            FaultScript.status(407, headers: [("Connection", "close")]).then(.close), .status(502).then(.close),
        ]
        let (result, requests) = try await ask("https://h.invalid/x", scripts, responder: responder)
        #expect(requests.map { $0.values(of: "proxy-authorization") } == [[], ["Basic YW5uOnB3"]])
        #expect(responder.seen.all.map(\.schemes) == [[]])
        #expect(result.error != nil)
    }

    @Test func `a proxy that refuses a tunnel or disconnects is a retryable error`() async throws {
        for script in [FaultScript.status(502).then(.close), .reset, .hangUp] {
            let (result, _) = try await ask("https://h.invalid/x", [script])
            #expect(result.error?.isRetryable == true, "\(String(describing: result.error))")
        }
    }

    /// The error of a transfer through a proxy that is there no more, or that has no such name.
    private func error(of address: String, through proxy: ProxyServer) async throws -> DownloadError.TransportFailure? {
        var configuration = DownloaderConfiguration()
        configuration.proxies = ProxySettings(proxy)
        let downloader = ImageDownloader(configuration: configuration)
        defer { downloader.shutdown() }
        let url = try #require(URL(string: address))
        do throws(DownloadError) {
            _ = try await downloader.download(DownloadRequest.picture(url)) { _ in }
        } catch .response(.transport(let failure)) {
            return failure
        } catch {
            Issue.record("\(error)")
        }
        return nil
    }

    @Test(arguments: ["http://127.0.0.1/x", "https://127.0.0.1/x"], [ProxyServer.Kind.http, .socks5])
    func `an unreachable proxy is reported without its password`(address: String, kind: ProxyServer.Kind) async throws {
        let gone = try await FaultServer.start { _, _ in .reset }
        let port = gone.port
        await gone.stop()
        let credential = kind == .http ? Credential.basic(user: "ann", password: "pw") : nil
        let refused = try await error(
            of: address, through: ProxyServer(kind: kind, host: "127.0.0.1", port: port, credential: credential))
        #expect(refused == .proxy("127.0.0.1:\(port)", .refused))
        #expect(refused?.title == "proxy 127.0.0.1:\(port): connection refused")
    }

    @Test func `a proxy with an unknown host name is reported too`() async throws {
        let unknown = try await error(of: "http://127.0.0.1/x", through: ProxyServer(host: "no.invalid", port: 3128))
        let reasons = [DownloadError.TransportFailure.nameNotFound, .nameLookupFailed]
        #expect(reasons.map { .proxy("no.invalid:3128", $0) }.contains(unknown))
    }

    @Test func `an unusable proxy setting fails the transfer before anything is sent`() async throws {
        try await DownloadStage.play(
            ["/x": [.picture(picture)]],
            configure: { $0.proxies = ProxySettings(environment: ["http_proxy": "gopher://p"]) }
        ) { stage in
            guard case .response(.transport(.environment))? = await stage.download().error else {
                Issue.record("not refused")
                return
            }
            #expect(await stage.server.requests.isEmpty)
        }
    }
}
