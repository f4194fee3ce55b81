import ExponentialBackOff
import Synchronization
import TestSupport
import Testing

/// The library as users of its model type it, topic by topic.
@Suite(.timeLimit(.minutes(1)))
struct UsageTests {
    let ends = Recorder<BackOffState>()

    @Test func `code runs until it says that it succeeded`() async {
        let builder = ExponentialBackOffInstance.Builder()
        builder.initialIntervalMillis = 1
        let exponentialBackOff = ExponentialBackOffInstance(builder: builder)
        let seen = Recorder<Int>()

        ExponentialBackOff.sharedInstance.runGeneralBackOff(exponentialBackOff) {
            (lastIntervallMillis, elapsedTimeMillis, completion) in
            seen.add(elapsedTimeMillis)
            if seen.all.count == 3 {
                completion(success: true)
            } else {
                completion(success: false)
            }
        }

        await until { exponentialBackOff.currentState == .succeeded }
        #expect(exponentialBackOff.attempts == 3)
        #expect(seen.all == seen.all.sorted())
    }

    @Test func `without settings a builder has the defaults`() {
        let builder = ExponentialBackOffInstance.Builder()
        #expect(builder.initialIntervalMillis == 500 && builder.maxElapsedTimeMillis == 900_000)
        #expect(builder.maxIntervalMillis == 60_000)
        #expect(builder.multiplier == 1.5 && builder.randomizationFactor == 0.5)
        #expect(builder.initialIntervalMillis == BackOffProperties.DEFAULT_INITIAL_INTERVAL_MILLIS)
        #expect(builder.maxElapsedTimeMillis == BackOffProperties.DEFAULT_MAX_ELAPSED_TIME_MILLIS)
        #expect(builder.maxIntervalMillis == BackOffProperties.DEFAULT_MAX_INTERVAL_MILLIS)
        #expect(builder.multiplier == BackOffProperties.DEFAULT_MULTIPLIER)
        #expect(builder.randomizationFactor == BackOffProperties.DEFAULT_RANDOMIZATION_FACTOR)
    }

    @Test func `an instance keeps the settings that its builder had`() {
        let builder = ExponentialBackOffInstance.Builder()
        builder.initialIntervalMillis = 2000
        builder.maxElapsedTimeMillis = 100_000
        builder.maxIntervalMillis = 10_000
        builder.randomizationFactor = 0.2
        builder.multiplier = 2.0
        let instance = ExponentialBackOffInstance(builder: builder)
        builder.multiplier = 3
        #expect(instance.initialIntervalMillis == 2000 && instance.maxElapsedTimeMillis == 100_000)
        #expect(instance.maxIntervalMillis == 10_000 && instance.randomizationFactor == 0.2)
        #expect(instance.multiplier == 2)
    }

    @Test func `a failed back-off may be reset, and one with many attempts stopped`() async {
        let builder = ExponentialBackOffInstance.Builder()
        builder.maxElapsedTimeMillis = 0
        let instance = ExponentialBackOffInstance(builder: builder)
        let ends = ends
        ExponentialBackOff.sharedInstance.runGeneralBackOff(
            instance, codeToRun: { _, _, completion in _ = completion(false) }, completion: { ends.add($0) })
        await ends.until(count: 1)
        // The manual writes states with a capital letter.
        #expect(instance.currentState == .Failed)
        if instance.currentState == .failed { instance.reset() }
        await ends.until(count: 2)
        #expect(ends.all == [.failed, .failed])
        if instance.attempts >= 100 { instance.stopExecution() }
        #expect(instance.attempts == 1)
    }

    /// Work that is a type of its own.
    private struct Fetch: BackOff {
        let seen = Recorder<Int>()

        func run(
            _ lastIntervallMillis: Int, elapsedTimeMillis: Int, completion: @escaping (_ success: Bool) -> BackOffState
        ) {
            seen.add(lastIntervallMillis)
            _ = completion(seen.all.count == 2)
        }
    }

    @Test func `the code may be an object of a protocol`() async {
        let (fetch, ends) = (Fetch(), ends)
        let builder = ExponentialBackOffInstance.Builder()
        builder.randomizationFactor = 0
        let instance = ExponentialBackOffInstance(builder: builder, clock: ManualClock(advancesItself: true))
        ExponentialBackOff.sharedInstance.runGeneralBackOff(instance, backOffProtocolToRun: fetch) { ends.add($0) }
        await ends.until(count: 1)
        #expect(ends.all == [.succeeded])
        #expect(fetch.seen.all == [0, 500])
    }

    @Test func `the code may be a closure that was stored with its type`() async {
        let code: @Sendable (_ last: Int, _ elapsed: Int, _ completion: @escaping (Bool) -> BackOffState) -> Void = {
            _, _, completion in
            #expect(completion(true) == .succeeded)
        }
        let (instance, ends) = (ExponentialBackOffInstance(builder: .init()), ends)
        ExponentialBackOff.sharedInstance.runGeneralBackOff(instance, codeToRun: code) { ends.add($0) }
        await ends.until(count: 1)
        #expect(ends.all == [.succeeded] && instance.attempts == 1)
    }

    /// An algorithm that makes so many attempts one after the other.
    private final class Countdown: BackOffAlgorithm {
        private let state = Mutex((left: 3, current: BackOffState.stopped))
        private let work = Mutex<(any BackOff)?>(nil)

        var currentState: BackOffState { state.withLock { $0.current } }

        func algorithm(_ backOff: any BackOff, completion: ((_ state: BackOffState) -> Void)?) -> any BackOffAlgorithm {
            work.withLock { $0 = backOff }
            state.withLock { $0.current = .running }
            while state.withLock({ $0.left > 0 && $0.current == .running }) {
                let left = state.withLock { state in
                    state.left -= 1
                    return state.left
                }
                backOff.run(left, elapsedTimeMillis: 0) { [self] isSuccess in
                    if isSuccess { state.withLock { $0.current = .succeeded } }
                    return currentState
                }
            }
            state.withLock { if $0.current == .running { $0.current = .failed } }
            completion?(currentState)
            return self
        }

        func stopExecution() -> BackOffState {
            state.withLock { state in
                if state.current == .running { state.current = .stopped }
                return state.current
            }
        }

        func reset() -> BackOffState { currentState }
    }

    @Test func `the algorithm may be the caller's own`() async {
        let (seen, ends) = (Recorder<Int>(), ends)
        let own = Countdown()
        ExponentialBackOff.sharedInstance.runGeneralBackOff(
            own,
            codeToRun: { last, _, completion in
                seen.add(last)
                completion(success: false)
            }, completion: { ends.add($0) })
        await ends.until(count: 1)
        #expect(seen.all == [2, 1, 0])
        #expect(ends.all == [.failed] && own.currentState == .failed)
    }

    @Test func `the shared instance lists what runs`() async {
        let (instance, ends) = (ExponentialBackOffInstance(builder: .init()), ends)
        let shared = ExponentialBackOff.sharedInstance
        shared.runGeneralBackOff(instance, codeToRun: { _, _, _ in }, completion: { ends.add($0) })
        #expect(shared.allBackOffInstances.contains { $0 === instance })
        shared.allBackOffInstances.first { $0 === instance }?.stopExecution()
        await ends.until(count: 1)
        #expect(ends.all == [.stopped])
        #expect(!shared.allBackOffInstances.contains { $0 === instance })
    }
}
