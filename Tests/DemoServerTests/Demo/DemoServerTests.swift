import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DemoServer

@Suite(.timeLimit(.minutes(1))) struct DemoServerTests {
    private let place: TemporaryFolder

    init() throws { place = try TemporaryFolder() }

    private func folder(_ bytes: [UInt8]) throws -> URL {
        try place.write("a.png", bytes)
        return place.url
    }

    @Test func `a picture is served byte for byte at the address it names`() async throws {
        let folder = try folder(Array(repeating: 7, count: 200_000))
        let server = try await DemoServer.start(pictures: folder, rate: nil)
        #expect(server.urls.first == "http://127.0.0.1:\(server.port)/pictures/a.png")
        let request = RawClient.get("/pictures/a.png", headers: "Connection: close\r\n")
        let (bytes, end) = try await RawClient.exchange(request, port: server.port)
        await server.stop()
        #expect(end == .closed)
        #expect(bytes.starts(with: Array("HTTP/1.1 200 OK\r\n".utf8)))
        #expect(bytes.suffix(200_000).allSatisfy { $0 == 7 })
    }

    @Test func `paces the body by the clock`() async throws {
        let folder = try folder(Array(repeating: 7, count: 5000))
        let clock = CountingClock()
        let server = try await DemoServer.start(pictures: folder, rate: 20_000, clock: clock)
        let request = RawClient.get("/pictures/a.png", headers: "Connection: close\r\n")
        _ = try await RawClient.exchange(request, port: server.port)
        await server.stop()
        #expect(clock.slept == .milliseconds(250))
    }

    @Test func `stopping ends open connections`() async throws {
        let folder = try folder([1])
        let server = try await DemoServer.start(pictures: folder)
        async let waiting = RawClient.exchange("GET /unfinished", port: server.port)
        await server.stop()
        await server.stop()
        let result = try? await waiting
        #expect(result.map(\.bytes) ?? [] == [])
    }

    @Test func `a folder without pictures is an error`() async throws {
        let nowhere = URL(fileURLWithPath: "/nowhere")
        await #expect(throws: LoopbackError.noPictures(folder: "/nowhere")) {
            _ = try await DemoServer.start(pictures: nowhere)
        }
    }
}

/// A clock that never waits, and adds up how long it was asked to.
private final class CountingClock: Clock {
    typealias Instant = ContinuousClock.Instant

    private let total = Mutex(Duration.zero)
    private let start = ContinuousClock().now

    var slept: Duration { total.withLock { $0 } }
    var now: Instant { start.advanced(by: slept) }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        total.withLock { $0 = max($0, start.duration(to: deadline)) }
    }
}
