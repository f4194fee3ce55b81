import Retrying
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CircuitBreakerTests {
    private var breaker = CircuitBreaker(threshold: 3, policy: .exponential(timeSlot: .seconds(10), jitter: .none))
    private var random = FixedRandom.lowest

    private mutating func attempt(_ outcome: CircuitBreaker.Outcome, at now: Duration) throws {
        let permit = try breaker.admit(at: now)
        breaker.record(outcome, of: permit, at: now, using: &random)
    }

    private mutating func open() throws {
        for _ in 0..<3 { try attempt(.failure, at: .zero) }
    }

    @Test mutating func `a circuit opens after consecutive failures`() throws {
        try attempt(.failure, at: .zero)
        try attempt(.failure, at: .zero)
        #expect(breaker.state == .closed(failures: 2))
        try attempt(.failure, at: .zero)
        #expect(breaker.state == .open(until: .seconds(10)))
        #expect(throws: HostRejection.circuitOpen(for: .seconds(6))) { try breaker.admit(at: .seconds(4)) }
    }

    @Test mutating func `a success resets the count`() throws {
        for _ in 0..<10 {
            try attempt(.failure, at: .zero)
            try attempt(.failure, at: .zero)
            try attempt(.success, at: .zero)
        }
        #expect(breaker.state == .closed(failures: 0))
    }

    @Test mutating func `neutral results are not counted`() throws {
        for _ in 0..<10 { try attempt(.neutral, at: .zero) }
        #expect(breaker.state == .closed(failures: 0))
    }

    @Test mutating func `after the delay one probe is admitted`() throws {
        try open()
        let probe = try breaker.admit(at: .seconds(10))
        #expect(probe.isProbe)
        #expect(throws: HostRejection.self) { try breaker.admit(at: .seconds(10)) }
    }

    @Test mutating func `a successful probe closes the circuit`() throws {
        try open()
        try attempt(.success, at: .seconds(10))
        #expect(breaker.state == .closed(failures: 0))
        try open()
        #expect(breaker.state == .open(until: .seconds(10)))
    }

    @Test mutating func `a failed probe opens the circuit for the next delay of the policy`() throws {
        try open()
        try attempt(.failure, at: .seconds(10))
        #expect(breaker.state == .open(until: .seconds(30)))
        try attempt(.failure, at: .seconds(30))
        #expect(breaker.state == .open(until: .seconds(70)))
    }

    @Test mutating func `a neutral probe lets another probe pass`() throws {
        try open()
        try attempt(.neutral, at: .seconds(10))
        #expect(try breaker.admit(at: .seconds(10)).isProbe)
    }

    @Test mutating func `a probe without a result lets another probe pass after a timeout`() throws {
        try open()
        _ = try breaker.admit(at: .seconds(10))
        #expect(throws: HostRejection.circuitOpen(for: .seconds(1))) { try breaker.admit(at: .seconds(69)) }
        #expect(try breaker.admit(at: .seconds(70)).isProbe)
    }

    @Test mutating func `late failures of earlier requests do not fail the probe`() throws {
        let late = try breaker.admit(at: .zero)
        try open()
        breaker.record(.failure, of: late, at: .seconds(5), using: &random)
        #expect(breaker.state == .open(until: .seconds(10)))
        let probe = try breaker.admit(at: .seconds(10))
        breaker.record(.failure, of: late, at: .seconds(11), using: &random)
        breaker.record(.success, of: probe, at: .seconds(12), using: &random)
        #expect(breaker.state == .closed(failures: 0))
    }

    @Test func `by default five failures open the circuit for about a second`() throws {
        var breaker = CircuitBreaker()
        var random = FixedRandom.highest
        for _ in 0..<5 {
            let permit = try breaker.admit(at: .zero)
            breaker.record(.failure, of: permit, at: .zero, using: &random)
        }
        #expect(breaker.state == .open(until: .seconds(1.5)))
    }
}
