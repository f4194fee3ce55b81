import Foundation
import TestSupport
import Testing

@testable import ImageLoading

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

    @Test func aPictureArrivesAndTheConnectionIsUsedAgain() async throws {
        let server = try await HTTP2Server.start(identity, body: picture)
        let downloader = try downloader()
        let request = DownloadRequest(url: try #require(URL(string: server.url)), headers: [("X-Key", "k")])
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
        #expect(server.fields.all.allSatisfy { $0["x-key"] == ["k"] && $0[ExchangeTable.field] == [] })
    }

    @Test func aHostThatSpeaksItTakesManyTransfersOnOneConnection() async throws {
        let gate = Gate()
        let server = try await HTTP2Server.start(identity, body: picture, gate: gate)
        let downloader = try downloader { $0.concurrentPerHost = 1 }
        let url = try #require(URL(string: server.url))
        await gate.open()
        _ = try await downloader.download(DownloadRequest(url: url)) { _ in }
        let held = Gate()
        server.hold(at: held)
        let transfers = (0..<32).map { _ in Task { try await downloader.download(DownloadRequest(url: url)) { _ in } } }
        await held.untilArrived(32)
        await held.open()
        for transfer in transfers { #expect(try await transfer.value.data == Data(picture)) }
        downloader.shutdown()
        await server.stop()
        #expect(server.connections.all.count == 1)
    }

    @Test func aServerMaySendWholePicturesBeforeItHearsFromUs() async throws {
        let server = try await HTTP2Server.start(identity, body: picture)
        let downloader = try downloader()
        _ = try await downloader.download(DownloadRequest(url: try #require(URL(string: server.url)))) { _ in }
        downloader.shutdown()
        await server.stop()
        #expect(server.windows.all.contains(.stream(1 << 20)))
        #expect(server.windows.all.contains(.connection(8 << 20)))
    }

    // MARK: Requests that are ready

    /// A server of whose streams two may be open, and a downloader that keeps two more requests ready.
    private func busy(
        _ test: (_ server: HTTP2Server, _ downloader: ImageDownloader, _ add: () throws -> Transfer) async throws ->
            Void
    ) async throws {
        let server = try await HTTP2Server.start(identity, body: picture)
        let downloader = try downloader {
            $0.streamsPerHost = 2
            $0.readyPerHost = 2
        }
        let request = DownloadRequest(url: try #require(URL(string: server.url)))
        try await test(server, downloader) { Task { try await downloader.download(request) { _ in } } }
        downloader.shutdown()
        await server.stop()
    }

    private typealias Transfer = Task<Download, any Error>

    /// Two transfers at the gate, and two more that are ready.
    private func hold(
        at gate: Gate, _ server: HTTP2Server, _ downloader: ImageDownloader, _ add: () throws -> Transfer
    ) async throws -> (open: [Transfer], ready: [Transfer]) {
        // That the host speaks HTTP/2 is known while it is busy only.
        let first = Gate()
        server.hold(at: first)
        let before = try (0..<2).map { _ in try add() }
        await first.untilArrived(2)
        let open = try (0..<2).map { _ in try add() }
        server.hold(at: gate)
        await first.open()
        for transfer in before { #expect(try await transfer.value.data == Data(picture)) }
        await gate.untilArrived(2)
        let ready = try (0..<2).map { _ in try add() }
        try await eventually("the ready ones") { downloader.heldCount == 2 }
        return (open, ready)
    }

    @Test func noMoreStreamsAreOpenThanMayBe() async throws {
        try await busy { server, _, add in
            let transfers = try (0..<40).map { _ in try add() }
            for transfer in transfers { #expect(try await transfer.value.data == Data(picture)) }
            #expect(server.crowds.all.count == 40)
            #expect(server.crowds.all.allSatisfy { $0 <= 2 })
        }
    }

    @Test func whoIsReadyGoesWhenAStreamEnds() async throws {
        try await busy { server, downloader, add in
            let gate = Gate()
            let (open, ready) = try await hold(at: gate, server, downloader, add)
            #expect(server.fields.all.count == 4)
            await gate.open()
            for transfer in open + ready { #expect(try await transfer.value.data == Data(picture)) }
            #expect(server.crowds.all.max() == 2)
            #expect(downloader.heldCount == 0)
        }
    }

    @Test func whoIsReadyWhenTheConnectionEndsGoesOnAnother() async throws {
        try await busy { server, downloader, add in
            let (open, ready) = try await hold(at: Gate(), server, downloader, add)
            let next = Gate()
            await next.open()
            server.hold(at: next)
            await server.disconnect()
            for transfer in open { _ = await transfer.result }
            for transfer in ready { #expect(try await transfer.value.data == Data(picture)) }
        }
    }

    @Test func whoIsReadyCanBeGivenUp() async throws {
        try await busy { server, downloader, add in
            let gate = Gate()
            let (open, ready) = try await hold(at: gate, server, downloader, add)
            ready[0].cancel()
            await #expect(throws: ImageError.cancelled) { try await ready[0].value }
            downloader.drain()
            await #expect(throws: ImageError.cancelled) { try await ready[1].value }
            try await eventually("nobody waits") { downloader.heldCount == 0 }
            await gate.open()
            for transfer in open { #expect(try await transfer.value.data == Data(picture)) }
            #expect(server.fields.all.count == 4)
        }
    }
}
