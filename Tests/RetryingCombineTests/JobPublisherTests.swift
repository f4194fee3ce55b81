import Dispatch
import RetryingCombine
import TestSupport
import Testing

/// What subscribers of a job and its handlers receive, when and where.
@Suite(.timeLimit(.minutes(1)))
struct JobPublisherTests {
    let clock = ManualClock()

    /// A subscriber that asks for events when the test does.
    private final class Reader: Subscriber {
        typealias Input = RetrierEvent<Int>
        typealias Failure = Never

        let heard = Heard()
        private var subscription: (any Subscription)?
        /// What each received event asks for besides.
        private let more: Int

        init(more: Int = 0) { self.more = more }

        func receive(subscription: any Subscription) { self.subscription = subscription }

        func receive(_ input: RetrierEvent<Int>) -> Subscribers.Demand {
            heard.lines.add(words(input))
            return .max(more)
        }

        func receive(completion: Subscribers.Completion<Never>) { heard.lines.add("finished") }

        func ask(for count: Int) { subscription?.request(.max(count)) }

        func cancel() { subscription?.cancel() }
    }

    @Test func `a job makes no attempt before it has a subscriber with demand`() async {
        let attempts = Attempts()
        let job = withNoDelay().job(attempts.run)
        let reader = Reader()
        job.subscribe(reader)
        await settle()
        #expect(attempts.count == 0)
        reader.ask(for: 1)
        await reader.heard.until(count: 1)
        #expect(attempts.count == 1)
    }

    @Test func `an attempt waits for demand`() async {
        let attempts = Attempts(failing: 9)
        let reader = Reader()
        withNoDelay().job(attempts.run).subscribe(reader)
        reader.ask(for: 2)
        await reader.heard.until(count: 2)
        await settle()
        #expect(attempts.count == 2)
        reader.ask(for: 1)
        await reader.heard.until(count: 3)
        await settle()
        #expect(attempts.count == 3 && reader.heard.all.count == 3)
        reader.cancel()
    }

    @Test func `demand may come with each event, and the end needs none`() async {
        let reader = Reader(more: 1)
        withNoDelay().job(Attempts(failing: 2).run).subscribe(reader)
        reader.ask(for: 1)
        await reader.heard.untilFinished()
        #expect(
            reader.heard.all == [
                "failure 0 Broken(code: 1)", "failure 1 Broken(code: 2)", "success 3", "completion", "finished",
            ])
    }

    @Test func `demands add up, to any number`() async {
        let attempts = Attempts(failing: 50)
        let reader = Reader()
        withNoDelay().job(attempts.run).subscribe(reader)
        for _ in 0..<3 { reader.ask(for: .max) }
        await reader.heard.untilFinished()
        #expect(attempts.count == 51 && reader.heard.all.count == 53)
    }

    @Test func `each subscription is a run of its own`() async {
        let attempts = Attempts(failing: 1)
        let job = withNoDelay().job(attempts.run)
        let (first, second) = (Heard(), Heard())
        let one = first.subscribe(to: job)
        await first.untilFinished()
        let other = second.subscribe(to: job)
        await second.untilFinished()
        #expect(first.all == ["failure 0 Broken(code: 1)", "success 2", "completion", "finished"])
        #expect(second.all == ["success 3", "completion", "finished"])
        withExtendedLifetime((one, other)) {}
    }

    @Test func `cancelling a subscription cancels the attempt, and nothing more is heard`() async {
        let (attempt, heard, handled) = (EndlessAttempt(), Heard(), Recorder<String>())
        let job = withNoDelay().job(attempt.run).handleRetrierEvents { handled.add(words($0)) }
        let cancellable = heard.subscribe(to: job)
        await attempt.starts.until(count: 1)
        cancellable.cancel()
        await attempt.ends.until(count: 1)
        await handled.until(count: 1)
        await settle()
        #expect(heard.all == [])
        #expect(handled.all == ["completion CancellationError()"])
    }

    @Test func `dropping the cancellable ends a wait at once`() async {
        let (heard, ends) = (Heard(), Recorder<String>())
        let job = withConstantDelay().timed(by: clock).job(Attempts(failing: 9).run)
            .handleRetrierEvents { if case .completion = $0 { ends.add(words($0)) } }
        var cancellable: AnyCancellable? = heard.subscribe(to: job)
        await clock.untilSleepers()
        #expect(cancellable != nil)
        cancellable = nil
        await clock.untilNoSleepers()
        await ends.until(count: 1)
        #expect(heard.all == ["failure 0 Broken(code: 1)"] && ends.all == ["completion CancellationError()"])
    }

    @Test @MainActor func `a run that is cancelled in the cycle of its start makes no attempt`() async {
        let (attempts, ends) = (Attempts(), Recorder<String>())
        let job = withNoDelay().job(attempts.run).handleRetrierEvents { ends.add(words($0)) }
        Heard().subscribe(to: job).cancel()
        await ends.until(count: 1)
        #expect(attempts.count == 0 && ends.all == ["completion CancellationError()"])
    }

    @Test func `a subscriber may cancel while it receives an event`() async {
        let (attempts, ends) = (Attempts(failing: 9), Recorder<String>())
        let values = Recorder<String>()
        let cancellable = withNoDelay().job(attempts.run)
            .handleRetrierEvents { if case .completion = $0 { ends.add(words($0)) } }
            .first { words($0).hasPrefix("failure 1") }.sink { values.add(words($0)) }
        await ends.until(count: 1)
        #expect(values.all == ["failure 1 Broken(code: 2)"])
        #expect(attempts.count == 2)
        withExtendedLifetime(cancellable) {}
    }

    @Test func `events and the end come on the main queue, to handlers first`() async {
        let (order, places) = (Recorder<String>(), Recorder<Bool>())
        let job = withNoDelay().job(Attempts(failing: 1).run).handleRetrierEvents { event in
            order.add("first " + words(event))
            places.add(isOnMainQueue())
        }.handleRetrierEvents { order.add("second " + words($0)) }
        let cancellable = job.sink(
            receiveCompletion: { _ in
                places.add(isOnMainQueue())
                order.add("finished")
            },
            receiveValue: {
                places.add(isOnMainQueue())
                order.add("sink " + words($0))
            })
        await order.until { $0.last == "finished" }
        let lines = ["failure 0 Broken(code: 1)", "success 2", "completion"].flatMap { event in
            ["first", "second", "sink"].map { "\($0) \(event)" }
        }
        #expect(order.all == lines + ["finished"])
        #expect(places.all == Array(repeating: true, count: 7))
        withExtendedLifetime(cancellable) {}
    }

    @Test func `a repeater waits between successes, and each trial has its own attempts`() async {
        let (heard, attempts) = (Heard(), Recorder<Int>())
        let job = withConstantDelay(1).giveUpAfter(maxAttempts: 2).timed(by: clock).repeating(withDelay: 30).job {
            attempts.add(0)
            let count = attempts.all.count
            if count != 2 { throw Broken(code: count) }
            return count
        }
        let cancellable = heard.subscribe(to: job)
        for wait in [1, 30, 1] {
            await clock.untilSleepers()
            clock.advance(by: .seconds(wait))
        }
        await heard.untilFinished()
        #expect(
            heard.all == [
                "failure 0 Broken(code: 1)", "success 2", "failure 0 Broken(code: 3)", "failure 1 Broken(code: 4)",
                "completion Broken(code: 4)", "finished",
            ])
        withExtendedLifetime(cancellable) {}
    }

    @Test func `a job that was made first takes the same modifiers`() async {
        let (first, second) = (Heard(), Heard())
        let job = withNoDelay().job(Attempts(failing: 9).run)
        let limited = first.subscribe(to: job.giveUpAfter(maxAttempts: 1).onlyWhen(Just(true)))
        let repeated = second.subscribe(
            to: job.repeating(withDelay: 1).giveUp { failure, _ in failure.index == 1 }.onlyWhen(Just(true)))
        await first.untilFinished()
        await second.untilFinished()
        #expect(first.all.count == 3 && second.all.count == 4)
        withExtendedLifetime((limited, repeated)) {}
    }

    @Test func `a value throws when its task is cancelled, and handlers hear of that`() async {
        let (attempt, ends) = (EndlessAttempt(), Recorder<String>())
        let job = withNoDelay().job(attempt.run).handleRetrierEvents { ends.add(words($0)) }
        let reading = Task { try await job.value }
        await attempt.starts.until(count: 1)
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        #expect(attempt.ends.all.count == 1 && ends.all == ["completion CancellationError()"])
    }

    @Test func `a run that ends is released with its subscriber`() async {
        weak var released: Attempts?
        do {
            let (attempts, heard) = (Attempts(), Heard())
            released = attempts
            let cancellable = heard.subscribe(to: withNoDelay().job(attempts.run))
            await heard.untilFinished()
            withExtendedLifetime(cancellable) {}
        }
        await until { released == nil }
        #expect(released == nil)
    }

    @Test func `runs that are cancelled at any moment, from any thread, complete once and leave nothing running`() async
    {
        let (running, ends) = (Recorder<Int>(), Recorder<String>())
        let job = withConstantDelay().timed(by: ManualClock(advancesItself: true)).onlyWhen(Just(true)).job {
            () -> Int in
            running.add(1)
            await Task.yield()
            running.add(-1)
            throw Broken()
        }.handleRetrierEvents { if case .completion = $0 { ends.add(words($0)) } }
        await withTaskGroup { group in
            for index in 0..<200 {
                group.addTask {
                    let cancellable = job.sink { _ in }
                    for _ in 0..<index % 20 { await Task.yield() }
                    cancellable.cancel()
                }
            }
        }
        await ends.until(count: 200)
        await until { running.all.reduce(0, +) == 0 }
        #expect(ends.all == Array(repeating: "completion CancellationError()", count: 200))
    }

    /// Gives everything that is ready to run a chance to do so.
    private func settle() async {
        for _ in 0..<200 { await Task.yield() }
        await MainActor.run {}
    }
}
