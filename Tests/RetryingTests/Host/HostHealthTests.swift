import Retrying
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HostHealthTests {
    let clock = ManualClock()

    private func health(threshold: Int = 5) -> HostHealth {
        HostHealth(
            breaker: CircuitBreaker(threshold: threshold, policy: .constant(.seconds(10))), clock: clock,
            random: { FixedRandom.lowest })
    }

    @Test func `a failing host is paused and other hosts are unaffected`() throws {
        let health = health(threshold: 1)
        health.record(.failure, of: try health.admit("a.example"))
        #expect(throws: HostRejection.circuitOpen(for: .seconds(10))) { try health.admit("a.example") }
        #expect(health.pause(of: "a.example") == .seconds(10))
        #expect(try !health.admit("b.example").isProbe)
        clock.advance(by: .seconds(10))
        let probe = try health.admit("a.example")
        #expect(probe.isProbe)
        health.record(.success, of: probe)
        #expect(health.pause(of: "a.example") == .zero)
    }

    @Test func `a parked host admits nothing until its time`() throws {
        let health = health()
        health.park("a.example", for: .seconds(30))
        health.park("a.example", for: .seconds(5))
        clock.advance(by: .seconds(10))
        #expect(throws: HostRejection.parked(for: .seconds(20))) { try health.admit("a.example") }
        #expect(health.pause(of: "a.example") == .seconds(20))
        clock.advance(by: .seconds(20))
        #expect(throws: Never.self) { try health.admit("a.example") }
    }

    @Test func `an exhausted retry budget is an error of its own`() throws {
        let health = health()
        for _ in 0..<10 { _ = try health.admit("a.example", isRetry: true) }
        #expect(throws: HostRejection.retryBudgetExhausted) { try health.admit("a.example", isRetry: true) }
        #expect(throws: Never.self) { try health.admit("a.example") }
        #expect(throws: Never.self) { try health.admit("b.example", isRetry: true) }
        #expect(HostRejection.retryBudgetExhausted.delay == nil)
    }

    @Test func `a retry that probes the host needs no budget`() throws {
        let health = health(threshold: 1)
        for _ in 0..<10 { _ = try health.admit("a.example", isRetry: true) }
        health.record(.failure, of: try health.admit("a.example"))
        clock.advance(by: .seconds(10))
        #expect(try health.admit("a.example", isRetry: true).isProbe)
    }

    @Test func `failing first requests do not open the circuit while retries succeed`() throws {
        let health = health()
        for _ in 0..<4 { health.record(.success, of: try health.admit("a.example", isRetry: true)) }
        // Given answers with errors, as a host gives that makes a picture when it is asked for first
        for _ in 0..<64 { health.record(.failure, of: try health.admit("a.example"), isAnswer: true) }
        #expect(health.pause(of: "a.example") == .zero)
        // When more come than such a host gives in a row, or no answers
        for _ in 0..<5 { health.record(.failure, of: try health.admit("a.example"), isAnswer: true) }
        #expect(health.pause(of: "a.example") == .milliseconds(250))
        clock.advance(by: .seconds(10))
        health.record(.success, of: try health.admit("a.example"))
        for _ in 0..<5 { health.record(.failure, of: try health.admit("a.example")) }
        #expect(health.pause(of: "a.example") == .seconds(10))
    }

    @Test func `healthy hosts are forgotten`() throws {
        let health = health(threshold: 1)
        health.record(.failure, of: try health.admit("bad.example"))
        for index in 0..<10_000 {
            health.record(.success, of: try health.admit("\(index).example"))
            clock.advance(by: .seconds(1))
            if index == 5 { health.park("parked.example", for: .seconds(1_000_000)) }
        }
        #expect(health.hostCount <= 512)
        #expect(health.pause(of: "parked.example") > .zero)
        #expect(try health.admit("bad.example").isProbe)
    }
}
