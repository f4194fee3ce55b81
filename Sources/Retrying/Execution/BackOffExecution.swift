/// Work that runs until it succeeds and that can be stopped, observed and run again.
///
/// The first attempt starts at once. The default retrier uses `BackOffPolicy`: 500 ms, × 1.5, ± 50 %, at most 60 s, for
/// 15 min. Releasing the last reference does not stop a running execution.
public final class BackOffExecution: Sendable {
    /// The states of an execution.
    public enum State: Sendable, Equatable {
        /// Not started yet, or stopped early.
        case stopped
        /// Attempts run or wait.
        case running
        /// The retrier gave up.
        case failed
        /// An attempt succeeded.
        case succeeded
    }

    private let retrier: Retrier
    private let clock: RunClock
    private let work: @Sendable @concurrent (BackOffProgress) async throws -> Void
    private let completion: @Sendable (State) -> Void
    private let status = ObservableValue(BackOffStatus())

    /// Creates an execution without starting it.
    ///
    /// - Parameters:
    ///   - retrier: Decides when to try again.
    ///   - work: One attempt, which fails by throwing.
    ///   - completion: Called exactly once for each `run()` or `reset()` that started the work, with the final state,
    ///     when nothing runs any more.
    public init(
        _ retrier: Retrier = Retrier(.backOff()),
        work: @escaping @Sendable @concurrent (BackOffProgress) async throws -> Void,
        completion: @escaping @Sendable (State) -> Void = { _ in }
    ) {
        (self.retrier, self.work, self.completion) = (retrier, work, completion)
        clock = RunClock(retrier.clock)
    }

    /// Creates an execution of a `BackOffWork` without starting it.
    public convenience init(_ retrier: Retrier = Retrier(.backOff()), work: some BackOffWork) {
        self.init(retrier, work: { try await work.attempt($0) }, completion: { work.finish($0) })
    }

    /// The current state.
    public var state: State { status.value.state }
    /// The number of attempts since the last start.
    public var attempts: Int { status.value.attempts }
    /// The delay chosen after the newest failure, 0 before the first one.
    public var lastInterval: Duration { status.value.lastInterval }
    /// The time from the last start until now or until the execution ended.
    public var elapsed: Duration { status.value.elapsed(at: clock.now()) }

    /// Starts the work if it is stopped; does nothing otherwise.
    public func run() {
        status.update { status in
            if status.state == .stopped { start(&status) }
        }
    }

    /// Stops the work: the state is `stopped` at once, a wait ends and a running attempt is cancelled.
    ///
    /// Does nothing if nothing runs. A later start waits until the cancelled attempt has returned.
    public func stop() {
        status.update { status in
            guard status.state == .running else { return }
            status.finish(.stopped, at: clock.now())
            status.task?.cancel()
        }
    }

    /// Runs the same work again from the first attempt, with the same completion; does nothing while it runs.
    public func reset() {
        status.update { status in
            if status.state != .running { start(&status) }
        }
    }

    /// Waits until nothing runs, and returns the state.
    ///
    /// Any number of tasks may wait. Cancelling one of them does not stop the execution.
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
            case .attemptFailure(let failure):
                if let delay = failure.delay { change(number) { $0.lastInterval = delay } }
            case .completion(nil): end = .succeeded
            case .attemptSuccess, .completion: continue
            }
        }
        completion(finish(number, end))
        change(number) { $0.isBusy = false }
    }

    private func attempt(_ number: Int) async throws {
        change(number) { $0.attempts += 1 }
        let status = status.value
        try await work(
            BackOffProgress(
                attempt: status.attempts, lastInterval: status.lastInterval, elapsed: status.elapsed(at: clock.now())))
    }

    /// Records the end of start `number` and returns its final state.
    private func finish(_ number: Int, _ end: State) -> State {
        let now = clock.now()
        return status.update { status in
            guard status.number == number else { return .stopped }
            if status.state == .running { status.finish(end, at: now) }
            return status.state
        }
    }

    /// Changes the status, unless there was a later start.
    private func change(_ number: Int, _ change: @Sendable (inout BackOffStatus) -> Void) {
        status.update { if $0.number == number { change(&$0) } }
    }
}

/// The work of a `BackOffExecution` and its completion, as a type instead of two closures.
public protocol BackOffWork: Sendable {
    /// Makes one attempt, which fails by throwing.
    func attempt(_ progress: BackOffProgress) async throws

    /// Called exactly once for each start, with the final state, when nothing runs any more; does nothing by default.
    func finish(_ state: BackOffExecution.State)
}

extension BackOffWork {
    public func finish(_ state: BackOffExecution.State) {}
}

/// The progress of a `BackOffExecution`, as its work receives it.
public struct BackOffProgress: Sendable, Equatable {
    /// The attempt's number, from 1.
    public let attempt: Int
    /// The delay before this attempt, 0 for the first one.
    public let lastInterval: Duration
    /// The time since the execution started.
    public let elapsed: Duration
}

/// The mutable state of a `BackOffExecution`.
struct BackOffStatus: Sendable {
    private(set) var state = BackOffExecution.State.stopped
    var attempts = 0
    var lastInterval = Duration.zero
    /// The number of the start; changes from earlier starts are ignored.
    let number: Int
    /// Whether work may still run; that can be the case for a while after `stop()`.
    var isBusy = false
    var task: Task<Void, Never>?
    private let startedAt: Duration
    private var endedAt: Duration?

    init() {
        number = 0
        startedAt = .zero
        endedAt = .zero
    }

    init(number: Int, startedAt: Duration) {
        self.number = number
        self.startedAt = startedAt
        state = .running
        isBusy = true
    }

    mutating func finish(_ state: BackOffExecution.State, at now: Duration) {
        self.state = state
        endedAt = now
    }

    func elapsed(at now: Duration) -> Duration { (endedAt ?? now) - startedAt }
}
