import Retrying

/// A policy whose delay grows by a second after each failure.
struct PatientPolicy: RetryPolicy {
    var delay = Duration.milliseconds(100)

    func decision(after failure: AttemptFailure, using random: inout some RandomNumberGenerator) -> RetryDecision {
        .retry(after: delay)
    }

    func policy(after failure: AttemptFailure, delay: Duration) -> any RetryPolicy {
        PatientPolicy(delay: self.delay + .seconds(1))
    }
}
