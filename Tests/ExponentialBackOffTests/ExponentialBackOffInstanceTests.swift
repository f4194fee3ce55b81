import Dispatch
import ExponentialBackOff
import Synchronization
import TestSupport
import Testing

/// States, times and control of a back-off, on a clock that the test moves.
@Suite(.timeLimit(.minutes(1)))
struct ExponentialBackOffInstanceTests {
    let clock = ManualClock()
    let ends = Recorder<BackOffState>()
    /// The intervals and elapsed times that attempts received.
    let seen = Recorder<[Int]>()
    let answers = Answers()

    /// The completions of the attempts, for a test that answers later.
    final class Answers: Sendable {
        private let completions = Recorder<BackOffCompletion>()

        func add(_ completion: BackOffCompletion) { completions.add(completion) }

        /// Waits for an attempt, from 1, and returns its completion.
        func next(_ number: Int) async -> BackOffCompletion {
            await completions.until(count: number)
            return completions.all[number - 1]
        }
    }

    private func instance(
        on clock: ManualClock? = nil, random: FixedRandom? = nil,
        _ change: (ExponentialBackOffInstance.Builder) -> Void = { $0.randomizationFactor = 0 }
    ) -> ExponentialBackOffInstance {
        let builder = ExponentialBackOffInstance.Builder()
        change(builder)
        guard let random else { return ExponentialBackOffInstance(builder: builder, clock: clock ?? self.clock) }
        return ExponentialBackOffInstance(builder: builder, clock: clock ?? self.clock, random: { random })
    }

    private func run(
        _ instance: ExponentialBackOffInstance, _ code: (@Sendable (Int, BackOffCompletion) -> Void)? = nil
    ) {
        let (seen, ends, answers) = (seen, ends, answers)
        ExponentialBackOff.sharedInstance.runGeneralBackOff(
            instance,
            codeToRun: { interval, elapsed, completion in
                seen.add([interval, elapsed])
                if let code { code(seen.all.count, completion) } else { answers.add(completion) }
            }, completion: { ends.add($0) })
    }

    @Test func `an instance is stopped until it is run`() {
        let instance = instance()
        #expect(instance.currentState == .stopped && instance.attempts == 0)
        #expect(instance.elapsedTimeMillis == 0 && instance.lastIntervallMillis == 0)
    }

    @Test func `it runs while an attempt has not answered, however long that takes`() async {
        let instance = instance()
        run(instance)
        let completion = await answers.next(1)
        #expect(instance.currentState == .running && instance.attempts == 1)
        clock.advance(by: .seconds(3))
        #expect(instance.elapsedTimeMillis == 3000)
        #expect(completion(success: true) == .succeeded)
        #expect(instance.currentState == .succeeded)
        await ends.until(count: 1)
        clock.advance(by: .seconds(3))
        #expect(ends.all == [.succeeded] && instance.elapsedTimeMillis == 3000)
    }

    @Test func `attempts receive the wait before them and the time since the start`() async {
        let instance = instance()
        run(instance) { count, completion in completion(success: count == 3) }
        await clock.untilSleepers()
        #expect(instance.currentState == .running && instance.lastIntervallMillis == 500)
        clock.advance(by: .seconds(2))
        await clock.untilSleepers()
        clock.advance(by: .milliseconds(750))
        await ends.until(count: 1)
        #expect(seen.all == [[0, 0], [500, 2000], [750, 2750]])
        #expect(ends.all == [.succeeded] && instance.attempts == 3)
    }

    @Test(arguments: [(FixedRandom.lowest, [0, 80, 160]), (.highest, [0, 120, 240])])
    func `an interval is random around its mean, which grows by the multiplier`(
        random: FixedRandom, expected: [Int]
    ) async {
        let hasty = ManualClock(advancesItself: true)
        let instance = instance(on: hasty, random: random) {
            $0.initialIntervalMillis = 100
            ($0.multiplier, $0.randomizationFactor) = (2, 0.2)
        }
        run(instance) { count, completion in completion(success: count == 3) }
        await ends.until(count: 1)
        #expect(seen.all.map(\.[0]) == expected)
    }

    @Test func `no interval is above the maximum`() async {
        let instance = instance(on: ManualClock(advancesItself: true)) {
            ($0.maxIntervalMillis, $0.multiplier, $0.randomizationFactor) = (900, 2, 0)
        }
        run(instance) { count, completion in completion(success: count == 4) }
        await ends.until(count: 1)
        #expect(seen.all.map(\.[0]) == [0, 500, 900, 900])
    }

    @Test func `it fails when the next attempt would start after the longest time`() async {
        let instance = instance(on: ManualClock(advancesItself: true)) {
            ($0.maxElapsedTimeMillis, $0.multiplier, $0.randomizationFactor) = (1500, 1, 0)
        }
        run(instance) { _, completion in completion(success: false) }
        await ends.until(count: 1)
        #expect(ends.all == [.failed] && instance.currentState == .failed)
        #expect(seen.all == [[0, 0], [500, 500], [500, 1000]])
        #expect(instance.elapsedTimeMillis == 1000)
    }

    @Test func `stopping ends a wait at once, with one completion`() async {
        let instance = instance()
        run(instance) { _, completion in completion(success: false) }
        await clock.untilSleepers()
        #expect(instance.stopExecution() == .stopped)
        #expect(instance.stopExecution() == .stopped)
        await ends.until(count: 1)
        #expect(instance.currentState == .stopped && instance.attempts == 1)
        #expect(ends.all == [.stopped] && clock.sleeperCount == 0)
    }

    @Test func `an answer after the stop has no effect`() async {
        let instance = instance()
        run(instance)
        let completion = await answers.next(1)
        instance.stopExecution()
        await ends.until(count: 1)
        #expect(completion(success: true) == .stopped)
        #expect(instance.currentState == .stopped && ends.all == [.stopped])
    }

    @Test func `only the first answer of an attempt counts`() async {
        let instance = instance()
        run(instance)
        let completion = await answers.next(1)
        #expect(completion(success: false) == .running)
        #expect(completion(success: true) == .running)
        await clock.untilSleepers()
        clock.advance(by: .milliseconds(500))
        #expect(await answers.next(2)(success: true) == .succeeded)
        #expect(completion(success: false) == .succeeded)
        await ends.until(count: 1)
        #expect(ends.all == [.succeeded] && instance.attempts == 2)
    }

    @Test func `a stopped or finished instance has nothing to stop`() async {
        let instance = instance()
        #expect(instance.stopExecution() == .stopped)
        run(instance) { _, completion in completion(success: true) }
        await ends.until(count: 1)
        #expect(instance.stopExecution() == .succeeded)
        #expect(instance.currentState == .succeeded)
    }

    @Test func `reset runs the same code again from the start, with the same completion`() async {
        let instance = instance()
        run(instance)
        let completion = await answers.next(1)
        clock.advance(by: .seconds(5))
        _ = completion(success: true)
        await ends.until(count: 1)
        #expect(instance.reset() == .running)
        #expect(instance.elapsedTimeMillis == 0)
        _ = await answers.next(2)(success: true)
        await ends.until(count: 2)
        #expect(ends.all == [.succeeded, .succeeded] && instance.attempts == 1)
        #expect(seen.all == [[0, 0], [0, 0]])
    }

    @Test func `reset right after a stop does not wait for the old attempt`() async {
        let instance = instance()
        run(instance)
        let old = await answers.next(1)
        instance.stopExecution()
        #expect(instance.reset() == .running)
        let new = await answers.next(2)
        #expect(old(success: true) == .running)
        #expect(new(success: true) == .succeeded)
        await ends.until(count: 2)
        #expect(Set(ends.all) == [.stopped, .succeeded])
    }

    @Test func `reset does nothing while it runs, or before the first run`() async {
        let instance = instance()
        #expect(instance.reset() == .stopped)
        run(instance)
        let completion = await answers.next(1)
        #expect(instance.reset() == .running)
        run(instance)
        _ = completion(success: true)
        await ends.until(count: 1)
        #expect(instance.attempts == 1 && seen.all.count == 1 && ends.all == [.succeeded])
    }

    @Test func `code that blocks does not keep others from running`() async {
        let (door, arrivals) = (DispatchSemaphore(value: 0), Recorder<Int>())
        let instances = (0..<3).map { _ in instance() }
        for instance in instances {
            run(instance) { count, completion in
                arrivals.add(count)
                door.wait()
                completion(success: true)
            }
        }
        await arrivals.until(count: 3)
        instances.forEach { _ in door.signal() }
        await ends.until(count: 3)
        #expect(instances.allSatisfy { $0.currentState == .succeeded })
    }

    @Test func `code runs off the main queue, and may answer from it`() async {
        let mark = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: mark, value: true)
        let places = Recorder<Bool>()
        run(instance()) { _, completion in
            places.add(DispatchQueue.getSpecific(key: mark) == true)
            DispatchQueue.main.async { completion(success: true) }
        }
        await ends.until(count: 1)
        #expect(places.all == [false] && ends.all == [.succeeded])
    }

    @Test func `an instance stopped at any moment completes once`() async {
        let hasty = ManualClock(advancesItself: true)
        for index in 0..<200 {
            let (instance, ends) = (instance(on: hasty) { $0.maxElapsedTimeMillis = .max }, Recorder<BackOffState>())
            ExponentialBackOff.sharedInstance.runGeneralBackOff(
                instance, codeToRun: { _, _, completion in completion(success: false) }, completion: { ends.add($0) })
            for _ in 0..<index % 10 { await Task.yield() }
            async let other = instance.stopExecution()
            instance.stopExecution()
            #expect(await other == .stopped)
            await ends.until(count: 1)
            #expect(ends.all == [.stopped])
        }
    }
}
