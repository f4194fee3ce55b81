/// Where a run stands: pure, told what happened and when, it says what comes next.
struct RetryProgress {
    enum Phase {
        /// The next attempt may start as soon as the conditions are met.
        case ready
        /// Nothing happens until the time, counted from the run's begin.
        case waiting(until: Duration)
        /// One completion is still to be told.
        case completing((any Error)?)
        case ended
    }

    private(set) var phase = Phase.ready
    private(set) var index = 0
    let retrier: Retrier
    private var generator: any RandomNumberGenerator & Sendable
    private var policy: any RetryPolicy
    private var step = 0
    private var start = Duration.zero
    private var newestError: (any Error)?

    init(_ retrier: Retrier) {
        self.retrier = retrier
        policy = retrier.policy
        generator = retrier.makeGenerator()
    }

    /// When waiting for a condition must end.
    var deadline: Duration? { retrier.timeout.map { start + $0 } }

    /// When a running attempt must end.
    var attemptDeadline: Duration? { retrier.abortTimeout.map { start + $0 } }

    /// Whether the next attempt may start; where not, the run completes.
    mutating func mayStartAttempt(at now: Duration) -> Bool {
        if let limit = retrier.attemptLimit, index >= limit {
            complete(newestError ?? RetrierError.noAttemptLeft)
            return false
        }
        if let deadline, index > 0, now >= deadline {
            complete(newestError ?? RetrierError.timedOut)
            return false
        }
        return true
    }

    mutating func succeeded(at now: Duration) {
        guard let delay = retrier.repeatDelay else { return complete(nil) }
        start = now + delay
        index = 0
        newestError = nil
        restartPolicy()
        phase = .waiting(until: start)
    }

    /// Takes in a failure and returns the delay before the next attempt, or nil when the run gives up.
    mutating func failed(_ error: any Error, at now: Duration) -> Duration? {
        let failure = AttemptFailure(index: index, step: step, elapsed: now - start, error: error)
        newestError = error
        guard let delay = retrier.delay(after: failure, policy: policy, using: &generator) else {
            complete(error)
            return nil
        }
        policy = policy.policy(after: failure, delay: delay)
        index += 1
        step += 1
        phase = .waiting(until: now + delay)
        return delay
    }

    /// A condition turned false during a wait: the next attempt starts when it is true again.
    mutating func waitInterrupted() {
        restartPolicy()
        phase = .ready
    }

    /// A condition turned false during an attempt.
    mutating func attemptInterrupted() {
        index += 1
        waitInterrupted()
    }

    mutating func waited() {
        phase = .ready
    }

    mutating func complete(_ error: (any Error)?) {
        phase = .completing(error)
    }

    mutating func end() {
        phase = .ended
    }

    private mutating func restartPolicy() {
        policy = retrier.policy
        step = 0
    }
}
