import FaultServer
import Foundation
import ImageTestSupport
import TestSupport
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

/// Servers that take too long, in virtual time.
@Suite(.timeLimit(.minutes(1))) struct DownloadTimeTests {
    private let clock = ManualClock()
    private let picture: [UInt8]

    init() throws { picture = Array(try Pictures.png(width: 40, height: 30)) }

    @Test func `a missing response head times out at the limit`() async throws {
        let clock = clock
        try await DownloadStage.play(["/x": [.stall]], clock: clock) { stage in
            async let result = stage.download()
            await clock.untilSleepers()
            clock.advance(by: .milliseconds(14_999))
            #expect(clock.sleeperCount == 1)
            clock.advance(by: .milliseconds(1))
            #expect(clock.sleeperCount == 0)
            let error = await result.error
            #expect(error == .response(.timedOut(.head)))
            #expect(error?.isRetryable == true)
        }
    }

    @Test func `a dripping response head times out at the same limit`() async throws {
        let clock = clock
        let script = FaultScript.dripHead(every: .seconds(1))
        try await DownloadStage.play(["/x": [script]], clock: clock, serverClock: clock) { stage in
            async let result = stage.download()
            for _ in 0..<15 {
                await clock.untilSleepers(2)
                clock.advance(by: .seconds(1))
            }
            // The drip may sleep again already; the watch does not.
            #expect(clock.sleeperCount <= 1)
            #expect(await result.error == .response(.timedOut(.head)))
        }
    }

    @Test func `the total time applies to the response head too`() async throws {
        let clock = clock
        try await DownloadStage.play(
            ["/x": [.stall]], clock: clock, configure: { $0.limits.total = .seconds(5) }
        ) { stage in
            async let result = stage.download()
            await clock.untilSleepers(2)
            clock.advance(by: .seconds(5))
            #expect(await result.error == .response(.timedOut(.total)))
        }
    }

    @Test func `the total time counts from the start of the transfer, whatever the rate`() async throws {
        let (clock, head) = (clock, Gate())
        await head.open()
        // Given a redirect at 8 s, and then a body that stops
        let handler = AnyRedirectHandler { redirect in
            clock.advance(by: .seconds(8))
            return redirect.next
        }
        let scripts = ["/a": [.redirect(to: "/x")], "/x": [FaultScript.stallInBody(picture, after: 99)]]
        try await DownloadStage.play(scripts, clock: clock, configure: { $0.limits.total = .seconds(10) }) { stage in
            async let result = stage.download("/a") {
                $0.redirectHandler = handler
                $0.onBytes = { _, _ in Task { await head.pass() } }
            }
            await head.untilArrived()
            // When the rest of the time passes, then the transfer ends
            clock.advance(by: .milliseconds(1_999))
            #expect(clock.sleeperCount == 2)
            clock.advance(by: .milliseconds(1))
            #expect(await result.error == .response(.timedOut(.total)))
        }
    }

    @Test(arguments: Array(0...64))
    func `a body that stalls after any of its first bytes times out`(count: Int) async throws {
        let error = try await failureAsTimePasses(.stallInBody(picture, after: count)) { $0.minimumRate = 0 }
        #expect(error == .response(.timedOut(.idle)))
        #expect(clock.now.offset >= .seconds(30))
    }

    @Test func `a request modifier can set the total time`() async throws {
        let clock = clock
        try await DownloadStage.play(["/x": [.stall]], clock: clock) { stage in
            async let result = stage.download {
                $0.modifier = AnyRequestModifier { request in
                    var request = request
                    request.timeout = .seconds(5)
                    return request
                }
            }
            await clock.untilSleepers(2)
            clock.advance(by: .seconds(5))
            #expect(await result.error == .response(.timedOut(.total)))
        }
    }

    @Test func `a dripping body is too slow`() async throws {
        let error = try await failureOfDrip { $0.idle = .seconds(3600) }
        #expect(error == .response(.timedOut(.rate)))
        #expect(error?.isRetryable == true)
    }

    @Test func `a dripping body ends at the total time`() async throws {
        let error = try await failureOfDrip {
            $0.minimumRate = 0
            $0.idle = .seconds(3600)
            $0.total = .seconds(40)
        }
        #expect(error == .response(.timedOut(.total)))
    }

    @Test func `bytes received before a stall are kept for the next attempt`() async throws {
        let head = FaultScript.head(
            200, [("Content-Length", "\(picture.count)"), ("Accept-Ranges", "bytes"), ("ETag", "\"1\"")])
        let script = FaultScript([.send(head), .send(Array(picture.prefix(80))), .stall])
        let arrived = Gate()
        await arrived.open()
        try await play(script) { stage, request in
            let download = Task {
                await stage.download(request) { _ in Task { await arrived.pass() } }
            }
            await arrived.untilArrived()
            #expect(await whileTimePasses(on: clock, download).error != nil)
            #expect(stage.keptBytes == 80)
        }
    }

    private func failureOfDrip(_ limit: (inout DownloadLimits) -> Void) async throws -> DownloadError? {
        try await failureAsTimePasses(.dripBody(picture, every: .seconds(5)), serverClock: clock, limit)
    }

    /// Lets the time pass as soon as the response's head is there.
    private func failureAsTimePasses(
        _ script: FaultScript, serverClock: any Clock<Duration> = ContinuousClock(),
        _ limit: (inout DownloadLimits) -> Void
    ) async throws -> DownloadError? {
        let clock = clock
        let head = Gate()
        await head.open()
        return try await play(script, serverClock: serverClock, limit) { stage, request in
            var request = request
            request.hooks = AnyHooks(onResponse: { _ in
                await head.pass()
                return .allow
            })
            let download = Task { [request] in await stage.download(request) }
            await head.untilArrived()
            return await whileTimePasses(on: clock, download).error
        }
    }

    private func play<Value>(
        _ script: FaultScript, serverClock: any Clock<Duration> = ContinuousClock(),
        _ limit: (inout DownloadLimits) -> Void = { _ in },
        _ act: (DownloadStage, DownloadRequest) async throws -> Value
    ) async throws -> Value {
        try await DownloadStage.play(
            ["/x": [script]], clock: clock, serverClock: serverClock, configure: { limit(&$0.limits) }
        ) { stage in
            try await act(stage, try stage.request())
        }
    }
}
