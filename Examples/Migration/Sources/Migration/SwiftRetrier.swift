import Foundation
import Retrying

@MainActor
func swiftRetrier(_ checks: Checks) async {
    await entryPoints(checks)
    await limits(checks)
    await jobs(checks)
    await events(checks)
    await values(checks)
    await resumption(checks)
    await policies(checks)
    await contract(checks)
}

/// C1 to C5: retriers with defaults, and conditions.
@MainActor
private func entryPoints(_ checks: Checks) async {
    await checks.row("C1", "withExponentialBackoff() with good defaults") {
        // The highest random numbers show the bounds: 0.5 s, doubled up to 60 s.
        let bounds = await chosenDelays(of: withExponentialBackoff(), count: 9, random: .highest)
        return bounds == milliseconds(500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000)
    }
    await checks.row("C2", "withConstantDelay()") {
        await chosenDelays(of: withConstantDelay(), count: 3) == milliseconds(1_000, 1_000, 1_000)
    }
    await checks.row("C3", "withNoDelay()") {
        await chosenDelays(of: withNoDelay(), count: 3) == milliseconds(0, 0, 0)
    }
    await checks.row("C4", "onlyWhen(condition)") {
        let (network, link) = AsyncStream<Bool>.makeStream()
        let trials = Trials()
        let fetcher = withNoDelay().onlyWhen(network).job { try await trials.run() }
        let page = Task { try await fetcher.value }
        link.yield(false)
        try await Task.sleep(for: .milliseconds(20))
        let early = await trials.count
        link.yield(true)
        return try await page.value == 1 && early == 0
    }
    await checks.row("C5", "one retrier with its condition serves a fetcher and a poller") {
        let (network, link) = AsyncStream<Bool>.makeStream()
        link.yield(true)
        let (fetches, polls) = (Trials(), Trials())
        let retrier = withNoDelay().onlyWhen(network)
        let fetcher = retrier.job { try await fetches.run() }
        let poller = retrier.repeating(withDelay: .milliseconds(5)).job { try await polls.run() }
        async let polled = firstValues(3, of: poller)
        let fetched = [try await fetcher.value, try await fetcher.value]
        return await polled == [1, 2, 3] && fetched == [1, 2]
    }
}

/// C6 to C9: when to give up, and the recommended delays.
@MainActor
private func limits(_ checks: Checks) async {
    await checks.row("C6", "giveUpAfter(maxAttempts:)") {
        let trials = Trials()
        let error = await failure(
            of: withNoDelay().giveUpAfter(maxAttempts: 10).job { try await trials.run(failing: .max) })
        return await trials.count == 10 && error as? Broken == Broken(trial: 10)
    }
    await checks.row("C7", "giveUpAfter(timeout:)") {
        // Attempts start after 0, 20, 40, 60 and 80 ms at the earliest; the next would start after the time-out.
        let trials = Trials()
        let error = await failure(
            of: withConstantDelay(.milliseconds(20)).giveUpAfter(timeout: .milliseconds(100))
                .job { try await trials.run(failing: .max) })
        return await (1...5).contains(trials.count) && error is Broken
    }
    await checks.row("C8", "giveUpOnErrors { }") {
        let trials = Trials()
        let error = await failure(
            of: withNoDelay().giveUpOnErrors { $0 is Fatal }.job {
                guard try await trials.run(failing: 2) < 3 else { throw Fatal() }
            })
        return await trials.count == 3 && error is Fatal
    }
    await checks.row("C9", "exponential backoff with full jitter is the default") {
        let lowest = await chosenDelays(of: withExponentialBackoff(), count: 3, random: .lowest)
        let highest = await chosenDelays(of: withExponentialBackoff(), count: 3, random: .highest)
        return lowest == milliseconds(0, 0, 0) && highest == milliseconds(500, 1_000, 2_000)
    }
}

/// C10 to C12: cold jobs.
@MainActor
private func jobs(_ checks: Checks) async {
    await checks.row("C10", "job { } makes a cold job retrier") {
        let trials = Trials()
        let fetcher = withNoDelay().job { try await trials.run() }
        try await Task.sleep(for: .milliseconds(20))
        let early = await trials.count
        return try await fetcher.value == 1 && early == 0
    }
    await checks.row("C11", "a retrier makes any number of jobs") {
        let (numbers, names) = (Trials(), Trials())
        let retrier = withNoDelay().giveUpAfter(maxAttempts: 2)
        let number = try await retrier.job { try await numbers.run(failing: 1) }.value
        let name = try await retrier.job { "name \(try await names.run(failing: 1))" }.value
        return number == 2 && name == "name 2"
    }
    await checks.row("C12", "repeating(withDelay:) before job") {
        let trials = Trials()
        let start = ContinuousClock.now
        let poller = withNoDelay().repeating(withDelay: .milliseconds(10)).job { try await trials.run() }
        return await firstValues(3, of: poller) == [1, 2, 3] && start.duration(to: .now) >= .milliseconds(20)
    }
}

/// C13 to C19: events, and where they go.
@MainActor
private func events(_ checks: Checks) async {
    await checks.row("C13", "handleRetrierEvents on a job, several in a row, with typed values") {
        let (trials, lines, numbers) = (Trials(), Recorder<String>(), Recorder<Int>())
        let fetcher = withNoDelay().job { try await trials.run(failing: 1) }
            .handleRetrierEvents { lines.add(words($0)) }
            .handleRetrierEvents { event in
                guard case .attemptSuccess(let value) = event else { return }
                numbers.add(value)
            }
        _ = try await fetcher.value
        let (heard, values) = (await lines.all(), await numbers.all())
        return heard == ["failure 0", "success 2", "completion"] && values == [2]
    }
    await checks.row("C14", ".attemptSuccess(value)") {
        var fetched: [String] = []
        for await event in withNoDelay().job({ "page" }) {
            if case .attemptSuccess(let value) = event { fetched.append(value) }
        }
        return fetched == ["page"]
    }
    await checks.row("C15", ".attemptFailure(failure) with index and error") {
        let trials = Trials()
        var lines: [String] = []
        for await event in withNoDelay().job({ try await trials.run(failing: 2) }) {
            guard case .attemptFailure(let failure) = event else { continue }
            lines.append("#\(failure.index) failed with \(failure.error)")
        }
        return lines == ["#0 failed with Broken(trial: 1)", "#1 failed with Broken(trial: 2)"]
    }
    await checks.row("C16", ".completion(error?)") {
        var ends: [(any Error)?] = []
        let retrier = withNoDelay().giveUpAfter(maxAttempts: 1)
        for work in [Trials(failing: 0), Trials(failing: 1)] {
            for await event in retrier.job({ try await work.run() }) {
                if case .completion(let error) = event { ends.append(error) }
            }
        }
        return ends.count == 2 && ends[0] == nil && ends[1] is Broken
    }
    await checks.row("C17", "every run sends exactly one completion to the handlers") {
        let ends = Recorder<String>()
        let retrier = withConstantDelay(.seconds(30)).giveUpOnErrors { $0 is Fatal }.handleRetrierEvents { event in
            if case .completion = event { ends.add(words(event)) }
        }
        for await _ in retrier.job({ 1 }) {}
        _ = try await retrier.job { 1 }.value
        _ = await failure(of: retrier.job { throw Fatal() })
        let cancelled = Task { await failure(of: retrier.job { throw Broken() }) }
        cancelled.cancel()
        _ = await cancelled.value
        let heard = await ends.all()
        return heard == ["completion", "completion", "completion Fatal()", "completion CancellationError()"]
    }
    await checks.row("C18", "a job is a sequence that never throws; errors are events") {
        let trials = Trials()
        let retrier = withNoDelay().giveUpAfter(maxAttempts: 2)
        let heard = await lines(of: retrier.job { try await trials.run(failing: .max) })
        return heard == ["failure 0", "failure 1", "completion Broken(trial: 2)"]
    }
    await checks.row("C19", "success(), failure() and completion()") {
        let fetcher = withNoDelay().job { [trials = Trials(failing: 2)] in try await trials.run() }
        let flaky = withNoDelay().giveUpAfter(maxAttempts: 2).job { () -> Int in throw Broken() }
        var (values, indexes, ends): ([Int], [Int], [(any Error)?]) = ([], [], [])
        for await value in fetcher.success() { values.append(value) }
        for await failure in flaky.failure() { indexes.append(failure.index) }
        for await end in flaky.completion() { ends.append(end) }
        return values == [3] && indexes == [0, 1] && ends.count == 1 && ends[0] is Broken
    }
}

/// C20 to C26: a single value, and isolation.
@MainActor
private func values(_ checks: Checks) async {
    await checks.row("C20", "try await .value, for a single value") {
        let trials = Trials()
        let value = try await withNoDelay().job { try await trials.run(failing: 2) }.value
        try await Task.sleep(for: .milliseconds(20))
        return await trials.count == 3 && value == 3
    }
    await checks.row("C21", ".value throws when its task is cancelled") {
        let start = ContinuousClock.now
        let page = Task { try await withConstantDelay(.seconds(30)).job { throw Broken() }.value }
        try await Task.sleep(for: .milliseconds(20))
        page.cancel()
        guard case .failure(let error) = await page.result else { return false }
        return error is CancellationError && start.duration(to: .now) < .seconds(10)
    }
    await checks.row("C22", ".value throws when a giveUp modifier matches") {
        do {
            _ = try await withNoDelay().giveUpOnErrors { $0 is Fatal }.job { throw Fatal() }.value
            return false
        } catch {
            return error is Fatal
        }
    }
    await checks.row("C23", ".value throws when the condition ends with false, or without a value") {
        let (never, unknown) = (condition(false), condition())
        let first = await failure(of: withNoDelay().onlyWhen(never).job { 1 })
        let second = await failure(of: withNoDelay().onlyWhen(unknown).job { 1 })
        guard let first = first as? RetrierError, let second = second as? RetrierError else { return false }
        return first == .conditionEnded && second == .conditionEnded
            && first.localizedDescription == "the condition for attempts ended while it was false"
    }
    await checks.row("C24", "the end of the condition is in .completion, too") {
        let never = condition(false)
        return await lines(of: withNoDelay().onlyWhen(never).job { 1 }) == ["completion conditionEnded"]
    }
    await checks.row("C25", "events on the main actor: a handler written there runs there, others by on: .main") {
        let (screen, places) = (Screen(), Recorder<Bool>())
        let fetcher = withNoDelay().job { "page" }
            .handleRetrierEvents { event in screen.show(words(event)) }
            .handleRetrierEvents(on: .main) { @Sendable _ in places.add(isOnMainQueue()) }
        let page = Task.detached { try await fetcher.value }
        let loaded = try await page.value
        let onMain = await places.all()
        return loaded == "page" && screen.lines == ["success page", "completion"] && onMain == [true, true]
    }
    await checks.row("C26", "MainActor friendly") {
        let screen = Screen()
        // Work runs off the main actor, unless it is isolated to it.
        let isHeld = try await withNoDelay().job { isOnMainQueue() }.value
        let isShown = try await withNoDelay().job { @MainActor in
            screen.show("page")
            return isOnMainQueue()
        }.value
        return !isHeld && isShown && screen.lines == ["page"]
    }
}

/// C27 to C29: when the policy starts afresh.
@MainActor
private func resumption(_ checks: Checks) async {
    await checks.row("C27", "after an interruption by the condition, the policy starts afresh") {
        let (network, link) = AsyncStream<Bool>.makeStream()
        link.yield(true)
        let fetcher = withExponentialBackoff(timeSlot: .milliseconds(100), jitter: .none)
            .onlyWhen(network).giveUpAfter(maxAttempts: 3).job { throw Broken() }
        var delays: [Duration?] = []
        for await failure in fetcher.failure() {
            delays.append(failure.delay)
            guard delays.count == 2 else { continue }
            link.yield(false)
            link.yield(true)
        }
        return delays.compactMap(\.self) == milliseconds(100, 200, 100, 200) && delays.count == 5
    }
    await checks.row("C28", "limits judge the current trial only") {
        let limited = withConstantDelay(.milliseconds(100)).giveUpAfter(maxAttempts: 3)
        return await indexes(of: limited, interruptedAfter: 2) == [0, 1, 2, 3, 4]
    }
    await checks.row("C29", "policies are for failures: a success restarts them") {
        let trials = Trials()
        let poller = withExponentialBackoff(timeSlot: .milliseconds(5), jitter: .none)
            .repeating(withDelay: .milliseconds(1))
            .job { guard try await trials.run(failing: 2) == 3 else { throw Broken() } }
        var failures: [FailedAttempt] = []
        for await failure in poller.failure().prefix(4) { failures.append(failure) }
        return failures.compactMap(\.delay) == milliseconds(5, 10, 5, 10) && failures.map(\.index) == [0, 1, 0, 1]
    }
}

/// C30 to C36: policies, built in and homemade.
@MainActor
private func policies(_ checks: Checks) async {
    await checks.row("C30", "jitter: none, full, decorrelated") {
        let none = await chosenDelays(of: withExponentialBackoff(jitter: .none), count: 3, random: .lowest)
        let full = await chosenDelays(of: withExponentialBackoff(jitter: .full), count: 3, random: .lowest)
        let decorrelated = withExponentialBackoff(jitter: .decorrelated(growth: 3))
        let lowest = await chosenDelays(of: decorrelated, count: 3, random: .lowest)
        let highest = await chosenDelays(of: decorrelated, count: 3, random: .highest)
        return none == milliseconds(500, 1_000, 2_000) && full == milliseconds(0, 0, 0)
            && lowest == milliseconds(0, 500, 500) && highest == milliseconds(500, 1_500, 4_500)
    }
    await checks.row("C31", "time slot and maximum delay") {
        let retrier = withExponentialBackoff(timeSlot: .seconds(2), maxDelay: .seconds(6), jitter: .none)
        return await chosenDelays(of: retrier, count: 4) == milliseconds(2_000, 4_000, 6_000, 6_000)
    }
    await checks.row("C32", "ConstantPolicy waits for a fixed time") {
        let start = ContinuousClock.now
        let retrier = Retrier(ConstantPolicy(delay: .milliseconds(20))).giveUpAfter(maxAttempts: 3)
        var delays: [Duration?] = []
        for await failure in retrier.job({ throw Broken() }).failure() { delays.append(failure.delay) }
        return delays == [.milliseconds(20), .milliseconds(20), nil]
            && start.duration(to: .now) >= .milliseconds(40)
    }
    await checks.row("C33", "a giveUp modifier of your own") {
        let retrier = withExponentialBackoff(timeSlot: .milliseconds(5), jitter: .none)
            .giveUpBeforeDelays(above: .milliseconds(15))
        return await chosenDelays(of: retrier, count: 9) == milliseconds(5, 10)
    }
    await checks.row("C34", "your own RetryPolicy has the same modifiers") {
        let (limited, strict) = (Trials(), Trials())
        let retrier = Retrier(LinearPolicy())
        _ = await failure(of: retrier.giveUpAfter(maxAttempts: 3).job { try await limited.run(failing: .max) })
        _ = await failure(of: retrier.giveUpOnErrors { $0 is Broken }.job { try await strict.run(failing: .max) })
        let counts = [await limited.count, await strict.count]
        return counts == [3, 1]
    }
    await checks.row("C35", "policies are structs; policy(after:delay:) carries their history") {
        let retrier = Retrier(LinearPolicy())
        let first = await chosenDelays(of: retrier, count: 3)
        let second = await chosenDelays(of: retrier, count: 3)
        return first == milliseconds(5, 10, 15) && second == first
    }
    await checks.row("C36", "your own entry point: Retrier(policy), with onlyWhen") {
        let (trials, always, never) = (Trials(), condition(true), condition(false))
        let value = try await withLinearDelay().onlyWhen(always).job { try await trials.run(failing: 1) }.value
        let error = await failure(of: withLinearDelay().onlyWhen(never).job { 1 })
        return value == 2 && error as? RetrierError == .conditionEnded
    }
}

/// C37 and C38: demand and concurrency.
@MainActor
private func contract(_ checks: Checks) async {
    await checks.row("C37", "without demand, no attempt") {
        let trials = Trials()
        var run = withNoDelay().job { try await trials.run(failing: .max) }.makeAsyncIterator()
        _ = await run.next()
        try await Task.sleep(for: .milliseconds(20))
        let idle = await trials.count
        _ = await run.next()
        return await trials.count == 2 && idle == 1
    }
    await checks.row("C38", "Swift 6 mode: retriers, jobs and events are Sendable") {
        #if swift(>=6)
            let isSwift6 = true
        #else
            let isSwift6 = false
        #endif
        let retrier = withNoDelay().giveUpAfter(maxAttempts: 1)
        let heard = await Task.detached {
            let fetcher = retrier.job { "page" }
            return await Task { @MainActor in await lines(of: fetcher) }.value
        }.value
        return isSwift6 && heard == ["success page", "completion"]
    }
}

/// An error that no further attempt helps.
private struct Fatal: Error {}

/// Work that fails a number of times, and counts its attempts.
private actor Trials {
    private(set) var count = 0
    private let failures: Int

    init(failing failures: Int = 0) { self.failures = failures }

    /// Returns the number of the attempt, from 1, or fails if it is one of the first.
    func run(failing failures: Int? = nil) throws -> Int {
        count += 1
        if count <= failures ?? self.failures { throw Broken(trial: count) }
        return count
    }
}

/// State that only the main actor may change.
@MainActor
private final class Screen {
    private(set) var lines: [String] = []

    func show(_ line: String) { lines.append(line) }
}

private func withLinearDelay() -> Retrier { Retrier(LinearPolicy()) }

extension Retrier {
    fileprivate func giveUpBeforeDelays(above limit: Duration) -> Retrier {
        giveUp { _, delay in delay > limit }
    }
}

/// A clock whose waits end at once.
private struct HastyClock: Clock {
    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
    }
}

/// Returns the delays that a retrier chooses after its first failures, without waiting for them.
private func chosenDelays(of retrier: Retrier, count: Int, random: FixedRandom = .highest) async -> [Duration] {
    let job = retrier.giveUpAfter(maxAttempts: count + 1).timed(by: HastyClock()).randomized { random }
        .job { throw Broken() }
    var delays: [Duration] = []
    for await failure in job.failure() {
        if let delay = failure.delay { delays.append(delay) }
    }
    return delays
}

/// Returns the first values of a new run.
private func firstValues<Value>(_ count: Int, of job: RetryJob<Value>) async -> [Value] {
    var values: [Value] = []
    for await value in job.success().prefix(count) { values.append(value) }
    return values
}

/// Returns the error that a new run ends with.
private func failure<Value>(of job: RetryJob<Value>) async -> (any Error)? {
    do {
        _ = try await job.value
        return nil
    } catch {
        return error
    }
}

/// Returns the events of a new run in words.
private func lines<Value>(of job: RetryJob<Value>) async -> [String] {
    var lines: [String] = []
    for await event in job { lines.append(words(event)) }
    return lines
}

private func words<Value>(_ event: RetrierEvent<Value>) -> String {
    switch event {
    case .attemptSuccess(let value): "success \(value)"
    case .attemptFailure(let failure): "failure \(failure.index)"
    case .completion(let error?): "completion \(error)"
    case .completion(nil): "completion"
    }
}

/// Returns the indexes of a run's failures; after some of them, its condition is false for a moment.
private func indexes(of retrier: Retrier, interruptedAfter count: Int) async -> [Int] {
    let (network, link) = AsyncStream<Bool>.makeStream()
    link.yield(true)
    var indexes: [Int] = []
    for await failure in retrier.onlyWhen(network).job({ throw Broken() }).failure() {
        indexes.append(failure.index)
        guard indexes.count == count else { continue }
        link.yield(false)
        link.yield(true)
    }
    return indexes
}

/// Returns a condition that has some values and then ends.
private func condition(_ values: Bool...) -> AsyncStream<Bool> {
    AsyncStream { continuation in
        values.forEach { continuation.yield($0) }
        continuation.finish()
    }
}
