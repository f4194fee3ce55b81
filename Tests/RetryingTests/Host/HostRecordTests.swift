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

    @Test mutating func `every fourth probe is a retry if both kinds wait`() throws {
        // Given an open circuit, for which both kinds wait
        var record = record()
        let first = permit(try record.admit(isRetry: false, at: .zero), isRetry: false)
        _ = record.record(.failure, isAnswer: false, of: first, at: .zero, using: &random)
        (record.waitingRetries, record.waitingFirsts) = (1, 1)
        let rejection = HostRejection.circuitOpen(for: .seconds(1))
        // Then three probes are first requests
        var time = Duration.seconds(10)
        for _ in 0..<3 {
            #expect(throws: rejection) { try record.admit(isRetry: true, at: time) }
            let probe = permit(try record.admit(isRetry: false, at: time), isRetry: false)
            #expect(probe.isProbe)
            _ = record.record(.failure, isAnswer: false, of: probe, at: time, using: &random)
            time += .seconds(10)
        }
        // And the next one is a retry
        #expect(throws: rejection) { try record.admit(isRetry: false, at: time) }
        var other = record
        #expect(try record.admit(isRetry: true, at: time).isProbe)
        // And if no retry waits, a first request again
        other.waitingRetries = 0
        #expect(try other.admit(isRetry: false, at: time).isProbe)
    }

    /// A host that one failure pauses for 1 s, and each further one for twice as long.
    private func doubling(waitLimit: Duration) -> HostRecord {
        HostRecord(
            budget: RetryBudget(),
            breaker: CircuitBreaker(
                threshold: 1, policy: .backOff(initial: .seconds(1), multiplier: 2, randomization: 0)),
            waitLimit: .exactly(waitLimit))
    }

    @Test mutating func `a host that answers with errors is probed soon, a silent one with growing delays`() throws {
        for (isAnswer, delays) in [(true, [250, 250, 250]), (false, [1_000, 2_000, 4_000])] {
            var record = doubling(waitLimit: .seconds(1_000))
            var time = Duration.zero
            for delay in delays {
                let request = permit(try record.admit(isRetry: false, at: time), isRetry: false)
                _ = record.record(.failure, isAnswer: isAnswer, of: request, at: time, using: &random)
                #expect(record.pause(at: time) == .milliseconds(delay))
                time += .milliseconds(delay)
            }
        }
    }

    @Test mutating func `a host that was given up is probed with growing delays, whatever it answers`() throws {
        var record = doubling(waitLimit: .milliseconds(600))
        var time = Duration.zero
        for delay in [250, 250, 250, 1_000, 2_000] {
            let request = permit(try record.admit(isRetry: false, at: time), isRetry: false)
            _ = record.record(.failure, isAnswer: true, of: request, at: time, using: &random)
            #expect(record.pause(at: time) == .milliseconds(delay))
            time += .milliseconds(delay)
        }
    }

    @Test mutating func `a request that ignores failures is admitted, and its success closes the circuit`() throws {
        var record = record()
        let first = permit(try record.admit(isRetry: false, at: .zero), isRetry: false)
        _ = record.record(.failure, isAnswer: false, of: first, at: .zero, using: &random)
        #expect(throws: HostRejection.circuitOpen(for: .seconds(10))) { try record.admit(isRetry: false, at: .zero) }
        let free = permit(try record.admit(isRetry: false, ignoresFailures: true, at: .zero), isRetry: false)
        #expect(!free.isProbe)
        _ = record.record(.success, isAnswer: false, of: free, at: .zero, using: &random)
        #expect(record.pause(at: .zero) == .zero)
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
        #expect(record.pause(at: .zero) == .milliseconds(250))
    }
}
