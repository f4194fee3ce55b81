import Retrying
import Synchronization
import TestSupport
import Testing

/// Waiting for a host's turn, and what is told of it.
@Suite(.timeLimit(.minutes(1)))
struct HostTurnTests {
    let clock = ManualClock()

    private func health(threshold: Int = 1, patience: Duration = .seconds(60)) -> HostHealth {
        HostHealth(
            breaker: CircuitBreaker(threshold: threshold, policy: .constant(.seconds(10))),
            waitLimit: .exactly(patience),
            clock: clock, random: { FixedRandom.lowest })
    }

    /// Waits for a turn in the background and notes why it had to wait.
    private func waiting(_ health: HostHealth) -> (task: Task<HostHealth.Permit, any Error>, reasons: Reasons) {
        let reasons = Reasons()
        return (Task { try await health.turn(at: "a.example") { reasons.add($0) } }, reasons)
    }

    @Test func `a healthy host grants a turn at once`() async throws {
        let permit = try await health().turn(at: "a.example") { _ in Issue.record("it waited") }
        #expect(permit.host == "a.example")
    }

    @Test func `a waiting retry becomes the probe before a first request`() async throws {
        // Given an open circuit, a retry that waits, and one who asks for the first time
        let health = HostHealth(
            breaker: CircuitBreaker(threshold: 1, policy: .constant(.seconds(10))), clock: clock,
            random: { FixedRandom.lowest })
        health.record(.failure, of: try health.admit("a.example"))
        let retry = Task { try await health.turn(at: "a.example", isRetry: true) }
        await clock.untilSleepers()
        clock.advance(by: .milliseconds(9_999))
        // When the circuit lets a probe pass
        let early = health.pause(of: "a.example")
        clock.advance(by: .milliseconds(1))
        let probe = try await retry.value
        // Then it is the retry
        #expect(early == .milliseconds(1) && probe.isProbe)
        health.record(.success, of: probe)
        #expect(try await !health.turn(at: "a.example").isProbe)
    }

    @Test func `a retry beyond the budget waits for running ones`() async throws {
        for outcome in [CircuitBreaker.Outcome.success, .failure] {
            let health = HostHealth(
                budget: RetryBudget(ratio: 0, reserve: 1), breaker: CircuitBreaker(threshold: 9), clock: clock,
                random: { FixedRandom.lowest })
            let first = try health.admit("a.example", isRetry: true)
            let second = Task { try await health.turn(at: "a.example", isRetry: true) }
            await clock.untilSleepers()
            // When the first is answered, or fails
            health.record(outcome, of: first)
            clock.advance(by: .milliseconds(250))
            // Then the second goes, or is one too many
            switch outcome {
            case .success: #expect(try await second.value.host == "a.example")
            default: await #expect(throws: HostRejection.retryBudgetExhausted) { try await second.value }
            }
        }
    }

    @Test func `an impatient request is rejected by a paused host at once`() async throws {
        let health = health()
        health.park("a.example", for: .seconds(30))
        await #expect(throws: HostRejection.parked(for: .seconds(30))) {
            try await health.turn(at: "a.example", isPatient: false)
        }
    }

    @Test func `a turn waits for a parked host and reports the reason`() async throws {
        let health = health()
        health.park("a.example", for: .seconds(30))
        let (task, reasons) = waiting(health)
        await clock.untilSleepers()

        clock.advance(by: .seconds(30))

        #expect(try await task.value.host == "a.example")
        #expect(reasons.all == [.parked(for: .seconds(30))])
    }

    @Test(arguments: [true, false])
    func `an urgent request goes first when a pause ends, others a moment later`(isParked: Bool) async throws {
        // Given a host that is paused, or fails, and a request for later that waits for it
        let health = health()
        if isParked {
            health.park("a.example", for: .seconds(10))
        } else {
            health.record(.failure, of: try health.admit("a.example"))
        }
        let later = Task { try await health.turn(at: "a.example", isUrgent: { false }) }
        await clock.untilSleepers()
        // When an urgent one comes, and the pause ends
        let urgent = Task { try await health.turn(at: "a.example") }
        await clock.untilSleepers(2)
        clock.advance(by: .seconds(10))
        let first = try await urgent.value
        // Then the other still lets it go first
        await clock.untilSleepers()
        health.record(.success, of: first)
        clock.advance(by: .milliseconds(50))
        #expect(try await later.value.host == "a.example")
        #expect(first.isProbe == !isParked)
    }

    @Test func `a request that became urgent while it waited goes first, too`() async throws {
        let health = health()
        let isUrgent = Mutex(false)
        health.park("a.example", for: .seconds(10))
        let task = Task { try await health.turn(at: "a.example", isUrgent: { isUrgent.withLock(\.self) }) }
        await clock.untilSleepers()
        isUrgent.withLock { $0 = true }
        clock.advance(by: .seconds(10))
        #expect(try await task.value.host == "a.example")
    }

    @Test func `probe(_:) lets one request pass that the learned rate would delay`() throws {
        // Given a host that refuses too many requests and asks for a pause
        let health = health(threshold: 5)
        health.recordRefusal(of: try health.admit("a.example"))
        health.park("a.example", for: .seconds(30))
        #expect(throws: HostRejection.parked(for: .seconds(30))) { try health.admit("a.example") }
        // When it is to be asked now
        health.probe("a.example")
        // Then one request passes, and the next keeps the rate
        #expect(try health.admit("a.example").host == "a.example")
        #expect(throws: HostRejection.self) { try health.admit("a.example") }
    }

    @Test func `when the circuit's delay ends one waiter probes, and its success releases all`() async throws {
        let health = health()
        health.record(.failure, of: try health.admit("a.example"))
        let waiters = (0..<5).map { _ in waiting(health).task }
        let probes = Probes()
        let tasks = waiters.map { waiter in Task { probes.add(try await waiter.value) } }
        await clock.untilSleepers(5)

        clock.advance(by: .seconds(10))
        await clock.untilSleepers(4)
        let probe = await probes.first()
        #expect(probe.isProbe)
        #expect(probes.count == 1)
        health.record(.success, of: probe)

        for task in tasks { try await task.value }
        #expect(probes.count == 5)
        #expect(clock.sleeperCount == 0)
    }

    @Test func `probe(_:) lets one waiter probe at once and ends the pause`() async throws {
        // Given an open circuit, and two who wait for it
        let health = health()
        health.record(.failure, of: try health.admit("a.example"))
        let (first, second) = (waiting(health), waiting(health))
        await clock.untilSleepers(2)
        // When it is to be asked now
        health.probe("a.example")
        // Then one of them probes, and its success lets the other go
        let probes = Probes()
        let waiters = [first.task, second.task].map { task in Task { probes.add(try await task.value) } }
        let probe = await probes.first()
        #expect(probe.isProbe)
        health.record(.success, of: probe)
        for waiter in waiters { try await waiter.value }
        // When it asks for a pause, and is to be asked all the same
        health.park("a.example", for: .seconds(30))
        health.probe("a.example")
        #expect(health.pause(of: "a.example") == .zero)
        // A host that nobody has asked is not remembered for it.
        health.probe("b.example")
        #expect(health.hostCount == 1)
    }

    @Test func `a neutral probe passes the turn to the next waiter`() async throws {
        let health = health()
        health.record(.failure, of: try health.admit("a.example"))
        clock.advance(by: .seconds(10))
        let probe = try health.admit("a.example")
        let next = waiting(health).task
        await clock.untilSleepers()

        health.record(.neutral, of: probe)

        #expect(try await next.value.isProbe)
    }

    @Test func `a cancelled wait ends at once and leaves no sleeper`() async throws {
        let health = health()
        health.park("a.example", for: .seconds(30))
        let task = waiting(health).task
        await clock.untilSleepers()

        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleeperCount == 0)
    }

    @Test func `a host that failed for longer than the wait limit is not waited for, but probed again`() async throws {
        let health = health(patience: .seconds(15))
        health.record(.failure, of: try health.admit("a.example"))
        let (task, _) = waiting(health)
        await clock.untilSleepers()
        clock.advance(by: .seconds(10))
        health.record(.failure, of: try await task.value)
        let late = waiting(health).task
        await clock.untilSleepers()

        clock.advance(by: .seconds(10))
        health.record(.failure, of: try await late.value)

        await #expect(throws: HostRejection.unavailable(since: .seconds(20))) {
            try await health.turn(at: "a.example")
        }
        clock.advance(by: .seconds(10))
        let probe = try await health.turn(at: "a.example")
        #expect(probe.isProbe)
        health.record(.success, of: probe)
        #expect(try await !health.turn(at: "a.example").isProbe)
    }

    @Test(arguments: [(0, 20), (60, 60), (600, 180)])
    func `the wait limit of a failing host grows with the time it was known, within bounds`(
        known: Int, patience: Int
    ) async throws {
        let health = HostHealth(
            breaker: CircuitBreaker(threshold: 1, policy: .constant(.seconds(1_000))), clock: clock)
        health.record(.success, of: try health.admit("a.example"))
        clock.advance(by: .seconds(known))
        health.record(.failure, of: try health.admit("a.example"))
        let (task, reasons) = waiting(health)
        await clock.untilSleepers()
        #expect(reasons.all == [.circuitOpen(for: .seconds(patience))])

        clock.advance(by: .seconds(patience))

        await #expect(throws: HostRejection.unavailable(since: .seconds(patience))) { try await task.value }
    }

    @Test func `each change is reported once and in order to every listener`() async throws {
        let health = health(patience: .seconds(5))
        let listeners = [health.events(), health.events()]
        let permit = try health.admit("a.example")
        health.park("a.example", for: .seconds(3))
        health.park("a.example", for: .seconds(1))
        // What another request is told at nearly the same time is no news.
        health.park("a.example", for: .milliseconds(3900))
        health.record(.failure, of: permit)
        clock.advance(by: .seconds(10))
        health.record(.failure, of: try health.admit("a.example"))
        clock.advance(by: .seconds(10))
        let last = try health.admit("a.example")
        health.record(.success, of: last)
        health.record(.success, of: last)

        for listener in listeners {
            var iterator = listener.makeAsyncIterator()
            var changes: [HostEvent.Change] = []
            while changes.last != .resumed, let event = await iterator.next() { changes.append(event.change) }
            #expect(
                changes == [.parked(for: .seconds(3)), .circuitOpened(for: .seconds(10)), .givenUp, .resumed])
        }
    }

    @Test func `the troubled hosts are listed with their budgets`() throws {
        let health = health()
        health.record(.success, of: try health.admit("well.example"))
        _ = try health.admit("sick.example", isRetry: true)
        health.record(.failure, of: try health.admit("sick.example"))
        clock.advance(by: .seconds(4))

        #expect(
            health.troubledHosts() == [
                HostState(
                    host: "sick.example", pause: .seconds(6), isCircuitOpen: true, isGivenUp: false, retriesUsed: 1,
                    retriesAllowed: 10)
            ])
    }
}

/// Why waiters had to wait.
private final class Reasons: Sendable {
    private let list = Mutex<[HostRejection]>([])

    var all: [HostRejection] { list.withLock(\.self) }

    func add(_ reason: HostRejection) { list.withLock { $0.append(reason) } }
}

/// The permits that waiters were given.
private final class Probes: Sendable {
    private let list = Mutex<[HostHealth.Permit]>([])
    private let (stream, sink) = AsyncStream<HostHealth.Permit>.makeStream()

    var count: Int { list.withLock(\.count) }

    func add(_ permit: HostHealth.Permit) {
        list.withLock { $0.append(permit) }
        sink.yield(permit)
    }

    func first() async -> HostHealth.Permit {
        var iterator = stream.makeAsyncIterator()
        guard let permit = await iterator.next() else { preconditionFailure("the stream never ends") }
        return permit
    }
}
