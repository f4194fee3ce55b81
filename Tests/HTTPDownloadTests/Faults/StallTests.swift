import FaultServer
import Foundation
import ImageTestSupport
import TestSupport
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

/// Answers that stop anywhere, in virtual time: row H6 of the fault matrix.
@Suite(.timeLimit(.minutes(1))) struct StallTests {
    private let clock = ManualClock()
    private let picture: [UInt8]
    private let head: [UInt8]

    init() throws {
        picture = Array(try Pictures.png(width: 40, height: 30))
        head = FaultScript.head(
            200, [("Content-Length", "\(picture.count)"), ("Accept-Ranges", "bytes"), ("ETag", "\"1\"")])
    }

    @Test(arguments: Array(0...50))
    func `a response head that stops after any byte times out`(count: Int) async throws {
        try #require(count < head.count)
        let script = FaultScript([.send(Array(head.prefix(count))), .stall])
        let clock = clock
        try await DownloadStage.play(["/x": [script]], clock: clock) { stage in
            let download = Task { await stage.download() }
            await stage.server.arrival(of: "/x")
            #expect(await whileTimePasses(on: clock, download).error == .response(.timedOut(.head)))
        }
    }

    @Test(arguments: Array(1...24) as [UInt64])
    func `a body that stops anywhere times out and its bytes are kept for resuming`(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let count = Int.random(in: 65..<picture.count, using: &random)
        let script = FaultScript([.send(head), .send(Array(picture.prefix(count))), .stall])
        let clock = clock
        let arrived = Gate()
        await arrived.open()
        try await DownloadStage.play(["/x": [script]], clock: clock, configure: { $0.limits.minimumRate = 0 }) {
            stage in
            var request = try stage.request()
            request.onBytes = { bytes, offset in
                if offset + bytes.count == count { Task { await arrived.pass() } }
            }
            let download = Task { [request] in await stage.download(request) }
            await arrived.untilArrived()
            #expect(await whileTimePasses(on: clock, download).error == .response(.timedOut(.idle)))
            #expect(stage.keptBytes == count)
        }
    }
}
