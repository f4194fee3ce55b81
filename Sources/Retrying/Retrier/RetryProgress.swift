/// The pure state machine of a run: it receives what happened and when, and its `phase` is what to do next.
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

    private(set) var phase = Phase.ready
    private(set) var index = 0
    let retrier: Retrier
    private var generator: any RandomNumberGenerator & Sendable
    private var policy: any RetryPolicy
    private var step = 0
    private var start = Duration.zero
    private var newestError: (any Error)?
    private var userInfo: (any Sendable)?

    init(_ retrier: Retrier) {
        self.retrier = retrier
        policy = retrier.policy
        generator = retrier.makeGenerator()
    }

    /// The end of the time for waits for conditions.
    var deadline: Duration? { retrier.timeout.map { start + $0 } }

    /// The end of the time for attempts.
    var attemptDeadline: Duration? { retrier.abortTimeout.map { start + $0 } }

    /// Returns whether the next attempt may start; if not, the run completes.
    mutating func canStartAttempt(at now: Duration) -> Bool {
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

    /// Records a failure and returns the delay before the next attempt, or nil when the run gives up.
    mutating func failed(_ error: any Error, at now: Duration) -> Duration? {
        let failure = AttemptFailure(
            index: index, step: step, elapsed: now - start, error: error, userInfo: userInfo)
        newestError = error
        guard let delay = retrier.delay(after: failure, policy: policy, using: &generator) else {
            complete(error)
            return nil
        }
        userInfo = policy.userInfo(after: failure)
        policy = policy.policy(after: failure, delay: delay)
        index += 1
        step += 1
        phase = .waiting(until: now + delay)
        return delay
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

    mutating func waited() {
        phase = .ready
    }

    mutating func complete(_ error: (any Error)?) {
        phase = .completing(error)
    }

    mutating func finish() {
        phase = .finished
    }

    private mutating func restartPolicy() {
        policy = retrier.policy
        userInfo = nil
        step = 0
    }
}
