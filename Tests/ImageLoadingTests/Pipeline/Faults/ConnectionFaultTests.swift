import FaultServer
import Foundation
import ImageTestSupport
import Retrying
import TestSupport
import Testing

@testable import ImageLoading

/// Connections that fail, by way of the retries: rows H1 to H3 of the fault matrix.
@Suite(.timeLimit(.minutes(1))) struct ConnectionFaultTests {
    private let picture: [UInt8]

    init() throws { picture = Array(try Pictures.png(width: 40, height: 30)) }

    /// How each attempt at a path failed, the last one too.
    private func errors(of path: String, on stage: PipelineStage) async -> [ImageError] {
        let told = Recorder<ImageError>()
        let result = await stage.load(path) { event in
            if case .retrying(_, let error, _) = event { told.add(error) }
        }
        return told.all + [result.error].compactMap { $0 }
    }

    @Test func `a refused connection is retried twice and other hosts are unaffected`() async throws {
        let port = try FaultServer.closedPort()
        try await PipelineStage.play(["/x": [.picture(picture)]]) { stage in
            let refused = ImageError.response(.transport(.refused))
            #expect(await errors(of: "http://127.0.0.1:\(port)/x", on: stage) == [refused, refused, refused])
            #expect(await stage.load("/x").error == nil)
        }
    }

    @Test func `a connection timeout counts as one failure of its host and frees its place`() async throws {
        let full = try FullListener()
        let (host, address) = ("127.0.0.1:\(full.port)", "http://127.0.0.1:\(full.port)/x")
        let hosts = HostHealth(breaker: CircuitBreaker(threshold: 2), clock: ManualClock())
        try await PipelineStage.play(["/x": [.picture(picture)]], hosts: hosts) {
            $0.connect = .milliseconds(500)
            $0.concurrent = 1
        } _: { stage in
            let once = PipelineStage.retrying(attempts: 1)
            #expect(await stage.load(address, options: once).error == .response(.timedOut(.connect)))
            _ = try hosts.admit(host)
            #expect(await stage.load("/x", options: once).error == nil)
            #expect(await stage.load(address, options: once).error == .response(.timedOut(.connect)))
            #expect(throws: HostRejection.self) { try hosts.admit(host) }
        }
    }

    @Test(arguments: [
        "at once", "in order", "in the head", "after the head", "after a byte", "in the body", "before its last byte",
        "short",
    ])
    func `a connection lost before the body is complete costs one retry`(moment: String) async throws {
        let scripts: [String: FaultScript] = [
            "at once": .reset, "in order": .hangUp, "in the head": .resetInHead,
            "after the head": .resetInBody(picture, after: 0), "after a byte": .resetInBody(picture, after: 1),
            "in the body": .resetInBody(picture, after: 500),
            "before its last byte": .resetInBody(picture, after: picture.count - 1),
            "short": .shortBody(picture, sent: picture.count - 1),
        ]
        let script = try #require(scripts[moment])
        try await PipelineStage.play(["/x": [script, .picture(picture)]]) { stage in
            #expect(await stage.load().error == nil)
            #expect(await stage.server.count(of: "/x") == 2)
            #expect(await stage.stored() == Data(picture))
        }
    }

    @Test func `a server that resets every connection is tried up to the limit`() async throws {
        try await PipelineStage.play(["/x": [.picture(picture)]], onAccept: .reset) { stage in
            let reset = ImageError.response(.transport(.reset))
            #expect(await errors(of: "/x", on: stage) == [reset, reset, reset])
            // The client may open a connection more for a request that lost its own before it was sent.
            #expect(await stage.server.connections >= 3)
        }
    }

    @Test(arguments: [true, false])
    func `a reset after the last byte or chunk costs no retry`(isChunked: Bool) async throws {
        let script = isChunked ? FaultScript.chunked(picture).then(.reset) : .resetAfterBody(picture)
        try await PipelineStage.play(["/x": [script]]) { stage in
            #expect(await stage.load().error == nil)
            #expect(await stage.server.count(of: "/x") == 1)
            #expect(await stage.stored() == Data(picture))
        }
    }
}
