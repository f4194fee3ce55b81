import FaultServer
import Foundation
import ImageTestSupport
import Retrying
import TestSupport
import Testing

@testable import ImageLoading

/// What a server's Retry-After does, from the wire to the next attempt.
@Suite(.timeLimit(.minutes(1))) struct RetryAfterTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT, the example of RFC 9110.
    private static let now = Date(timeIntervalSince1970: 784_111_777)
    private static let policyDelay = Duration.seconds(7)

    private let clock = ManualClock(advancesItself: true)

    /// The delays before the second attempt that were told, or the error.
    private func delays(after field: String, status: Int = 503) async throws -> Result<[Duration], ImageError> {
        let busy = FaultScript.status(status, headers: [("Retry-After", field)])
        let server = try await FaultServer.start(["/a.png": [busy, .picture(Array(try Pictures.png()))]])
        let downloader = ImageDownloader(now: { Self.now })
        let pipeline = ImagePipeline(
            cache: ImageCache(disk: nil), downloader: downloader, hosts: HostHealth(clock: clock))
        let retrier = withConstantDelay(Self.policyDelay).giveUpAfter(maxAttempts: 2).timed(by: clock)
        let told = Recorder<Duration>()
        let url = try #require(URL(string: server.url("/a.png")))
        let result: Result<[Duration], ImageError>
        do throws(ImageError) {
            _ = try await pipeline.warm(.network(url), options: [.retryStrategy(retrier)]) { event in
                if case .retrying(_, _, let delay) = event { told.add(delay) }
            }
            result = .success(told.all)
        } catch {
            result = .failure(error)
        }
        await server.stop()
        downloader.shutdown()
        return result
    }

    @Test(arguments: [
        ("0", 0), ("2", 2), ("60", 60), ("Sun, 06 Nov 1994 08:50:07 GMT", 30), ("Sun, 06 Nov 1994 08:49:36 GMT", 0),
        ("Sunday, 06-Nov-94 08:49:57 GMT", 20), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ])
    func `a Retry-After of up to a minute is waited for, plus at most half a second of jitter`(
        field: String, seconds: Int
    ) async throws {
        let delays = try await delays(after: field).get()
        let delay = try #require(delays.first)
        #expect(delays.count == 1)
        #expect(delay >= .seconds(seconds) && delay <= .seconds(seconds) + .milliseconds(500))
    }

    @Test(arguments: ["-1", "1e30", ".5", "soon", "", "Sun, 99 Nov 1994 08:49:37 GMT", "0x10"])
    func `a malformed Retry-After leaves the delay to the policy`(field: String) async throws {
        #expect(try await delays(after: field).get() == [Self.policyDelay])
    }

    @Test(arguments: [("86400", 86_400), ("61", 61), ("Mon, 07 Nov 1994 08:49:37 GMT", 86_400)])
    func `a longer Retry-After fails at once and is part of the error`(field: String, seconds: Int) async throws {
        let expected = ImageError.response(.invalidHTTPStatusCode(503, retryAfter: .seconds(seconds)))
        #expect(try await delays(after: field) == .failure(expected))
    }

    @Test(arguments: [
        ("0", Duration.zero), ("2", .seconds(2)), ("Sun, 06 Nov 1994 08:50:07 GMT", .seconds(30)),
        ("Sun, 06 Nov 1994 08:49:36 GMT", .zero), ("-1", policyDelay), ("1e30", policyDelay), ("soon", policyDelay),
    ])
    func `Retry-After of a 429 is respected too`(field: String, expected: Duration) async throws {
        let delay = try #require(try await delays(after: field, status: 429).get().first)
        #expect(delay >= expected && delay <= expected + .milliseconds(500))
    }

    @Test func `a longer Retry-After of a 429 fails at once too`() async throws {
        let expected = ImageError.response(.invalidHTTPStatusCode(429, retryAfter: .seconds(86_400)))
        #expect(try await delays(after: "86400", status: 429) == .failure(expected))
    }

    @Test func `Retry-After seconds beyond Int.max count as the longest delay`() async throws {
        let result = try await delays(after: String(repeating: "9", count: 40))
        guard case .failure(.response(.invalidHTTPStatusCode(503, let delay?))) = result else {
            Issue.record("it answered \(result)")
            return
        }
        #expect(delay > .seconds(3_000_000_000))
    }

    @Test func `the pause applies to every request to the host`() async throws {
        let server = try await FaultServer.start([
            "/busy.png": [.unavailable(retryAfter: "30"), .picture(Array(try Pictures.png()))],
            "/other.png": [.picture(Array(try Pictures.png()))],
        ])
        let clock = ManualClock()
        let pipeline = ImagePipeline(cache: ImageCache(disk: nil), hosts: HostHealth(clock: clock))
        let busy = try #require(URL(string: server.url("/busy.png")))
        let other = try #require(URL(string: server.url("/other.png")))
        await #expect(throws: ImageError.self) { try await pipeline.warm(.network(busy)) }

        let parked = Recorder<HostRejection>()
        let waiting = Task {
            try await pipeline.warm(.network(other)) { if case .parked(let reason) = $0 { parked.add(reason) } }
        }
        await clock.untilSleepers()
        #expect(await server.count(of: "/other.png") == 0)
        clock.advance(by: .seconds(30))

        #expect(try await waiting.value.byteCount > 0)
        #expect(parked.all == [.parked(for: .seconds(30))])
        await server.stop()
    }
}
