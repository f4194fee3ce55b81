import FaultServer
import Foundation
import ImageTestSupport
import TestSupport
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

/// Transfers over HTTP/2.
@Suite(.timeLimit(.minutes(1))) struct HTTP2Tests {
    private let picture: [UInt8]
    private let identity: TestIdentity

    init() throws {
        picture = Array(try Pictures.png())
        identity = try TestIdentity()
    }

    private func downloader(_ limit: (inout DownloadLimits) -> Void = { _ in }) throws -> ImageDownloader {
        var configuration = DownloaderConfiguration()
        try configuration.tls.addRoots(pem: identity.certificatePEM)
        limit(&configuration.limits)
        return ImageDownloader(configuration: configuration)
    }

    @Test func `a picture is downloaded over HTTP/2 and the connection is reused`() async throws {
        let server = try await HTTP2Server.start(identity, body: picture)
        let downloader = try downloader()
        let request = DownloadRequest.picture(
            try #require(URL(string: server.url)), headers: [HeaderField(name: "X-Key", value: "k")])
        let first = try await downloader.download(request) { _ in }
        let second = try await downloader.download(request) { _ in }
        downloader.shutdown()
        await server.stop()
        #expect(first.data == Data(picture))
        #expect(first.isProvenWhole)
        #expect(first.metrics.version == "HTTP/2")
        #expect(!first.metrics.isReusedConnection)
        #expect(second.metrics.isReusedConnection)
        #expect(server.connections.all.count == 1)
        #expect(server.fields.all.allSatisfy { $0["x-key"] == ["k"] })
    }

    @Test func `one HTTP/2 connection carries many transfers`() async throws {
        let gate = Gate()
        let server = try await HTTP2Server.start(identity, body: picture, gate: gate)
        let downloader = try downloader { $0.concurrentPerHost = 1 }
        let url = try #require(URL(string: server.url))
        await gate.open()
        _ = try await downloader.download(DownloadRequest.picture(url)) { _ in }
        let held = Gate()
        server.hold(at: held)
        let transfers = (0..<32).map { _ in
            Task { try await downloader.download(DownloadRequest.picture(url)) { _ in } }
        }
        await held.untilArrived(32)
        await held.open()
        for transfer in transfers { #expect(try await transfer.value.data == Data(picture)) }
        downloader.shutdown()
        await server.stop()
        #expect(server.connections.all.count == 1)
    }

    /// Within a few of these rounds a request comes to a connection that is closing just then, which the client calls
    /// cancelled.
    @Test func `a lost connection is not reported as a cancellation`() async throws {
        let server = try await HTTP2Server.start(identity, body: picture)
        let downloader = try downloader { $0.concurrentPerHost = 2 }
        let request = DownloadRequest.picture(try #require(URL(string: server.url)))
        for _ in 0..<20 {
            let transfers = (0..<8).map { _ in Task { try await downloader.download(request) { _ in } } }
            await server.disconnect()
            for transfer in transfers {
                if case .failure(let error) = await transfer.result { #expect(error as? DownloadError != .cancelled) }
            }
        }
        downloader.shutdown()
        await server.stop()
    }
}
