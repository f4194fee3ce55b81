import Foundation
import Retrying

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
        let execution = BackOffExecution(Retrier(.backOff(initial: .milliseconds(30), randomization: 0))) { progress in
            if progress.attempt == 1 { throw Broken() }
        }
        execution.run()
        return try await execution.finished() == .succeeded && execution.lastInterval == .milliseconds(30)
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
        let policy = BackOffPolicy(
            initial: .milliseconds(20), multiplier: 1, randomization: 0, maxElapsed: .milliseconds(100))
        let execution = BackOffExecution(Retrier(policy)) { _ in throw Broken() }
        execution.run()
        return try await execution.finished() == .failed && (1...5).contains(execution.attempts)
    }
    await checks.row("D11", "each value can be set") {
        let policy = BackOffPolicy(
            initial: .milliseconds(20), multiplier: 3, randomization: 0, maxInterval: .milliseconds(100),
            maxElapsed: .seconds(5))
        return delays(of: policy) == milliseconds(20, 60, 100)
            && decision(of: policy, after: 4) == .retry(after: .milliseconds(20))
            && decision(of: policy, after: 5) == .giveUp
    }
    await checks.row("D12", "instead of a Builder: set some values, the others have defaults") {
        let all = BackOffPolicy(
            initial: .milliseconds(500), multiplier: 2, randomization: 0.5, maxInterval: .seconds(60),
            maxElapsed: .seconds(5))
        return BackOffPolicy(multiplier: 2, maxElapsed: .seconds(5)) == all
    }
}

/// D13 to D16: what an execution does and says.
@MainActor
private func executions(_ checks: Checks) async {
    await checks.row("D13", "run code until it succeeds; a failure throws instead of completion(false)") {
        let ends = Recorder<BackOffExecution.State>()
        let execution = BackOffExecution(quickly) { progress in
            guard progress.attempt == 3 else { throw Broken() }
        } completion: {
            ends.add($0)
        }
        execution.run()
        let (state, heard) = (try await execution.finished(), await ends.all())
        return state == .succeeded && heard == [.succeeded] && execution.attempts == 3
    }
    await checks.row("D14", "the code receives the last interval and the elapsed time") {
        let steps = Recorder<BackOffProgress>()
        let execution = BackOffExecution(quickly) { progress in
            steps.add(progress)
            guard progress.attempt == 2 else { throw Broken() }
        }
        execution.run()
        _ = try await execution.finished()
        let seen = await steps.all()
        return seen.map(\.lastInterval) == milliseconds(0, 5) && seen[1].elapsed >= .milliseconds(5)
    }
    await checks.row("D15", "runs in the background") {
        let places = Recorder<Bool>()
        let execution = BackOffExecution(quickly) { _ in places.add(isOnMainQueue()) }
        execution.run()
        let (state, seen) = (try await execution.finished(), await places.all())
        return state == .succeeded && seen == [false]
    }
    await checks.row("D16", "states: stopped, running, failed, succeeded") {
        let good = BackOffExecution(quickly) { _ in }
        let bad = BackOffExecution(withConstantDelay(.milliseconds(200)).giveUpAfter(maxAttempts: 2)) { _ in
            throw Broken()
        }
        let before = good.state
        bad.run()
        let during = bad.state
        good.run()
        let ends = [try await good.finished(), try await bad.finished()]
        return before == .stopped && during == .running && ends == [.succeeded, .failed]
    }
}

/// D17 to D22: control over executions, and your own parts.
@MainActor
private func control(_ checks: Checks) async {
    await checks.row("D17", "reset() runs the same code again") {
        let steps = Recorder<Int>()
        let execution = BackOffExecution(quickly.giveUpAfter(maxAttempts: 2)) { progress in
            steps.add(progress.attempt)
            throw Broken()
        }
        execution.run()
        _ = try await execution.finished()
        execution.reset()
        let (state, seen) = (try await execution.finished(), await steps.all())
        return state == .failed && seen == [1, 2, 1, 2]
    }
    await checks.row("D18", "attempts") {
        let execution = BackOffExecution(quickly) { progress in
            guard progress.attempt == 4 else { throw Broken() }
        }
        let before = execution.attempts
        execution.run()
        _ = try await execution.finished()
        return before == 0 && execution.attempts == 4
    }
    await checks.row("D19", "stop() instead of stopExecution(): the state is stopped") {
        let execution = BackOffExecution(Retrier(.constant(.seconds(30)))) { _ in throw Broken() }
        execution.run()
        try await Task.sleep(for: .milliseconds(20))
        execution.stop()
        let state = execution.state
        return try await execution.finished() == .stopped && state == .stopped && execution.attempts <= 1
    }
    await checks.row("D20", "work by a protocol: BackOffWork") {
        let fetch = Fetch()
        let execution = BackOffExecution(quickly, work: fetch)
        execution.run()
        let (state, ends) = (try await execution.finished(), await fetch.ends.all())
        return state == .succeeded && ends == [.succeeded] && execution.attempts == 2
    }
    await checks.row("D21", "your own algorithm, with the retries handled for you") {
        let steps = Recorder<Duration>()
        let execution = BackOffExecution(Retrier(LinearPolicy())) { progress in
            steps.add(progress.lastInterval)
            guard progress.attempt == 4 else { throw Broken() }
        }
        execution.run()
        let (state, seen) = (try await execution.finished(), await steps.all())
        return state == .succeeded && seen == milliseconds(0, 5, 10, 15)
    }
    await checks.row("D22", "no shared instance: each execution stands alone") {
        let slowly = Retrier(.constant(.seconds(30)))
        let all = (0..<2).map { _ in BackOffExecution(slowly) { _ in throw Broken() } }
        all.forEach { $0.run() }
        all[0].stop()
        let states = all.map(\.state)
        all.forEach { $0.stop() }
        let ends = [try await all[0].finished(), try await all[1].finished()]
        return states == [.stopped, .running] && ends == [.stopped, .stopped]
    }
}

/// A retrier whose delays are exactly 5 ms.
private let quickly = Retrier(.backOff(initial: .milliseconds(5), multiplier: 1, randomization: 0))

/// Work that succeeds at the second attempt.
private final class Fetch: BackOffWork {
    let ends = Recorder<BackOffExecution.State>()

    func attempt(_ progress: BackOffProgress) async throws {
        guard progress.attempt == 2 else { throw Broken() }
    }

    func finish(_ state: BackOffExecution.State) { ends.add(state) }
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
