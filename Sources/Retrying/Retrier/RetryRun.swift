/// One run of a job: asks `RetryProgress` what comes next, does it, and tells it what happened.
struct RetryRun<Value: Sendable> {
    private let work: @Sendable () async throws -> Value
    private let clock: RunClock
    private let watch: ConditionWatch?
    private var progress: RetryProgress
    /// The conditions' lapses when they were last seen met.
    private var lapses = 0

    /// A run that began when its clock did; now, on a clock of its own, where none is given.
    init(retrier: Retrier, work: @escaping @Sendable () async throws -> Value, clock: RunClock? = nil) {
        self.work = work
        self.clock = clock ?? RunClock(retrier.clock)
        watch = retrier.conditions.isEmpty ? nil : ConditionWatch(retrier.conditions)
        progress = RetryProgress(retrier)
    }

    /// The next event, or nil after the completion.
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
            case .ended: return nil
            }
            guard let event else { continue }
            progress.retrier.tell(event)
            return event
        }
    }

    /// Ends the run without a further event.
    mutating func stop() async {
        progress.end()
        await watch?.stop()
    }

    private mutating func wait(until time: Duration) async {
        let clock = clock
        let (hasWaited, interruption) = await interruptible(by: conditionAlarms) { await clock.wait(until: time) }
        if hasWaited { return progress.waited() }
        settle(interruption) { $0.waitInterrupted() }
    }

    /// Waits for the conditions; false when the run has come to its end instead.
    private mutating func isReady() async -> Bool {
        if Task.isCancelled { progress.complete(CancellationError()) } else { await waitForConditions() }
        guard case .ready = progress.phase else { return false }
        return progress.mayStartAttempt(at: clock.now())
    }

    private mutating func waitForConditions() async {
        guard let watch else { return }
        let (board, interruption) = await interruptible(by: timeAlarm(progress.deadline)) {
            await watch.untilSettled()
        }
        switch board?.verdict {
        case .met: lapses = board?.lapses ?? lapses
        case .ended: progress.complete(RetrierError.conditionEnded)
        case .unmet, nil: settle(interruption) { _ in }
        }
    }

    private mutating func attempt() async -> RetrierEvent<Value>? {
        let alarms = conditionAlarms + timeAlarm(progress.attemptDeadline)
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
            settle(interruption) { $0.attemptInterrupted() }
            guard let interruption, !Task.isCancelled else { return nil }
            let cause: any Error = interruption == .timedOut ? RetrierError.timedOut : CancellationError()
            return .attemptFailure(index: index, error: cause, delay: nil)
        }
        let delay = progress.failed(error, at: clock.now())
        return .attemptFailure(index: index, error: error, delay: delay)
    }

    /// Tells the progress why something was cut short; cancelling the reader's task goes before all else.
    private mutating func settle(_ interruption: Interruption?, unmet: (inout RetryProgress) -> Void) {
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

    private func timeAlarm(_ deadline: Duration?) -> [@Sendable () async -> Interruption?] {
        guard let deadline else { return [] }
        let clock = clock
        return [{ await clock.wait(until: deadline) ? .timedOut : nil }]
    }
}
