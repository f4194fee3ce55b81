/// Work that is run until it succeeds and can be stopped, watched and run again.
///
/// The first attempt starts at once. The default retrier follows `BackOffPolicy`: 500 ms, × 1.5, ± 50 %, at most 60 s,
/// for 15 min of wall-clock time. An execution that nobody holds any more runs on to its end.
public final class BackOffExecution: Sendable {
    /// What the execution is doing.
    public enum State: Sendable, Equatable {
        /// Not started, or stopped before its end.
        case stopped
        case running
        /// The retrier gave up.
        case failed
        case succeeded
    }

    private let retrier: Retrier
    private let clock: RunClock
    private let work: @Sendable (BackOffProgress) async throws -> Void
    private let completion: @Sendable (State) -> Void
    private let status = Signal(BackOffStatus())

    /// An execution that has not started.
    ///
    /// `work` fails by throwing. `completion` is called exactly once for each `run()` or `reset()` that started
    /// something, with the state it ended in, when nothing of it runs any more.
    public init(
        _ retrier: Retrier = Retrier(.backOff()), work: @escaping @Sendable (BackOffProgress) async throws -> Void,
        completion: @escaping @Sendable (State) -> Void = { _ in }
    ) {
        self.retrier = retrier
        self.work = work
        self.completion = completion
        clock = RunClock(retrier.clock)
    }

    /// What it is doing now.
    public var state: State { status.value.state }
    /// How many attempts have started since it was last started.
    public var attempts: Int { status.value.attempts }
    /// The delay chosen after the newest failure; 0 before there is one.
    public var lastInterval: Duration { status.value.lastInterval }
    /// The wall-clock time since it was last started; it stands still when it has ended.
    public var elapsed: Duration { status.value.elapsed(at: clock.now()) }

    /// Starts the work where it is stopped; otherwise without effect.
    public func run() {
        status.update { status in
            if status.state == .stopped { start(&status) }
        }
    }

    /// Stops: the state is `stopped` at once, a wait ends and a running attempt is cancelled.
    ///
    /// Without effect where nothing runs. A later start waits for the cancelled attempt to return.
    public func stop() {
        status.update { status in
            guard status.state == .running else { return }
            status.end(.stopped, at: clock.now())
            status.task?.cancel()
        }
    }

    /// Runs the same work again from the first attempt, with the same completion; without effect while it runs.
    public func reset() {
        status.update { status in
            if status.state != .running { start(&status) }
        }
    }

    /// Waits until nothing runs, and returns the state.
    ///
    /// Any number of tasks may wait; cancelling one does not stop the execution.
    /// - Throws: `CancellationError` when the waiting task is cancelled.
    public func finished() async throws(CancellationError) -> State {
        guard let idle = await status.first(where: { !$0.isBusy }) else { throw CancellationError() }
        return idle.state
    }

    private func start(_ status: inout BackOffStatus) {
        let previous = status.task
        let number = status.number + 1
        status = BackOffStatus(number: number, startedAt: clock.now())
        status.task = Task {
            await previous?.value
            await execute(number)
        }
    }

    private func execute(_ number: Int) async {
        var end = State.failed
        for await event in retrier.job({ try await self.attempt(number) }) {
            switch event {
            case .attemptFailure(_, _, let delay?): change(number) { $0.lastInterval = delay }
            case .completion(nil): end = .succeeded
            case .attemptSuccess, .attemptFailure, .completion: continue
            }
        }
        completion(settle(number, end))
        change(number) { $0.isBusy = false }
    }

    private func attempt(_ number: Int) async throws {
        change(number) { $0.attempts += 1 }
        let status = status.value
        try await work(
            BackOffProgress(
                attempt: status.attempts, lastInterval: status.lastInterval, elapsed: status.elapsed(at: clock.now())))
    }

    /// Notes the end of execution `number` and returns the state it ended in.
    private func settle(_ number: Int, _ end: State) -> State {
        let now = clock.now()
        return status.update { status in
            guard status.number == number else { return .stopped }
            if status.state == .running { status.end(end, at: now) }
            return status.state
        }
    }

    /// Changes the status unless a later start has taken it over.
    private func change(_ number: Int, _ change: @Sendable (inout BackOffStatus) -> Void) {
        status.update { if $0.number == number { change(&$0) } }
    }
}
