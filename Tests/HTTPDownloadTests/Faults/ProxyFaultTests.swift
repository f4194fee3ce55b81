import FaultServer
import Foundation
import ImageTestSupport
import TestSupport
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

/// Proxies that fail, and whom the environment names, on the wire: row H25 of the fault matrix.
@Suite(.timeLimit(.minutes(1))) struct ProxyFaultTests {
    private let picture: [UInt8]

    init() throws { picture = Array(try Pictures.png(width: 40, height: 30)) }

    /// Worth another try, and not a word of the password.
    private func expectHarmless(_ error: DownloadError?, _ comment: Comment) {
        #expect(error?.isRetryable == true, comment)
        for text in ["\(String(describing: error))", error?.title ?? ""] {
            #expect(!text.contains("geheim") && !text.contains("YW5uOmdlaGVpbQ"), comment)
        }
    }

    private func download(_ address: String, proxyPort: Int) async throws -> Result<Download, DownloadError> {
        try await DownloadStage.play(
            [:], configure: { $0.proxies = ProxySettings(try ProxyServer("http://ann:geheim@127.0.0.1:\(proxyPort)")) }
        ) { await $0.download(address) }
    }

    @Test(arguments: ["http", "https"])
    func `a proxy that is closed, resets, hangs up or breaks off is a retryable error`(
        scheme: String
    ) async throws {
        let closed = try FaultServer.closedPort()
        expectHarmless(try await download("\(scheme)://h.invalid/x", proxyPort: closed).error, "closed")
        for script in [FaultScript.reset, .hangUp, .resetInHead, .resetInBody(picture, after: 50), .status(502)] {
            let proxy = try await FaultServer.start { _, _ in script.then(.close) }
            let result = try await download("\(scheme)://h.invalid/x", proxyPort: proxy.port)
            // An answer to CONNECT has no body: what came after 200 is no TLS.
            let isAnswered = scheme == "https" && script.steps.count == 3
            if !isAnswered { expectHarmless(result.error, "\(script)") } else { #expect(result.error != nil) }
            await proxy.stop()
        }
    }

    @Test func `a proxy that dies during a body truncates it`() async throws {
        let identity = try TestIdentity()
        let gate = FaultGate()
        let server = try await FaultServer.start(
            ["/x": [.pauseInBody(picture, after: 500, until: gate)]], tls: identity.serverTLS())
        let proxy = try await FaultServer.start { _, _ in FaultScript([.tunnel(port: server.port)]) }
        let arrived = Gate()
        await arrived.open()
        try await DownloadStage.play(
            [:],
            configure: {
                $0.proxies = ProxySettings(try ProxyServer("http://ann:geheim@127.0.0.1:\(proxy.port)"))
                try $0.tls.addRoots(pem: identity.certificatePEM)
            }
        ) { stage in
            let request = try stage.request("https://127.0.0.1:\(server.port)/x")
            let download = Task {
                await stage.download(request) { _ in Task { await arrived.pass() } }
            }
            await arrived.untilArrived()
            await proxy.stop()
            let error = await download.value.error
            #expect(error == .response(.truncated(received: 500, expected: picture.count)))
            expectHarmless(error, "within the body")
        }
        gate.open()
        await server.stop()
    }

    @Test(arguments: [
        (["http_proxy"], "", true), (["HTTP_PROXY"], "", false), (["https_proxy"], "", false),
        (["HTTPS_PROXY"], "", false), (["all_proxy"], "", true), (["ALL_PROXY"], "", true),
        (["http_proxy"], "127.0.0.1", false), (["http_proxy"], "127.0.0.1:PORT", false),
        (["http_proxy"], "127.0.0.1:1", true), (["http_proxy"], "127.0.0.0/8", false),
        (["http_proxy"], "10.0.0.0/8", true), (["http_proxy"], "*", false), (["ALL_PROXY"], "example.org, *", false),
    ])
    func `the environment decides whether a plain address uses the proxy`(
        names: [String], exceptions: String, isThroughProxy: Bool
    ) async throws {
        let (route, requests) = try await route(of: "http://127.0.0.1:PORT/x", names, exceptions)
        #expect(route == (isThroughProxy ? "proxy" : "direct"))
        #expect(requests.first?.values(of: "proxy-authorization") == (isThroughProxy ? ["Basic YW5uOmdlaGVpbQ=="] : []))
    }

    @Test(arguments: [
        ("localhost", "direct"), (".localhost", "direct"), ("host", "proxy"), ("local", "proxy"),
        ("localhost:PORT", "direct"), ("localhost:1", "proxy"),
    ])
    func `a name in no_proxy includes its subdomains`(
        exceptions: String, expected: String
    ) async throws {
        #expect(try await route(of: "http://localhost:PORT/x", ["http_proxy"], exceptions).name == expected)
        if !exceptions.contains(":") {
            // Nobody resolves it: whoever is asked directly is not found.
            let below = try await route(of: "http://a.localhost.:1/x", ["http_proxy"], exceptions).name
            #expect(below == (expected == "direct" ? "nowhere" : "proxy"))
        }
    }

    /// Where a request arrives, and the requests there.
    private func route(
        of address: String, _ names: [String], _ exceptions: String
    ) async throws -> (name: String, requests: [RecordedRequest]) {
        let proxy = try await FaultServer.start { [picture] _, _ in .picture(picture) }
        let server = try await FaultServer.start(["/x": .picture(picture)])
        func filled(_ text: String) -> String { text.replacingOccurrences(of: "PORT", with: "\(server.port)") }
        var environment = ["no_proxy": filled(exceptions)]
        for name in names { environment[name] = "http://ann:geheim@127.0.0.1:\(proxy.port)" }
        _ = try await DownloadStage.play([:], configure: { $0.proxies = ProxySettings(environment: environment) }) {
            await $0.download(filled(address))
        }
        let (there, here) = (await proxy.requests, await server.requests)
        await proxy.stop()
        await server.stop()
        return (!there.isEmpty ? "proxy" : !here.isEmpty ? "direct" : "nowhere", there + here)
    }
}
