import TestSupport
import Testing

@testable import Retrying

@Suite(.timeLimit(.minutes(1)))
struct HostRecordTests {
    private var random = FixedRandom.lowest

    private func permit(_ breakerPermit: CircuitBreaker.Permit, isRetry: Bool) -> HostHealth.Permit {
        HostHealth.Permit(host: "a", breakerPermit: breakerPermit, isRetry: isRetry, moment: .zero)
    }

    private func record(threshold: Int = 1) -> HostRecord {
        HostRecord(
            budget: RetryBudget(), breaker: CircuitBreaker(threshold: threshold, policy: .constant(.seconds(10))),
            waitLimit: .exactly(.seconds(1_000)))
    }

    @Test mutating func `first requests and retries are the probe in turn`() throws {
        // Given an open circuit, for which both kinds wait
        var record = record()
        let first = permit(try record.admit(isRetry: false, at: .zero), isRetry: false)
        _ = record.record(.failure, isAnswer: true, of: first, at: .zero, using: &random)
        (record.waitingRetries, record.waitingFirsts) = (1, 1)
        let rejection = HostRejection.circuitOpen(for: .seconds(1))
        // Then the first probe is a first request, and the next one a retry
        #expect(throws: rejection) { try record.admit(isRetry: true, at: .seconds(10)) }
        let probe = permit(try record.admit(isRetry: false, at: .seconds(10)), isRetry: false)
        #expect(probe.isProbe)
        _ = record.record(.failure, isAnswer: true, of: probe, at: .seconds(10), using: &random)
        #expect(throws: rejection) { try record.admit(isRetry: false, at: .seconds(20)) }
        var other = record
        #expect(try record.admit(isRetry: true, at: .seconds(20)).isProbe)
        // And if no retry waits, a first request again
        other.waitingRetries = 0
        #expect(try other.admit(isRetry: false, at: .seconds(20)).isProbe)
    }

    @Test mutating func `failures of single addresses do not open the circuit, an outage does`() throws {
        var record = record(threshold: 5)
        func fails(isRetry: Bool) throws -> HostEvent.Change? {
            let permit = permit(try record.admit(isRetry: isRetry, at: .zero), isRetry: isRetry)
            return record.record(.failure, isAnswer: true, of: permit, at: .zero, using: &random)
        }
        // Given retries that failed while first requests succeeded
        for _ in 0..<4 {
            let permit = permit(try record.admit(isRetry: false, at: .zero), isRetry: false)
            _ = record.record(.success, isAnswer: false, of: permit, at: .zero, using: &random)
            #expect(try fails(isRetry: true) == nil)
        }
        // When many more fail in a row, only so many are excused
        var count = 0
        while try fails(isRetry: false) == nil { count += 1 }
        #expect((60...70).contains(count))
        #expect(record.pause(at: .zero) == .seconds(10))
    }
}
