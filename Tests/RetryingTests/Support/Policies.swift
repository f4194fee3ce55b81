import Retrying
import TestSupport

struct Broken: Error, Equatable {
    var code = 0
}

/// The first delays of a policy driven as a retrier drives it, without waiting; shorter where it gives up.
func delays(
    of policy: any RetryPolicy, count: Int = 8, using random: some RandomNumberGenerator = FixedRandom.highest
) -> [Duration] {
    var delays: [Duration] = []
    drive(policy, attempts: count, using: random) { delays.append($0) }
    return delays
}

/// Drives a policy through failed attempts in virtual time.
func drive(
    _ policy: any RetryPolicy, attempts: Int, using random: some RandomNumberGenerator, _ see: (Duration) -> Void
) {
    var policy = policy
    var random = random
    var elapsed = Duration.zero
    for index in 0..<attempts {
        let failure = AttemptFailure(index: index, elapsed: elapsed, error: Broken())
        guard case .retry(let delay) = policy.decision(after: failure, using: &random) else { return }
        see(delay)
        elapsed += delay
        policy = policy.policy(after: failure, delay: delay)
    }
}
