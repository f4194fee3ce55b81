import FaultServer
import Foundation
import ImageTestSupport
import TestSupport
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

/// What becomes of a connection after a transfer, and what is known of it.
@Suite(.timeLimit(.minutes(1))) struct ConnectionTests {
    private let picture: [UInt8]

    init() throws { picture = Array(try Pictures.png()) }

    @Test func `a connection is reused and the metrics say so`() async throws {
        try await DownloadStage.play(["/x": [.picture(picture)]]) { stage in
            let first = try await stage.download().get().metrics
            let second = try await stage.download().get().metrics
            #expect(!first.isReusedConnection)
            #expect(first.connect != nil)
            #expect(second.isReusedConnection)
            #expect(second.connect == nil)
            #expect(await stage.server.connections == 1)
        }
    }

    @Test func `drain fails queued transfers and lets running ones finish`() async throws {
        let gate = FaultGate()
        let scripts: [String: [FaultScript]] = [
            "/x": [.pauseInBody(picture, after: 20, until: gate)], "/y": [.picture(picture)],
        ]
        let limit = { (configuration: inout DownloaderConfiguration) in
            configuration.limits.concurrentPerHost = 1
        }
        try await DownloadStage.play(scripts, configure: limit) { stage in
            // Given a transfer under way, and another that waits for its connection
            let progress = Recorder<DownloadProgress>()
            async let first = stage.download(onProgress: { progress.add($0) })
            try await eventually("the first bytes") { !progress.all.isEmpty }
            async let second = stage.download("/y")
            // When no more are to begin
            stage.downloader.drain()
            gate.open()
            // Then the one goes on, the other and later ones are cancelled, and no server hears of them
            #expect(try await first.get().data == Data(picture))
            #expect(await second.error == .cancelled)
            #expect(await stage.download("/y").error == .cancelled)
            #expect(await stage.server.requests.count == 1)
        }
    }

    @Test func `the times in the metrics are in order`() async throws {
        try await DownloadStage.play(["/x": [.picture(picture)]]) { stage in
            let metrics = try await stage.download().get().metrics
            #expect(try #require(metrics.connect) <= metrics.firstByte)
            #expect(metrics.firstByte <= metrics.total)
            #expect(metrics.queued >= .zero)
        }
    }

    @Test func `a running transfer reports its times until the first byte`() async throws {
        try await DownloadStage.play(["/x": [.picture(picture)]]) { stage in
            let progress = Recorder<DownloadProgress>()
            for _ in 0..<2 {
                let metrics = try await stage.download(onProgress: { progress.add($0) }).get().metrics
                let last = try #require(progress.all.last)
                #expect(last.phases == metrics.phases)
                #expect(last.firstByte == metrics.firstByte)
            }
        }
    }

    @Test(arguments: ["excess", "both", "differing", "short"])
    func `after a dubious response the next request uses a new connection`(kind: String) async throws {
        let head = FaultScript.head(200, [("Content-Length", "\(picture.count)")])
        let scripts: [String: FaultScript] = [
            // In one piece, so that all is there before the next request.
            "excess": FaultScript([.send(head + picture + Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))]),
            "both": .lengthAndChunked(picture).keptOpen,
            "differing": .contentLengths(["5", "6"], body: picture).keptOpen,
            "short": .shortBody(picture, sent: 5),
        ]
        let script = try #require(scripts[kind])
        try await DownloadStage.play(["/x": [script], "/y": [.picture(picture)]]) { stage in
            _ = await stage.download()
            let next = try await stage.download("/y").get()
            #expect(next.data == Data(picture))
            #expect(await stage.server.requests.map(\.connection) == [1, 2])
        }
    }

    @Test(arguments: [FaultScript.reset, .hangUp])
    func `a kept connection closed by its server costs no attempt`(script: FaultScript) async throws {
        try await DownloadStage.play(["/x": [.picture(picture), script, .picture(picture)]]) { stage in
            _ = try await stage.download().get()
            let second = try await stage.download().get()
            #expect(second.data == Data(picture))
            #expect(!second.metrics.isReusedConnection)
            #expect(await stage.server.requests.map(\.connection) == [1, 1, 2])
        }
    }

    @Test func `a new connection that its server closes is a failed attempt`() async throws {
        try await DownloadStage.play(["/x": [.reset, .picture(picture)]]) { stage in
            #expect(await stage.download().error == .response(.transport(.reset)))
            #expect(await stage.server.count(of: "/x") == 1)
        }
    }

    @Test func `repeated resets after a kept connection are one failed attempt`() async throws {
        try await DownloadStage.play(["/x": [.picture(picture), .reset]]) { stage in
            _ = try await stage.download().get()
            #expect(await stage.download().error == .response(.transport(.reset)))
            #expect(await stage.server.count(of: "/x") == 3)
        }
    }

    @Test func `a refused host does not affect other hosts`() async throws {
        let port = try FaultServer.closedPort()
        try await DownloadStage.play(["/x": [.picture(picture)]]) { stage in
            #expect(await stage.download("http://127.0.0.1:\(port)/x").error == .response(.transport(.refused)))
            #expect(await stage.download().error == nil)
        }
    }
}
