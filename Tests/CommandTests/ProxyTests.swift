import FaultServer
import Foundation
import TestSupport
import Testing

/// Proxies as the environment names them: row H25 of the fault matrix.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ProxyTests {
    @Test func `the proxy of the environment is used, except for no_proxy hosts`() async throws {
        let place = try Workplace()
        let body = try Pictures.bytes()
        let proxy = try await FaultServer.start { _, _ in .picture(body) }
        let server = try await FaultServer.start(["/b.webp": .picture(body)])
        let environment = [
            "http_proxy": "http://ann:geheim@127.0.0.1:\(proxy.port)", "no_proxy": "127.0.0.1",
        ]

        let result = try await place.run(
            "prefetch", "http://pictures.invalid/a.webp", server.url("/b.webp"), "--json", environment: environment)
        let (there, here) = (await proxy.requests, await server.requests)
        await proxy.stop()
        await server.stop()

        #expect(result.code == 0)
        #expect(there.map(\.path) == ["http://pictures.invalid/a.webp"])
        #expect(there.map { $0.values(of: "proxy-authorization") } == [["Basic YW5uOmdlaGVpbQ=="]])
        #expect(here.map(\.path) == ["/b.webp"])
        #expect(here.allSatisfy { $0.values(of: "proxy-authorization").isEmpty })
        #expect(!result.everything.contains("geheim"))
    }

    @Test(arguments: [FaultScript.status(407), .reset, .status(502)])
    func `a proxy failure is reported without the proxy password`(script: FaultScript) async throws {
        let place = try Workplace()
        let proxy = try await FaultServer.start { _, _ in script.then(.close) }

        for options in [["--json"], []] {
            let result = try await place.start(
                ["prefetch", "http://pictures.invalid/a.webp", "--retries", "0"] + options,
                environment: ["http_proxy": "http://ann:geheim@127.0.0.1:\(proxy.port)"]
            ).end()
            #expect(result.code == 4)
            #expect(!result.everything.isEmpty)
            #expect(!result.everything.contains("geheim") && !result.everything.contains("YW5uOmdlaGVpbQ"))
        }
        await proxy.stop()
    }
}
