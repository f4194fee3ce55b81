import Retrying
import Synchronization
import TestSupport
import Testing

/// What a host's refusals do to its requests.
@Suite(.timeLimit(.minutes(1)))
struct HostRefusalTests {
    let clock = ManualClock()
    private let host = "a.example"

    private func health(threshold: Int = 5, budget: RetryBudget = RetryBudget()) -> HostHealth {
        HostHealth(
            budget: budget, breaker: CircuitBreaker(threshold: threshold, policy: .constant(.seconds(10))),
            waitLimit: .exactly(.seconds(60)), clock: clock, random: { FixedRandom.lowest })
    }

    /// Lets requests through together, of which so many are answered and the others refused.
    private func wave(of count: Int, answered: Int = 0, at health: HostHealth) throws {
        let permits = try (0..<count).map { _ in try health.admit(host) }
        for permit in permits.prefix(answered) { health.record(.success, of: permit) }
        for permit in permits.dropFirst(answered) { health.recordRefusal(of: permit) }
    }

    @Test func `after a refusal requests are admitted one by one`() throws {
        let health = health()
        try wave(of: 11, answered: 10, at: health)
        #expect(throws: HostRejection.slowed(for: .seconds(1 / 7.0))) { try health.admit(host) }
        clock.advance(by: .seconds(1 / 7.0))
        _ = try health.admit(host)
        #expect(throws: HostRejection.self) { try health.admit(host) }
    }

    @Test(arguments: [true, false])
    func `a request that ignores failures is not slowed down by refusals`(isCertain: Bool) throws {
        let health = health()
        let permits = try (0..<11).map { _ in try health.admit(host) }
        for permit in permits.prefix(8) { health.record(.success, of: permit) }
        for permit in permits.dropFirst(8) { health.recordRefusal(of: permit, isCertain: isCertain) }
        for _ in 0..<5 { _ = try health.admit(host, ignoresFailures: true) }
        #expect(throws: HostRejection.self) { try health.admit(host) }
    }

    @Test func `concurrent refusals count as one failure, and further ones open the circuit`() throws {
        let health = health()
        try wave(of: 20, at: health)
        for number in 2...5 {
            clock.advance(by: .seconds(11))
            #expect(health.pause(of: host) == .zero, "\(number)")
            try wave(of: 1, at: health)
        }
        #expect(health.pause(of: host) == .seconds(10))
        // Whoever asks hears of the circuit, not of the pace.
        #expect(throws: HostRejection.circuitOpen(for: .seconds(10))) { try health.admit(host) }
    }

    @Test func `retries within the reduced rate use no budget`() throws {
        let health = health(budget: RetryBudget(ratio: 0, reserve: 0))
        #expect(throws: HostRejection.retryBudgetExhausted) { try health.admit(host, isRetry: true) }
        try wave(of: 1, at: health)
        clock.advance(by: .seconds(2))
        _ = try health.admit(host, isRetry: true)
    }

    @Test func `the reduced rate still applies after a pause requested by the host`() throws {
        let health = health()
        try wave(of: 21, answered: 20, at: health)
        health.park(host, for: .seconds(90))
        clock.advance(by: .seconds(90))
        _ = try health.admit(host)
        #expect(throws: HostRejection.slowed(for: .seconds(1 / 14.0))) { try health.admit(host) }
    }

    @Test func `a host that answers after its pause is reported as slowed and later as resumed`() throws {
        let health = health()
        let changes = Mutex<[HostEvent.Change]>([])
        let observation = health.observe { event in changes.withLock { $0.append(event.change) } }
        // Given a host that refuses one of eleven, and asks for a pause with that
        let permits = try (0..<11).map { _ in try health.admit(host) }
        for permit in permits.dropFirst() { health.record(.success, of: permit) }
        health.recordRefusal(of: permits[0])
        health.park(host, for: .seconds(20))
        // When it answers again, twice
        clock.advance(by: .seconds(20))
        for _ in 0..<2 {
            try wave(of: 1, answered: 1, at: health)
            clock.advance(by: .seconds(1))
        }
        let slowed = changes.withLock(\.self)
        clock.advance(by: .seconds(3_600))
        try wave(of: 1, answered: 1, at: health)
        // Then the pause is over for who listens, and in the end the slowness too
        #expect(slowed.count == 3 && slowed[1] == .parked(for: .seconds(20)))
        if case .slowed = slowed.last {} else { Issue.record("\(slowed)") }
        #expect(changes.withLock(\.self) == slowed + [.resumed])
        observation.cancel()
    }

    @Test func `slowing a host down and its end are reported once each`() throws {
        let health = health()
        let changes = Mutex<[HostEvent.Change]>([])
        let observation = health.observe { event in changes.withLock { $0.append(event.change) } }
        try wave(of: 11, answered: 10, at: health)
        #expect(health.troubledHosts().map(\.requestsPerSecond) == [7])
        clock.advance(by: .seconds(5))
        try wave(of: 1, at: health)
        clock.advance(by: .seconds(59))
        try wave(of: 1, answered: 1, at: health)
        #expect(changes.withLock(\.self) == [.slowed(requestsPerSecond: 7)])
        clock.advance(by: .seconds(1))
        try wave(of: 1, answered: 1, at: health)
        #expect(changes.withLock(\.self) == [.slowed(requestsPerSecond: 7), .resumed])
        #expect(health.troubledHosts().isEmpty)
        observation.cancel()
    }

    @Test func `successful retries use no budget, failed ones do`() throws {
        let health = health(threshold: 99, budget: RetryBudget(ratio: 0, reserve: 1))
        for _ in 0..<9 { health.record(.success, of: try health.admit(host, isRetry: true)) }
        // While a quarter of them is answered they are worth it.
        for _ in 0..<28 { health.record(.failure, of: try health.admit(host, isRetry: true)) }
        #expect(throws: HostRejection.retryBudgetExhausted) { try health.admit(host, isRetry: true) }
    }

    @Test func `a host that answers retries may get many at once`() throws {
        let health = health(threshold: 99, budget: RetryBudget(ratio: 0, reserve: 4))
        let first = try (0..<4).map { _ in try health.admit(host, isRetry: true) }
        #expect(throws: HostRejection.retryBudgetExhausted) { try health.admit(host, isRetry: true) }
        for permit in first { health.record(.success, of: permit) }
        for _ in 0..<50 { _ = try health.admit(host, isRetry: true) }
        // Until they fail
        for _ in 0..<13 { health.record(.failure, of: first[0]) }
        #expect(throws: HostRejection.retryBudgetExhausted) { try health.admit(host, isRetry: true) }
    }

    @Test func `a host that answers every second attempt is neither slowed nor paused, but one that is down is`()
        throws
    {
        // Given a host that has shown, asked slowly, that it refuses first requests only
        let health = health()
        for permit in try (0..<3).map({ _ in try health.admit(host) }) {
            health.recordRefusal(of: permit, isCertain: false)
        }
        for number in 1...8 {
            clock.advance(by: .seconds(1))
            let isRetry = number.isMultiple(of: 2)
            let permit = try health.admit(host, isRetry: isRetry)
            if isRetry {
                health.record(.success, of: permit)
            } else {
                health.recordRefusal(of: permit, isCertain: false)
            }
        }
        clock.advance(by: .seconds(1))
        // When many first requests are refused in a row
        for _ in 0..<20 { health.recordRefusal(of: try health.admit(host), isCertain: false) }
        // Then more may follow at once
        #expect(health.pause(of: host) == .zero)
        // When retries are refused in a row as well
        for _ in 0..<5 { health.recordRefusal(of: try health.admit(host, isRetry: true), isCertain: false) }
        // Then it is out
        #expect(health.pause(of: host) == .seconds(10))
    }
}
