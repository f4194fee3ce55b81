import FaultServer
import Foundation
import ImageTestSupport
import TestSupport
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

/// Redirects that lead astray, and what must not cross with them: rows H21 and H23 of the fault matrix.
@Suite(.timeLimit(.minutes(1))) struct RedirectFaultTests {
    private let picture: [UInt8]

    init() throws { picture = Array(try Pictures.png()) }

    @Test(arguments: 1...10)
    func `up to ten redirects are followed`(count: Int) async throws {
        var scripts: [String: [FaultScript]] = ["/0": [.picture(picture)]]
        for number in 1...count { scripts["/\(number)"] = [.redirect(to: "/\(number - 1)")] }
        try await DownloadStage.play(scripts) { stage in
            let download = try await stage.download("/\(count)").get()
            #expect(download.metrics.redirects == count)
        }
    }

    @Test func `a redirect loop ends after ten redirects`() async throws {
        try await DownloadStage.play(["/x": [.redirect(to: "/y")], "/y": [.redirect(to: "/x")]]) { stage in
            #expect(await stage.download().error == .response(.redirect(.tooMany(limit: 10))))
            #expect(await stage.server.requests.count == 11)
        }
    }

    @Test func `a long target is followed, one longer than a header field is a protocol error`() async throws {
        let (long, tooLong) = (String(repeating: "a", count: 50_000), String(repeating: "a", count: 110_000))
        try await DownloadStage.play([
            "/x": [.redirect(to: "/" + long)], "/" + long: [.picture(picture)], "/z": [.redirect(to: "/" + tooLong)],
        ]) { stage in
            let download = try await stage.download().get()
            #expect(download.data == Data(picture))
            let error = await stage.download("/z").error
            #expect(error?.title.hasPrefix("malformed answer") == true, "\(String(describing: error))")
            #expect(error?.isRetryable == false)
            // Asked for on a connection that can have brought nothing of an earlier answer, if need be once more.
            let connections = await stage.server.requests.map(\.connection)
            #expect((3...4).contains(connections.count))
            #expect(connections.count { $0 == connections.last } == 1, "\(connections)")
        }
    }

    @Test(arguments: ["/y\r\nX-Evil: 1", "/y\rX-Evil: 1", "/y\nX-Evil: 1", "/y\r\n X-Evil: 1", "/y\u{0}X-Evil: 1"])
    func `a line break in a target injects no header`(target: String) async throws {
        try await DownloadStage.play(["/x": [.redirect(to: target)], "/y": [.picture(picture)]]) { stage in
            _ = await stage.download()
            for request in await stage.server.requests {
                #expect(request.values(of: "x-evil") == [])
                #expect(request.head.split(separator: "\r\n").dropFirst().allSatisfy { $0.contains(": ") })
            }
        }
    }

    @Test(arguments: ["ftp://ann:geheim@h/", "http://ann:geheim@127.0.0.1:1/", "https://ann:geheim@127.0.0.1:1/"])
    func `credentials in a redirect target do not appear in errors`(target: String) async throws {
        try await DownloadStage.play(["/x": [.redirect(to: target)]]) { stage in
            let error = try #require(await stage.download().error)
            for text in ["\(error)", error.title] {
                #expect(!text.contains("geheim") && !text.contains("ann"), "\(text)")
            }
        }
    }

    @Test(arguments: ["other host", "other port", "to https", "to http"])
    func `no credentials are sent to another origin`(kind: String) async throws {
        let identity = try TestIdentity()
        let secure = identity.serverTLS()
        let other = try await FaultServer.start(
            ["/y": [.picture(picture)]], tls: kind == "to https" ? secure : nil)
        let target =
            switch kind {
            case "other host": "http://localhost:\(other.port)/y"
            case "to https": "https://127.0.0.1:\(other.port)/y"
            default: other.url("/y")
            }
        try await DownloadStage.play(
            ["/x": [.redirect(to: target)]], tls: kind == "to http" ? secure : nil,
            configure: {
                $0.limits.allowsDowngrade = true
                try $0.tls.addRoots(pem: identity.certificatePEM)
            }
        ) { stage in
            let scheme = kind == "to http" ? "https" : "http"
            let download = try await stage.download("\(scheme)://127.0.0.1:\(stage.server.port)/x") {
                $0.headers = Self.secrets.map { HeaderField(name: $0.0, value: $0.1) }
            }.get()
            #expect(download.data == Data(picture))
            let (sent, crossed) = (await stage.server.requests, await other.requests)
            #expect(sent.count == 1 && crossed.count == 1)
            for (name, value) in Self.secrets {
                #expect(sent.first?.values(of: name) == [value])
                #expect(crossed.first?.values(of: name) == [])
            }
        }
        await other.stop()
    }

    @Test func `headers of one host's settings are not sent to another name of that host`() async throws {
        let server = try await FaultServer.start(["/x": [.picture(picture)]])
        let elsewhere = try await FaultServer.start([
            "/x": .redirect(to: "http://localhost:\(server.port)/x"), "/back": .redirect(to: server.url("/x")),
        ])
        var configuration = DownloaderConfiguration()
        configuration.setHeaders([HeaderField(name: "X-Api-Key", value: "k")], forHost: "127.0.0.1:\(server.port)")
        configuration.credentials["127.0.0.1:\(server.port)"] = .bearer(token: "t")
        let downloader = ImageDownloader(configuration: configuration)
        for path in ["/x", "/back"] {
            let url = try #require(URL(string: elsewhere.url(path)))
            _ = try await downloader.download(DownloadRequest.picture(url)) { _ in }
        }
        #expect(await server.requests.map { $0.values(of: "x-api-key") } == [[], ["k"]])
        #expect(await server.requests.map { $0.values(of: "authorization") } == [[], ["Bearer t"]])
        #expect(await elsewhere.requests.allSatisfy { $0.values(of: "x-api-key").isEmpty })
        downloader.shutdown()
        await elsewhere.stop()
        await server.stop()
    }

    private static let secrets = [
        (name: "Authorization", value: "Bearer t"), (name: "Cookie", value: "id=1"), (name: "X-Api-Key", value: "k"),
    ]
}
