/// Work combined with a retrier: a cold sequence of events.
///
/// Each iteration is a separate run. A run advances only while its next event is awaited: no attempt starts earlier,
/// and events never pile up. Cancelling the reading task cancels a running attempt or wait at once. The run then ends,
/// after the attempt has returned, with one `completion` of `CancellationError`.
public struct RetryJob<Value: Sendable>: AsyncSequence, Sendable {
    public typealias Element = RetrierEvent<Value>
    public typealias Failure = Never

    let retrier: Retrier
    let work: @Sendable @concurrent () async throws -> Value
    var handlers: [EventHandler<RetrierEvent<Value>>] = []

    public func makeAsyncIterator() -> Iterator { Iterator(run: RetryRun(self)) }

    /// Calls `handler` with each event of each run, in order: after the retrier's handlers, before the job returns the
    /// event.
    ///
    /// A handler that is isolated to an actor runs on that actor.
    ///
    /// - Parameter queue: Where handlers run that are not isolated to an actor; by default on any thread.
    public func handleRetrierEvents(
        on queue: CallbackQueue = .untouch,
        @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (RetrierEvent<Value>) -> Void
    ) -> RetryJob {
        var copy = self
        copy.handlers.append(EventHandler(queue: queue, handle: handler))
        return copy
    }

    /// One run, advanced by `next()`.
    public struct Iterator: AsyncIteratorProtocol {
        var run: RetryRun<Value>

        public mutating func next() async -> RetrierEvent<Value>? { await run.next() }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> RetrierEvent<Value>? {
            await run.next()
        }
    }

    /// The first value of a new run.
    ///
    /// - Throws: The error that the run completes with: the newest attempt's error, a `RetrierError`, or
    ///   `CancellationError` when the awaiting task is cancelled.
    public var value: Value {
        get async throws {
            var run = RetryRun(self)
            while let event = await run.next() {
                switch event {
                case .attemptSuccess(let value):
                    await run.complete()
                    return value
                case .completion(let error?): throw error
                case .attemptFailure, .completion(nil): continue
                }
            }
            throw CancellationError()
        }
    }
}

extension RetryJob {
    /// Returns the values of the successful attempts.
    public func success() -> some AsyncSequence<Value, Never> & Sendable {
        compactMap { event in
            if case .attemptSuccess(let value) = event { value } else { nil }
        }
    }

    /// Returns the failed attempts.
    public func failure() -> some AsyncSequence<FailedAttempt, Never> & Sendable {
        compactMap { event in
            if case .attemptFailure(let failure) = event { failure } else { nil }
        }
    }

    /// Returns the completion alone: nil after a success, otherwise the error.
    public func completion() -> some AsyncSequence<(any Error)?, Never> & Sendable {
        compactMap { event -> (any Error)?? in
            if case .completion(let error) = event { .some(error) } else { nil }
        }
    }
}

/// One run of a job; does what `RetryProgress` decides and records the results there.
struct RetryRun<Value: Sendable> {
    private let work: @Sendable @concurrent () async throws -> Value
    private let handlers: [EventHandler<RetrierEvent<Value>>]
    private let clock: RunClock
    private let watch: ConditionWatch?
    private var progress: RetryProgress
    /// The board's count of lapses when the conditions were last seen to be met.
    private var lapses = 0

    /// Creates a run that begins now.
    init(_ job: RetryJob<Value>) {
        let retrier = job.retrier
        (work, handlers) = (job.work, job.handlers)
        clock = RunClock(retrier.clock)
        watch = retrier.conditions.isEmpty ? nil : ConditionWatch(retrier.conditions)
        progress = RetryProgress(retrier)
    }

    /// Returns the next event, or nil after the completion.
    mutating func next() async -> RetrierEvent<Value>? {
        while true {
            let event: RetrierEvent<Value>?
            switch progress.phase {
            case .waiting(let time):
                await wait(until: time)
                event = nil
            case .ready: event = await isReady() ? await attempt() : nil
            case .completing(let error):
                stop()
                event = .completion(error)
            case .finished: return nil
            }
            guard let event else { continue }
            await notify(event)
            return event
        }
    }

    /// Ends the run after a success; the handlers receive the completion.
    mutating func complete() async {
        stop()
        await notify(.completion(nil))
    }

    private func notify(_ event: RetrierEvent<Value>) async {
        await progress.retrier.notify(event)
        for handler in handlers { await handler(event) }
    }

    private mutating func stop() {
        progress.phase = .finished
        watch?.stop()
    }

    private mutating func wait(until time: Duration) async {
        let clock = clock
        let (hasWaited, interruption) = await interruptible(by: conditionAlarms) { await clock.wait(until: time) }
        if hasWaited { progress.phase = .ready } else { record(interruption) { $0.waitInterrupted() } }
    }

    /// Waits for the conditions; returns false if the run completes instead.
    private mutating func isReady() async -> Bool {
        if Task.isCancelled { progress.phase = .completing(CancellationError()) } else { await waitForConditions() }
        guard case .ready = progress.phase else { return false }
        return progress.canStartAttempt(at: clock.now())
    }

    private mutating func waitForConditions() async {
        guard let watch else { return }
        let board = await watch.waitUntilDecided()
        switch board?.verdict {
        case .met: lapses = board?.lapses ?? lapses
        case .ended: progress.phase = .completing(RetrierError.conditionEnded)
        case .unmet, nil: progress.phase = .completing(CancellationError())
        }
    }

    private mutating func attempt() async -> RetrierEvent<Value>? {
        let alarms = conditionAlarms + alarm(at: progress.attemptDeadline)
        let work = work
        let (result, interruption) = await interruptible(by: alarms) { () async -> Result<Value, any Error> in
            do { return .success(try await work()) } catch { return .failure(error) }
        }
        switch result {
        case .success(let value):
            progress.succeeded(at: clock.now())
            return .attemptSuccess(value)
        case .failure(let error): return failed(error, interruption)
        }
    }

    private mutating func failed(_ error: any Error, _ interruption: Interruption?) -> RetrierEvent<Value>? {
        let index = progress.index
        if interruption != nil || Task.isCancelled {
            record(interruption) { $0.attemptInterrupted() }
            guard let interruption, !Task.isCancelled else { return nil }
            let cause: any Error = interruption == .timedOut ? RetrierError.timedOut : CancellationError()
            return .attemptFailure(FailedAttempt(index: index, error: cause, delay: nil, attempt: nil))
        }
        let (failure, delay) = progress.failed(error, at: clock.now())
        return .attemptFailure(FailedAttempt(index: index, error: error, delay: delay, attempt: failure))
    }

    /// Records why an attempt or a wait ended early; a cancellation of the task takes precedence.
    private mutating func record(_ interruption: Interruption?, unmet: (inout RetryProgress) -> Void) {
        switch Task.isCancelled ? nil : interruption {
        case .conditionUnmet: unmet(&progress)
        case .conditionEnded: progress.phase = .completing(RetrierError.conditionEnded)
        case .timedOut: progress.phase = .completing(RetrierError.timedOut)
        case nil: progress.phase = .completing(CancellationError())
        }
    }

    private var conditionAlarms: [@Sendable () async -> Interruption?] {
        guard let watch else { return [] }
        return [{ [lapses] in await watch.interruption(since: lapses) }]
    }

    private func alarm(at deadline: Duration?) -> [@Sendable () async -> Interruption?] {
        guard let deadline else { return [] }
        let clock = clock
        return [{ await clock.wait(until: deadline) ? .timedOut : nil }]
    }
}

/// The pure state machine of a run: it is told what happened and when, and its `phase` says what to do next.
struct RetryProgress {
    enum Phase {
        /// The next attempt may start as soon as the conditions are met.
        case ready
        /// The run waits until this time, measured from its start.
        case waiting(until: Duration)
        /// The completion is the next event.
        case completing((any Error)?)
        case finished
    }

    var phase = Phase.ready
    private(set) var index = 0
    let retrier: Retrier
    private var generator: any RandomNumberGenerator & Sendable
    private var policy: any RetryPolicy
    /// The number of attempts of the current trial that failed, and when its first attempt started.
    private var step = 0
    private var trialStart = Duration.zero
    private var newestError: (any Error)?
    private var userInfo: (any Sendable)?

    init(_ retrier: Retrier) {
        self.retrier = retrier
        policy = retrier.policy
        generator = retrier.makeGenerator()
    }

    /// The time at which attempts are cancelled.
    var attemptDeadline: Duration? { retrier.abortTimeout.map { trialStart + $0 } }

    /// Returns whether the next attempt may start; if not, the run completes.
    mutating func canStartAttempt(at now: Duration) -> Bool {
        if step == 0 { trialStart = now }
        if step >= retrier.attemptLimit || index >= retrier.totalLimit {
            phase = .completing(newestError ?? RetrierError.noAttemptLeft)
        } else if let timeout = retrier.timeout, step > 0, now - trialStart >= timeout {
            phase = .completing(newestError ?? RetrierError.timedOut)
        } else {
            return true
        }
        return false
    }

    mutating func succeeded(at now: Duration) {
        index = 0
        newestError = nil
        restartPolicy()
        phase = retrier.repeatDelay.map { .waiting(until: now + $0) } ?? .completing(nil)
    }

    /// Records a failure; the delay before the next attempt is nil when the run gives up.
    mutating func failed(_ error: any Error, at now: Duration) -> (failure: AttemptFailure, delay: Duration?) {
        var failure = AttemptFailure(
            index: index, step: step, elapsed: now - trialStart, error: error, userInfo: userInfo)
        failure.trialStart = trialStart
        newestError = error
        guard let delay = retrier.delay(after: failure, policy: policy, using: &generator) else {
            phase = .completing(error)
            return (failure, nil)
        }
        userInfo = policy.userInfo(after: failure)
        policy = policy.policy(after: failure, delay: delay)
        index += 1
        step += 1
        phase = .waiting(until: now + delay)
        return (failure, delay)
    }

    /// Records that a condition turned false during a wait; the next attempt starts when it is true again.
    mutating func waitInterrupted() {
        restartPolicy()
        phase = .ready
    }

    /// Records that a condition turned false during an attempt.
    mutating func attemptInterrupted() {
        index += 1
        waitInterrupted()
    }

    private mutating func restartPolicy() {
        policy = retrier.policy
        userInfo = nil
        step = 0
    }
}
