/// A rule that reads the delay from an error.
struct ServerDelay: Sendable {
    let cap: Duration
    let jitter: Duration
    let delay: @Sendable (any Error) -> Duration?

    /// Returns the decision that the error asks for, or nil if it asks for none.
    func decision(on error: any Error, using random: inout some RandomNumberGenerator) -> RetryDecision? {
        guard let requested = delay(error)?.clamped() else { return nil }
        guard requested <= cap else { return .giveUp }
        return .retry(after: requested + uniformDelay(0, jitter.inSeconds, using: &random))
    }
}

extension Retrier {
    /// Returns the delay after a failure by the policy and all modifiers, or nil to give up.
    func delay(
        after failure: AttemptFailure, policy: any RetryPolicy, using random: inout some RandomNumberGenerator
    ) -> Duration? {
        guard !(failure.error is CancellationError),
            case .retry(let planned) = policy.decision(after: failure, using: &random),
            case .retry(let chosen) = serverDecision(after: failure, planned: planned, using: &random)
        else { return nil }
        let delay = chosen.clamped()
        return allowsRetry(after: failure, delay: delay) ? delay : nil
    }

    /// Calls the event handlers.
    func notify(_ event: RetrierEvent<some Sendable>) async {
        for handler in eventHandlers { await handler(event.map { $0 }) }
    }

    private func serverDecision(
        after failure: AttemptFailure, planned: Duration, using random: inout some RandomNumberGenerator
    ) -> RetryDecision {
        var longest: Duration?
        for rule in serverDelays {
            switch rule.decision(on: failure.error, using: &random) {
            case nil: continue
            case .giveUp: return .giveUp
            case .retry(let delay): longest = max(longest ?? .zero, delay)
            }
        }
        return .retry(after: longest ?? planned)
    }

    private func allowsRetry(after failure: AttemptFailure, delay: Duration) -> Bool {
        if let attemptLimit, failure.index >= attemptLimit - 1 { return false }
        if let timeout, failure.elapsed + delay >= timeout { return false }
        return !giveUps.contains { $0(failure, delay) }
    }
}
