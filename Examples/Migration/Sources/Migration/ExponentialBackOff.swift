import ExponentialBackOff
import Foundation
import Retrying
import Synchronization

@MainActor
func exponentialBackOff(_ checks: Checks) async {
    await algorithm(checks)
    await settings(checks)
    await executions(checks)
    await control(checks)
}

/// D1 to D3: the formula.
@MainActor
private func algorithm(_ checks: Checks) async {
    await checks.row("D1", "the next delay is interval · U[1 − r, 1 + r]") {
        let policy = BackOffPolicy(initial: .milliseconds(100), multiplier: 1, randomization: 0.2)
        let (lowest, highest) = (delays(of: policy, random: .lowest), delays(of: policy, random: .highest))
        return lowest == milliseconds(80, 80, 80) && highest == milliseconds(120, 120, 120)
    }
    await checks.row("D2", "the interval grows by the multiplier") {
        let policy = BackOffPolicy(initial: .milliseconds(100), multiplier: 2, randomization: 0)
        return delays(of: policy) == milliseconds(100, 200, 400)
    }
    await checks.row("D3", "the first interval is the initial one") {
        let instance = instance { $0.initialIntervalMillis = 30 }
        let state = await end(of: instance) { count in count == 2 }
        return state == .succeeded && instance.lastIntervallMillis == 30
    }
}

/// D4 to D12: the settings and their defaults.
@MainActor
private func settings(_ checks: Checks) async {
    await checks.row("D4", "the initial interval is 500 ms") {
        delays(of: BackOffPolicy(randomization: 0), count: 1) == milliseconds(500)
    }
    await checks.row("D5", "the multiplier is 1.5") {
        delays(of: BackOffPolicy(randomization: 0)) == milliseconds(500, 750, 1_125)
    }
    await checks.row("D6", "the randomization is 0.5") {
        let policy = BackOffPolicy()
        let (lowest, highest) = (delays(of: policy, random: .lowest), delays(of: policy, random: .highest))
        return lowest.first == .milliseconds(250) && highest.first == .milliseconds(750)
    }
    await checks.row("D7", "the maximum interval is 60 s") {
        delays(of: BackOffPolicy(randomization: 0), count: 30).last == .seconds(60)
    }
    await checks.row("D8", "the maximum elapsed time is 15 min") {
        let (early, late) = (decision(of: BackOffPolicy(), after: 899), decision(of: BackOffPolicy(), after: 900))
        return early != .giveUp && late == .giveUp
    }
    await checks.row("D9", "no interval is above the maximum") {
        let policy = BackOffPolicy(
            initial: .milliseconds(50), multiplier: 2, randomization: 0.5, maxInterval: .milliseconds(100))
        return delays(of: policy, count: 4, random: .highest) == milliseconds(75, 100, 100, 100)
    }
    await checks.row("D10", "fails when the elapsed time is over the maximum") {
        // Attempts start after 0, 20, 40, 60 and 80 ms at the earliest; the next would start after the maximum.
        let instance = instance { ($0.initialIntervalMillis, $0.maxElapsedTimeMillis) = (20, 100) }
        let state = await end(of: instance) { _ in false }
        return state == .failed && (1...5).contains(instance.attempts)
    }
    await checks.row("D11", "each value can be set") {
        let policy = BackOffPolicy(
            initial: .milliseconds(20), multiplier: 3, randomization: 0, maxInterval: .milliseconds(100),
            maxElapsed: .seconds(5))
        return delays(of: policy) == milliseconds(20, 60, 100)
            && decision(of: policy, after: 4) == .retry(after: .milliseconds(20))
            && decision(of: policy, after: 5) == .giveUp
    }
    await checks.row("D12", "a Builder with mutable members") {
        let builder = ExponentialBackOffInstance.Builder()
        builder.multiplier = 2
        builder.maxElapsedTimeMillis = 5_000
        let instance = ExponentialBackOffInstance(builder: builder)
        return instance.multiplier == 2 && instance.maxElapsedTimeMillis == 5_000
            && instance.initialIntervalMillis == 500
    }
}

/// D13 to D16: what an execution does and says.
@MainActor
private func executions(_ checks: Checks) async {
    await checks.row("D13", "run code until it succeeds") {
        let (ends, tries) = (Ends(), Recorder<Int>())
        let instance = instance()
        ExponentialBackOff.sharedInstance.runGeneralBackOff(instance) { _, _, completion in
            tries.add(1)
            if instance.attempts == 3 {
                completion(success: true)
            } else {
                completion(success: false)
            }
        } completion: {
            ends.add($0)
        }
        let state = await ends.next()
        return await tries.all().count == 3 && state == .succeeded && instance.attempts == 3
    }
    await checks.row("D14", "the code receives the last interval and the elapsed time") {
        let steps = Recorder<[Int]>()
        let instance = instance()
        let state = await end(of: instance, hearing: steps) { $0 == 2 }
        let seen = await steps.all()
        return state == .succeeded && seen.map(\.[0]) == [0, 5] && seen[1][1] >= 5
    }
    await checks.row("D15", "runs in the background") {
        let places = Recorder<Bool>()
        let state = await end(of: instance()) { _ in
            places.add(isOnMainQueue())
            return true
        }
        return await places.all() == [false] && state == .succeeded
    }
    await checks.row("D16", "states: stopped, running, failed, succeeded") {
        let (good, bad) = (instance(), instance { $0.maxElapsedTimeMillis = 0 })
        let before = good.currentState
        async let ends = [end(of: good) { _ in true }, end(of: bad) { _ in false }]
        let endless = instance()
        ExponentialBackOff.sharedInstance.runGeneralBackOff(endless) { _, _, _ in }
        let during = endless.currentState
        let stopped = endless.stopExecution()
        return await ends == [.succeeded, .failed] && before == .stopped && during == .running && stopped == .stopped
    }
}

/// D17 to D22: control over executions, and your own parts.
@MainActor
private func control(_ checks: Checks) async {
    await checks.row("D17", "reset() runs the same code again") {
        let (ends, tries) = (Ends(), Recorder<Int>())
        let instance = instance { $0.maxElapsedTimeMillis = 0 }
        ExponentialBackOff.sharedInstance.runGeneralBackOff(instance) { _, _, completion in
            tries.add(instance.attempts)
            completion(success: false)
        } completion: {
            ends.add($0)
        }
        let first = await ends.next()
        instance.reset()
        let second = await ends.next()
        return await tries.all() == [1, 1] && first == .failed && second == .failed
    }
    await checks.row("D18", "attempts") {
        let instance = instance()
        let before = instance.attempts
        let state = await end(of: instance) { $0 == 4 }
        return state == .succeeded && before == 0 && instance.attempts == 4
    }
    await checks.row("D19", "stopExecution(): the state is stopped") {
        let instance = instance { $0.initialIntervalMillis = 30_000 }
        async let end = end(of: instance) { _ in false }
        while instance.attempts == 0 { await Task.yield() }
        let state = instance.stopExecution()
        return await end == .stopped && state == .stopped && instance.attempts == 1
    }
    await checks.row("D20", "work by a protocol: BackOff") {
        let (fetch, ends) = (Fetch(), Ends())
        let instance = instance()
        ExponentialBackOff.sharedInstance.runGeneralBackOff(instance, backOffProtocolToRun: fetch) {
            ends.add($0)
        }
        let state = await ends.next()
        return await fetch.intervals.all() == [0, 5] && state == .succeeded
    }
    await checks.row("D21", "your own algorithm, with the code handed to it") {
        let ends = Ends()
        let once = Once()
        ExponentialBackOff.sharedInstance.runGeneralBackOff(once) { _, _, completion in
            completion(success: true)
        } completion: {
            ends.add($0)
        }
        return await ends.next() == .succeeded && once.currentState == .succeeded
    }
    await checks.row("D22", "a shared instance, which lists what runs") {
        let (instance, shared) = (instance(), ExponentialBackOff.sharedInstance)
        let ends = Ends()
        shared.runGeneralBackOff(instance, codeToRun: { _, _, _ in }, completion: { ends.add($0) })
        let isListed = shared.allBackOffInstances.contains { $0 === instance }
        instance.stopExecution()
        let state = await ends.next()
        return isListed && state == .stopped && !shared.allBackOffInstances.contains { $0 === instance }
    }
}

/// Returns an instance whose intervals are exactly 5 ms, unless its builder is changed.
private func instance(
    _ change: (ExponentialBackOffInstance.Builder) -> Void = { _ in }
) -> ExponentialBackOffInstance {
    let builder = ExponentialBackOffInstance.Builder()
    (builder.initialIntervalMillis, builder.multiplier, builder.randomizationFactor) = (5, 1, 0)
    change(builder)
    return ExponentialBackOffInstance(builder: builder)
}

/// Runs code that is told the number of its attempt, and returns the state at the end.
private func end(
    of instance: ExponentialBackOffInstance, hearing steps: Recorder<[Int]>? = nil,
    _ succeeds: @escaping @Sendable (_ attempt: Int) -> Bool
) async -> BackOffState? {
    let ends = Ends()
    ExponentialBackOff.sharedInstance.runGeneralBackOff(instance) { interval, elapsed, completion in
        steps?.add([interval, elapsed])
        completion(success: succeeds(instance.attempts))
    } completion: {
        ends.add($0)
    }
    return await ends.next()
}

/// The states in which executions ended.
private struct Ends: Sendable {
    private let states = AsyncStream<BackOffState>.makeStream()

    func add(_ state: BackOffState) { states.continuation.yield(state) }

    /// Waits for the next end.
    func next() async -> BackOffState? {
        for await state in states.stream { return state }
        return nil
    }
}

/// Work that succeeds once it has waited.
private struct Fetch: BackOff {
    let intervals = Recorder<Int>()

    func run(
        _ lastIntervallMillis: Int, elapsedTimeMillis: Int, completion: @escaping (_ success: Bool) -> BackOffState
    ) {
        intervals.add(lastIntervallMillis)
        _ = completion(lastIntervallMillis > 0)
    }
}

/// An algorithm that makes one attempt.
private final class Once: BackOffAlgorithm {
    private let state = Mutex(BackOffState.stopped)

    var currentState: BackOffState { state.withLock { $0 } }

    func algorithm(_ backOff: any BackOff, completion: ((BackOffState) -> Void)?) -> any BackOffAlgorithm {
        backOff.run(0, elapsedTimeMillis: 0) { [self] isSuccess in
            state.withLock { $0 = isSuccess ? .succeeded : .failed }
            return currentState
        }
        completion?(currentState)
        return self
    }

    func stopExecution() -> BackOffState { currentState }
    func reset() -> BackOffState { currentState }
}

/// Returns the delays of a policy after its first failures, without waiting for them.
private func delays(of policy: BackOffPolicy, count: Int = 3, random: FixedRandom = .highest) -> [Duration] {
    var (policy, random): (any RetryPolicy, FixedRandom) = (policy, random)
    return (0..<count).compactMap { index in
        let failure = AttemptFailure(index: index, error: Broken())
        guard case .retry(let delay) = policy.decision(after: failure, using: &random) else { return nil }
        policy = policy.policy(after: failure, delay: delay)
        return delay
    }
}

/// Returns the decision after a failure some seconds after the start.
private func decision(of policy: BackOffPolicy, after seconds: Int) -> RetryDecision {
    var random = FixedRandom.highest
    let failure = AttemptFailure(index: 1, elapsed: .seconds(seconds), error: Broken())
    return policy.decision(after: failure, using: &random)
}
