import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AlcedoDemoServer

@Suite(.timeLimit(.minutes(1))) struct DemoServerTests {
    private let place: TemporaryFolder

    init() throws { place = try TemporaryFolder() }

    private func folder(_ bytes: [UInt8]) throws -> URL {
        try place.write("a.png", bytes)
        return place.url
    }

    @Test func `a picture is served byte for byte at its address`() async throws {
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

    @Test func `the body is paced by the clock`() async throws {
        let folder = try folder(Array(repeating: 7, count: 5000))
        let clock = CountingClock()
        let server = try await DemoServer.start(pictures: folder, rate: 20_000, clock: clock)
        let request = RawClient.get("/pictures/a.png", headers: "Connection: close\r\n")
        _ = try await RawClient.exchange(request, port: server.port)
        await server.stop()
        #expect(clock.slept == .milliseconds(250))
    }

    @Test func `a connection is kept alive and a HEAD response has no body`() async throws {
        let server = try await DemoServer.start(pictures: try folder([1, 2, 3]), rate: nil)
        let requests =
            "HEAD /pictures/a.png HTTP/1.1\r\n\r\n" + RawClient.get("/none")
            + RawClient.get("/pictures/a.png", headers: "Range: bytes=1-\r\nConnection: close\r\n")
        let (bytes, end) = try await RawClient.exchange(requests, port: server.port)
        await server.stop()
        let answers = String(decoding: bytes, as: UTF8.self).components(separatedBy: "HTTP/1.1 ").dropFirst()
        #expect(answers.map { $0.prefix(3) } == ["200", "404", "206"])
        #expect(answers.first?.hasSuffix("\r\n\r\n") == true)
        #expect(answers.first?.contains("Content-Length: 3\r\n") == true)
        #expect(bytes.suffix(2) == [2, 3])
        #expect(end == .closed)
    }

    @Test(arguments: [
        ("nonsense\r\n\r\n", "400 Bad Request"), ("POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\nx", "405 "),
    ])
    func `an invalid request closes the connection`(request: String, status: String) async throws {
        let server = try await DemoServer.start(pictures: try folder([1]), rate: nil)
        let (bytes, end) = try await RawClient.exchange(request, port: server.port)
        await server.stop()
        #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("HTTP/1.1 \(status)"))
        #expect(String(decoding: bytes, as: UTF8.self).contains("Connection: close\r\n"))
        #expect(end == .closed)
    }

    @Test func `stopping closes open connections`() async throws {
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
