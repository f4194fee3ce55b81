import Retrying
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct HostPaceTests {
    private let clock = ManualClock()

    private func health(rate: Double = 2) -> HostHealth {
        HostHealth(
            breaker: CircuitBreaker(threshold: 1, policy: .constant(.seconds(10))),
            pace: TokenBucket(rate: rate, capacity: 1), clock: clock)
    }

    @Test func `requests to a host are limited by its pace`() throws {
        let health = health()
        _ = try health.admit("a.example")
        #expect(throws: HostRejection.paced(for: .milliseconds(500))) { try health.admit("a.example") }
        clock.advance(by: .milliseconds(500))
        _ = try health.admit("a.example")
        #expect(HostRejection.paced(for: .seconds(1)).delay == .seconds(1))
    }

    @Test func `each host has its own pace`() throws {
        let health = health()
        _ = try health.admit("a.example")
        #expect(throws: Never.self) { try health.admit("b.example") }
    }

    @Test func `a rejection by the circuit uses no pace`() throws {
        let health = health()
        health.record(.failure, of: try health.admit("a.example"))
        clock.advance(by: .seconds(1))
        #expect(throws: HostRejection.circuitOpen(for: .seconds(9))) { try health.admit("a.example") }
        #expect(throws: HostRejection.circuitOpen(for: .seconds(9))) { try health.admit("a.example") }
    }

    @Test func `a turn waits for the pace and reports the wait`() async throws {
        let health = health()
        _ = try await health.turn(at: "a.example")
        let (waits, sink) = AsyncStream<HostRejection>.makeStream()
        let waiting = Task { try await health.turn(at: "a.example") { sink.yield($0) } }
        await clock.untilSleepers()
        clock.advance(by: .milliseconds(500))
        _ = try await waiting.value
        sink.finish()
        #expect(await waits.reduce(into: []) { $0.append($1) } == [.paced(for: .milliseconds(500))])
    }

    @Test func `a redirected request waits for the pace too`() async throws {
        let health = health()
        try await health.pace(at: "a.example")
        let waiting = Task { try await health.pace(at: "a.example") }
        await clock.untilSleepers()
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        clock.advance(by: .milliseconds(500))
        #expect(throws: Never.self) { try health.admit("a.example") }
    }

    @Test func `a paced host is remembered until its bucket is full`() throws {
        let health = health(rate: 0.01)
        for index in 0..<300 { health.record(.success, of: try health.admit("\(index).example")) }
        clock.advance(by: .seconds(400))
        for index in 300..<800 { health.record(.success, of: try health.admit("\(index).example")) }
        #expect(health.hostCount < 700)
        #expect(throws: HostRejection.self) { try health.admit("799.example") }
    }
}
