import FaultServer
import Foundation
import ImageTestSupport
import Retrying
import TestSupport
import Testing

@testable import ImageLoading

/// Statuses and what the pipeline makes of them: rows H16 to H19 of the fault matrix.
@Suite(.timeLimit(.minutes(1))) struct StatusFaultTests {
    private let picture: [UInt8]

    init() throws { picture = Array(try Pictures.png()) }

    private func status(_ code: Int) -> ImageError { .response(.invalidHTTPStatusCode(code, retryAfter: nil)) }

    @Test(arguments: [(401, 2), (403, 2), (404, 1), (410, 1), (451, 2)])
    func `a permanent status is not retried, and 404 and 410 are remembered`(
        code: Int, requests: Int
    ) async throws {
        try await PipelineStage.play(["/x": [.status(code)]]) { stage in
            #expect(await stage.load().error == status(code))
            #expect(await stage.server.count(of: "/x") == 1)
            #expect(await stage.load().error == status(code))
            #expect(await stage.server.count(of: "/x") == requests)
            #expect(stage.contents == [])
        }
    }

    @Test(arguments: [(404, 1), (410, 0), (403, 1), (451, 1)])
    func `when an expired picture is revalidated only 410 removes it`(code: Int, left: Int) async throws {
        let first = FaultScript.respond(headers: [("ETag", "\"1\"")], body: picture)
        try await PipelineStage.play(["/x": [first, .status(code)]]) { stage in
            let options: ImageOptions = [.diskCacheExpiration(.seconds(60)), .memoryCacheExpiration(.expired)]
            #expect(await stage.load(options: options).error == nil)
            stage.date.advance(bySeconds: 61)
            #expect(await stage.load(options: options).error == status(code))
            #expect(await stage.server.requests.last?.values(of: "If-None-Match") == ["\"1\""])
            #expect(stage.contents.count == left)
        }
    }

    @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
    func `a temporary status is retried`(code: Int) async throws {
        try await PipelineStage.play(["/x": [.status(code), .picture(picture)]]) { stage in
            #expect(await stage.load().error == nil)
            #expect(await stage.server.count(of: "/x") == 2)
        }
    }

    @Test(arguments: [429, 503], [true, false])
    func `refusals hold up the loads that retry or wait for the host, no others`(code: Int, waits: Bool) async throws {
        let scripts = (0..<12).map { ("/\($0)", [FaultScript.status(code)]) } + [("/x", [.picture(picture)])]
        try await PipelineStage.play(Dictionary(uniqueKeysWithValues: scripts)) { stage in
            await withTaskGroup { group in
                for number in 0..<12 { group.addTask { _ = await stage.load("/\(number)", options: []) } }
            }
            let reasons = Recorder<HostRejection>()
            var options: ImageOptions = []
            options.download.waitsForHost = waits
            let result = await stage.load(options: options) { if case .parked(let reason) = $0 { reasons.add(reason) } }
            #expect(result.error == nil)
            #expect(reasons.all.isEmpty != waits, "\(reasons.all)")
        }
    }

    @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
    func `retry delays are random up to the bound of the policy`(code: Int) async throws {
        let waits = Recorder<Duration>()
        try await PipelineStage.play(["/x": [.status(code)]]) { stage in
            let retrier = withExponentialBackoff(timeSlot: .seconds(2), maxDelay: .seconds(5), jitter: .full)
                .giveUpAfter(maxAttempts: 4).timed(by: ManualClock(advancesItself: true))
                .randomized(by: { SeededRandom(seed: UInt64(code)) })
            #expect(
                await stage.load(options: [.retryStrategy(retrier)]) { event in
                    if case .retrying(_, _, let delay) = event { waits.add(delay) }
                }.error == status(code))
            #expect(await stage.server.count(of: "/x") == 4)
        }
        #expect(waits.all.count == 3 && Set(waits.all).count == 3)
        for (wait, bound) in zip(waits.all, [2, 4, 5]) { #expect(wait >= .zero && wait <= .seconds(bound)) }
    }

    @Test func `a failing host gets retries for a tenth of its requests plus ten`() async throws {
        let count = 100
        let scripts = (0..<count).map { ("/\($0)", [FaultScript.status(500)]) }
        let hosts = HostHealth(breaker: CircuitBreaker(threshold: .max), clock: ManualClock())
        try await PipelineStage.play(Dictionary(uniqueKeysWithValues: scripts), hosts: hosts) { stage in
            var errors: [ImageError?] = []
            for number in 0..<count { errors.append(await stage.load("/\(number)").error) }
            #expect(await stage.server.requests.count == count + count / 10 + 10)
            #expect(
                errors.contains(
                    .response(.retryBudgetExhausted(after: .response(.invalidHTTPStatusCode(500, retryAfter: nil))))))
            #expect(!errors.contains(nil))
        }
    }

    @Test func `retries after Retry-After do not use the retry budget`() async throws {
        let count = 40
        let busy = FaultScript.status(429, headers: [("Retry-After", "2")])
        let scripts = (0..<count).map { ("/\($0)", [busy, .picture(picture)]) }
        let clock = ManualClock(advancesItself: true)
        let hosts = HostHealth(breaker: CircuitBreaker(threshold: .max), clock: clock)
        let retrier = withNoDelay().giveUpAfter(maxAttempts: 2).timed(by: clock)
        try await PipelineStage.play(Dictionary(uniqueKeysWithValues: scripts), hosts: hosts) { stage in
            for number in 0..<count {
                #expect(await stage.load("/\(number)", options: [.retryStrategy(retrier)]).error == nil)
            }
            #expect(await stage.server.requests.count == 2 * count)
        }
    }

    @Test(arguments: [429, 503])
    func `a host that refuses each picture once is slowed down and delivers every picture`(code: Int) async throws {
        let count = 40
        let scripts = (0..<count).map { ("/\($0)", [.status(code), FaultScript.picture(picture)]) }
        let clock = ManualClock(advancesItself: true)
        let start = clock.now
        let hosts = HostHealth(breaker: CircuitBreaker(threshold: .max), clock: clock)
        let retrier = withNoDelay().giveUpAfter(maxAttempts: 2).timed(by: clock)
        let changes = Recorder<HostEvent.Change>()
        let observation = hosts.observe { changes.add($0.change) }
        try await PipelineStage.play(Dictionary(uniqueKeysWithValues: scripts), hosts: hosts) { stage in
            for number in 0..<count {
                #expect(await stage.load("/\(number)", options: [.retryStrategy(retrier)]).error == nil)
            }
            #expect(await stage.server.requests.count == 2 * count)
        }
        observation.cancel()
        let time = start.duration(to: clock.now)
        // Slowing down did not help, so it ended.
        #expect(time > .seconds(1) && time < .seconds(10))
        #expect(changes.all == [.slowed(requestsPerSecond: 2), .resumed])
    }

    @Test(arguments: [300, 304, 305, 306])
    func `a status that is not a redirect does not follow its target`(code: Int) async throws {
        let script = FaultScript.redirect(to: "/y", status: code).then(.close)
        try await PipelineStage.play(["/x": [script], "/y": [.picture(picture)]]) { stage in
            #expect(await stage.load().error == status(code))
            #expect(await stage.server.requests.map(\.path) == ["/x"])
        }
    }

    @Test(arguments: [("bytes 0-9/100", 206), ("bytes */100", 416), ("", 204), ("", 205)])
    func `an unrequested part or empty response is an error and not stored`(
        range: String, code: Int
    ) async throws {
        let fields = range.isEmpty ? [] : [("Content-Range", range)]
        try await PipelineStage.play(["/x": [.respond(code, headers: fields, body: picture).then(.close)]]) { stage in
            #expect(await stage.load().error == status(code))
            #expect(await stage.server.count(of: "/x") == 1)
            #expect(stage.contents == [])
        }
    }
}
