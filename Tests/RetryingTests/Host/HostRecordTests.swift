import TestSupport
import Testing

@testable import Retrying

@Suite(.timeLimit(.minutes(1)))
struct HostRecordTests {
    @Test func `a first request is no probe while a retry waits`() throws {
        // Given a circuit that lets a probe pass
        var random = FixedRandom.lowest
        var record = HostRecord(
            budget: RetryBudget(), breaker: CircuitBreaker(threshold: 1, policy: .constant(.seconds(10))),
            waitLimit: HostWaitLimit())
        let permit = HostHealth.Permit(
            host: "a", breakerPermit: try record.admit(isRetry: false, at: .zero), isRetry: false, moment: .zero)
        _ = record.record(.failure, isAnswer: true, of: permit, at: .zero, using: &random)
        // When a retry waits
        record.waitingRetries = 1
        let failure = HostRejection.circuitOpen(for: .seconds(1))
        #expect(throws: failure) { try record.admit(isRetry: false, at: .seconds(10)) }
        // Then it is the probe; without one anybody is
        var other = record
        other.waitingRetries = 0
        #expect(try record.admit(isRetry: true, at: .seconds(10)).isProbe)
        #expect(try other.admit(isRetry: false, at: .seconds(10)).isProbe)
    }
}
