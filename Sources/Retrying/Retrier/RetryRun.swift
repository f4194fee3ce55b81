/// One run of a job; performs what `RetryProgress` decides and records the results there.
struct RetryRun<Value: Sendable> {
    private let work: @Sendable @concurrent () async throws -> Value
    private let handlers: [EventHandler<RetrierEvent<Value>>]
    private let clock: RunClock
    private let watch: ConditionWatch?
    private var progress: RetryProgress
    /// The board's lapses when the conditions were last seen met.
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
                await stop()
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
        await stop()
        await notify(.completion(nil))
    }

    private func notify(_ event: RetrierEvent<Value>) async {
        await progress.retrier.notify(event)
        for handler in handlers { await handler(event) }
    }

    private mutating func stop() async {
        progress.finish()
        await watch?.stop()
    }

    private mutating func wait(until time: Duration) async {
        let clock = clock
        let (hasWaited, interruption) = await interruptible(by: conditionAlarms) { await clock.wait(until: time) }
        if hasWaited { return progress.waited() }
        record(interruption) { $0.waitInterrupted() }
    }

    /// Waits for the conditions; returns false when the run completes instead.
    private mutating func isReady() async -> Bool {
        if Task.isCancelled { progress.complete(CancellationError()) } else { await waitForConditions() }
        guard case .ready = progress.phase else { return false }
        return progress.canStartAttempt(at: clock.now())
    }

    private mutating func waitForConditions() async {
        guard let watch else { return }
        let (board, interruption) = await interruptible(by: alarm(at: progress.deadline)) {
            await watch.waitUntilDecided()
        }
        switch board?.verdict {
        case .met: lapses = board?.lapses ?? lapses
        case .ended: progress.complete(RetrierError.conditionEnded)
        case .unmet, nil: record(interruption) { _ in }
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
            return .attemptFailure(FailedAttempt(index: index, error: cause, delay: nil))
        }
        let delay = progress.failed(error, at: clock.now())
        return .attemptFailure(FailedAttempt(index: index, error: error, delay: delay))
    }

    /// Records why an attempt or a wait was cut short; a cancellation of the task takes precedence.
    private mutating func record(_ interruption: Interruption?, unmet: (inout RetryProgress) -> Void) {
        switch Task.isCancelled ? nil : interruption {
        case .conditionUnmet: unmet(&progress)
        case .conditionEnded: progress.complete(RetrierError.conditionEnded)
        case .timedOut: progress.complete(RetrierError.timedOut)
        case nil: progress.complete(CancellationError())
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
