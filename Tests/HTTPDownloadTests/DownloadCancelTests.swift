import FaultServer
import Foundation
import ImageTestSupport
import TestSupport
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

/// A cancel at every stage frees the place and the connection.
@Suite(.timeLimit(.minutes(1))) struct DownloadCancelTests {
    private let picture: [UInt8]

    init() throws { picture = Array(try Pictures.png()) }

    /// Cancels a transfer once `isThere` returns; then the place must be free, and the server see its client leave.
    private func cancel(
        _ script: FaultScript, hooks: AnyHooks = AnyHooks(),
        when isThere: (DownloadStage) async throws -> Void
    ) async throws {
        try await DownloadStage.play(
            ["/slow": [script], "/x": [.picture(picture)]],
            configure: {
                $0.limits.concurrent = 1
                $0.hooks = hooks
            }
        ) { stage in
            let request = try stage.request("/slow")
            let task = Task { await stage.download(request) }
            try await isThere(stage)
            task.cancel()
            #expect(await task.value.error == .cancelled)
            let next = try await stage.download().get()
            #expect(next.data == Data(picture))
        }
    }

    @Test func `a cancel before the response head ends the transfer`() async throws {
        try await cancel(.stall) { await $0.server.arrival(of: "/slow") }
    }

    @Test func `a cancel within the body ends the transfer`() async throws {
        let head = Gate()
        await head.open()
        let hooks = AnyHooks(onResponse: { _ in
            await head.pass()
            return .allow
        })
        try await cancel(.stallInBody(picture, after: 20), hooks: hooks) { _ in await head.untilArrived() }
    }

    @Test func `a cancel while connecting ends the transfer`() async throws {
        // A listener whose queue is full answers nothing: connecting stalls.
        let full = try FullListener()
        try await DownloadStage.play(["/x": [.picture(picture)]], configure: { $0.limits.concurrent = 1 }) { stage in
            let begun = Gate()
            await begun.open()
            var request = try stage.request("http://127.0.0.1:\(full.port)/x")
            request.hooks = AnyHooks(onWill: { _ in await begun.pass() })
            let task = Task { [request] in await stage.download(request) }
            await begun.untilArrived()
            task.cancel()
            #expect(await task.value.error == .cancelled)
            #expect(await stage.download().error == nil)
        }
    }

    @Test func `a cancel in the queue ends the transfer`() async throws {
        try await DownloadStage.play(
            ["/slow": [.stall], "/x": [.picture(picture)]], configure: { $0.limits.concurrent = 1 }
        ) { stage in
            let holder = try stage.request("/slow")
            let waiter = try stage.request("/x")
            let holding = Task { await stage.download(holder) }
            await stage.server.arrival(of: "/slow")
            let waiting = Task { await stage.download(waiter) }
            waiting.cancel()
            #expect(await waiting.value.error == .cancelled)
            #expect(await stage.server.count(of: "/x") == 0)
            holding.cancel()
            #expect(await holding.value.error == .cancelled)
        }
    }

    @Test func `the connection of a cancelled transfer is not reused`() async throws {
        try await DownloadStage.play(["/slow": [.stall], "/x": [.picture(picture)]]) { stage in
            let request = try stage.request("/slow")
            let task = Task { await stage.download(request) }
            await stage.server.arrival(of: "/slow")
            task.cancel()
            _ = await task.value
            _ = try await stage.download().get()
            #expect(await stage.server.requests.map(\.connection) == [1, 2])
        }
    }

    @Test func `a connection that takes too long is a timeout`() async throws {
        let full = try FullListener()
        try await DownloadStage.play([:], configure: { $0.limits.connect = .milliseconds(50) }) { stage in
            let result = await stage.download("http://127.0.0.1:\(full.port)/x")
            #expect(result.error == .response(.timedOut(.connect)))
        }
    }
}
