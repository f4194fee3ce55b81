import Retrying
import Testing

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

    @Test mutating func itOpensAfterFailuresInARow() throws {
        try attempt(.failure, at: .zero)
        try attempt(.failure, at: .zero)
        #expect(breaker.state == .closed(failures: 2))
        try attempt(.failure, at: .zero)
        #expect(breaker.state == .open(until: .seconds(10)))
        #expect(throws: HostRejection.circuitOpen(for: .seconds(6))) { try breaker.admit(at: .seconds(4)) }
    }

    @Test mutating func aSuccessBetweenStartsTheCountAnew() throws {
        for _ in 0..<10 {
            try attempt(.failure, at: .zero)
            try attempt(.failure, at: .zero)
            try attempt(.success, at: .zero)
        }
        #expect(breaker.state == .closed(failures: 0))
    }

    @Test mutating func failuresThatDoNotBlameTheHostAreNotCounted() throws {
        for _ in 0..<10 { try attempt(.neutral, at: .zero) }
        #expect(breaker.state == .closed(failures: 0))
    }

    @Test mutating func afterTheDelayOneProbePasses() throws {
        try open()
        let probe = try breaker.admit(at: .seconds(10))
        #expect(probe.isProbe)
        #expect(throws: HostRejection.self) { try breaker.admit(at: .seconds(10)) }
    }

    @Test mutating func aProbesSuccessCloses() throws {
        try open()
        try attempt(.success, at: .seconds(10))
        #expect(breaker.state == .closed(failures: 0))
        try open()
        #expect(breaker.state == .open(until: .seconds(10)))
    }

    @Test mutating func aProbesFailureOpensForThePolicysNextDelay() throws {
        try open()
        try attempt(.failure, at: .seconds(10))
        #expect(breaker.state == .open(until: .seconds(30)))
        try attempt(.failure, at: .seconds(30))
        #expect(breaker.state == .open(until: .seconds(70)))
    }

    @Test mutating func aProbeThatLearnedNothingLetsAnotherPass() throws {
        try open()
        try attempt(.neutral, at: .seconds(10))
        #expect(try breaker.admit(at: .seconds(10)).isProbe)
    }

    @Test mutating func aProbeThatIsNeverHeardOfLetsAnotherPassInTheEnd() throws {
        try open()
        _ = try breaker.admit(at: .seconds(10))
        #expect(throws: HostRejection.circuitOpen(for: .seconds(1))) { try breaker.admit(at: .seconds(69)) }
        #expect(try breaker.admit(at: .seconds(70)).isProbe)
    }

    @Test mutating func lateFailuresOfEarlierRequestsAreNotHeldAgainstTheProbe() throws {
        let late = try breaker.admit(at: .zero)
        try open()
        breaker.record(.failure, of: late, at: .seconds(5), using: &random)
        #expect(breaker.state == .open(until: .seconds(10)))
        let probe = try breaker.admit(at: .seconds(10))
        breaker.record(.failure, of: late, at: .seconds(11), using: &random)
        breaker.record(.success, of: probe, at: .seconds(12), using: &random)
        #expect(breaker.state == .closed(failures: 0))
    }

    @Test func byDefaultFiveFailuresOpenForSeconds() throws {
        var breaker = CircuitBreaker()
        var random = FixedRandom.highest
        for _ in 0..<5 {
            let permit = try breaker.admit(at: .zero)
            breaker.record(.failure, of: permit, at: .zero, using: &random)
        }
        #expect(breaker.state == .open(until: .seconds(7.5)))
    }
}
