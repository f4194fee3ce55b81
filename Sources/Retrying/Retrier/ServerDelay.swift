/// A rule by which an error names its own delay.
struct ServerDelay: Sendable {
    let cap: Duration
    let jitter: Duration
    let delay: @Sendable (any Error) -> Duration?

    /// The decision the error asks for, or nil where it asks for none.
    func decision(on error: any Error, using random: inout some RandomNumberGenerator) -> RetryDecision? {
        guard let asked = delay(error)?.clamped() else { return nil }
        guard asked <= cap else { return .giveUp }
        return .retry(after: asked + uniformDelay(0, jitter.inSeconds, using: &random))
    }
}
