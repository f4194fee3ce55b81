import Dispatch
import Retrying
import Synchronization

/// Code that runs with growing, random intervals until it succeeds; it can be stopped, observed and run again.
///
/// The first attempt starts at once. Interval k is `min(maxIntervalMillis, b·U[1−r, 1+r])`, where b begins with
/// `initialIntervalMillis` and grows by `multiplier`, and r is `randomizationFactor`. The back-off fails when the next
/// attempt would start `maxElapsedTimeMillis` or more after the first. Releasing the last reference does not stop it.
public final class ExponentialBackOffInstance: BackOffAlgorithm {
    /// The settings of a back-off, which can be changed before it is created.
    public final class Builder {
        /// The first interval in milliseconds, 500 by default.
        public var initialIntervalMillis = BackOffProperties.DEFAULT_INITIAL_INTERVAL_MILLIS
        /// The longest time for all attempts in milliseconds, 900,000 by default.
        public var maxElapsedTimeMillis = BackOffProperties.DEFAULT_MAX_ELAPSED_TIME_MILLIS
        /// The longest interval in milliseconds, 60,000 by default.
        public var maxIntervalMillis = BackOffProperties.DEFAULT_MAX_INTERVAL_MILLIS
        /// The factor from one interval to the next, 1.5 by default.
        public var multiplier = BackOffProperties.DEFAULT_MULTIPLIER
        /// The half-width of the random range, as a part of the interval: 0 … 1, 0.5 by default.
        public var randomizationFactor = BackOffProperties.DEFAULT_RANDOMIZATION_FACTOR

        /// Creates the default settings.
        public init() {}
    }

    /// The first interval in milliseconds.
    public let initialIntervalMillis: Int
    /// The longest time for all attempts in milliseconds.
    public let maxElapsedTimeMillis: Int
    /// The longest interval in milliseconds.
    public let maxIntervalMillis: Int
    /// The factor from one interval to the next.
    public let multiplier: Double
    /// The half-width of the random range, as a part of the interval.
    public let randomizationFactor: Double

    private let retrier: Retrier
    private let clock: RunClock
    private let execution = Mutex(Execution())

    /// Creates a back-off without starting it.
    ///
    /// - Parameters:
    ///   - builder: The settings; later changes of the builder have no effect.
    ///   - clock: Measures and waits.
    ///   - random: The source of randomness.
    public init(
        builder: Builder, clock: any Clock<Duration> = ContinuousClock(),
        random: @escaping @Sendable () -> any RandomNumberGenerator & Sendable = { SystemRandomNumberGenerator() }
    ) {
        (initialIntervalMillis, maxIntervalMillis) = (builder.initialIntervalMillis, builder.maxIntervalMillis)
        (multiplier, randomizationFactor) = (builder.multiplier, builder.randomizationFactor)
        maxElapsedTimeMillis = builder.maxElapsedTimeMillis
        let policy = BackOffPolicy(
            initial: .milliseconds(initialIntervalMillis), multiplier: multiplier, randomization: randomizationFactor,
            maxInterval: .milliseconds(maxIntervalMillis), maxElapsed: .milliseconds(maxElapsedTimeMillis))
        retrier = Retrier(policy, clock: clock, random: random)
        self.clock = RunClock(clock)
    }

    /// The current state.
    public var currentState: BackOffState { execution.withLock { $0.state } }
    /// The number of attempts since the last start.
    public var attempts: Int { execution.withLock { $0.attempts } }
    /// The interval chosen after the newest failure in milliseconds, 0 before the first one.
    public var lastIntervallMillis: Int { execution.withLock { $0.lastInterval.inMilliseconds } }
    /// The time from the last start until now or until the end, in milliseconds.
    public var elapsedTimeMillis: Int { execution.withLock { $0.elapsed(at: clock.now()).inMilliseconds } }

    /// Starts to run the code; does nothing while some runs.
    @discardableResult
    public func algorithm(
        _ backOff: any BackOff, completion: (@Sendable (_ state: BackOffState) -> Void)?
    ) -> any BackOffAlgorithm {
        execution.withLock { start(&$0, Work(backOff: backOff, completion: completion)) }
        return self
    }

    /// Stops the execution: the state is `stopped` at once, a wait ends, and an answer of a running attempt is ignored.
    @discardableResult
    public func stopExecution() -> BackOffState {
        let (state, task) = execution.withLock { execution -> (BackOffState, Task<Void, Never>?) in
            guard execution.state == .running else { return (execution.state, nil) }
            execution.end(.stopped, at: clock.now())
            return (execution.state, execution.task)
        }
        task?.cancel()
        return state
    }

    /// Runs the same code again from the first attempt, with the same completion; does nothing while it runs, or when
    /// it never ran.
    @discardableResult
    public func reset() -> BackOffState {
        execution.withLock { execution in
            if let work = execution.work { start(&execution, work) }
            return execution.state
        }
    }

    private func start(_ execution: inout Execution, _ work: Work) {
        guard execution.state != .running else { return }
        let number = execution.number + 1
        execution = Execution(number: number, state: .running, startedAt: clock.now(), work: work)
        execution.task = Task { await run(work, number) }
    }

    private func run(_ work: Work, _ number: Int) async {
        var end = BackOffState.failed
        for await event in retrier.job({ try await self.attempt(work.backOff, number) }) {
            switch event {
            case .attemptFailure(let failure): change(number) { $0.lastInterval = failure.delay ?? $0.lastInterval }
            case .completion(nil): end = .succeeded
            case .completion(_ as CancellationError): end = .stopped
            case .attemptSuccess, .completion: continue
            }
        }
        change(number) { [end] in $0.end(end, at: clock.now()) }
        work.completion?(execution.withLock { [end] in $0.number == number ? $0.state : end })
    }

    private func attempt(_ backOff: any BackOff, _ number: Int) async throws {
        let (answers, answer) = AsyncStream<Bool>.makeStream(bufferingPolicy: .bufferingOldest(1))
        change(number) { $0.attempts += 1 }
        let (interval, elapsed) = (lastIntervallMillis, elapsedTimeMillis)
        // The code may block, so it does not run on a thread of tasks.
        DispatchQueue.global().async { [self] in
            backOff.run(interval, elapsedTimeMillis: elapsed) { [self] isSuccess in
                if case .enqueued = answer.yield(isSuccess) {
                    if isSuccess { change(number) { $0.end(.succeeded, at: clock.now()) } }
                    answer.finish()
                }
                return currentState
            }
        }
        // The stream ends without an answer when the execution is stopped.
        for await isSuccess in answers where isSuccess { return }
        throw AttemptFailed()
    }

    /// Changes the execution unless it has ended or there was a later start.
    private func change(_ number: Int, _ change: (inout Execution) -> Void) {
        execution.withLock { if $0.number == number, $0.state == .running { change(&$0) } }
    }
}

private struct AttemptFailed: Error {}

private struct Work: Sendable {
    let backOff: any BackOff
    let completion: (@Sendable (BackOffState) -> Void)?
}

/// The changing state of a back-off.
private struct Execution: Sendable {
    /// The number of the start.
    var number = 0
    private(set) var state = BackOffState.stopped
    var attempts = 0
    var lastInterval = Duration.zero
    var task: Task<Void, Never>?
    let work: Work?
    private let startedAt: Duration
    private var endedAt: Duration?

    init() { (work, startedAt, endedAt) = (nil, .zero, .zero) }

    init(number: Int, state: BackOffState, startedAt: Duration, work: Work) {
        (self.number, self.state, self.startedAt, self.work) = (number, state, startedAt, work)
    }

    mutating func end(_ state: BackOffState, at now: Duration) { (self.state, endedAt) = (state, now) }

    func elapsed(at now: Duration) -> Duration { (endedAt ?? now) - startedAt }
}

extension Duration {
    fileprivate var inMilliseconds: Int { Int(self / .milliseconds(1)) }
}
