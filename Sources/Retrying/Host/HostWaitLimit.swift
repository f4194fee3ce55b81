/// The time for which requests wait for a failing host before they fail at once.
///
/// It is as long as the host was known before its circuit opened, within bounds: a host that served well for an
/// hour is worth minutes, one that never answered is not.
public struct HostWaitLimit: Sendable, Equatable {
    private let bounds: ClosedRange<Duration>

    /// Creates a limit between 20 s and 3 minutes by default; an upper bound below the lower one is raised to
    /// it.
    public init(atLeast shortest: Duration = .seconds(20), atMost longest: Duration = .seconds(180)) {
        let shortest = shortest.clamped()
        bounds = shortest...max(shortest, longest.clamped())
    }

    /// Returns a limit that does not depend on the host.
    public static func exactly(_ limit: Duration) -> HostWaitLimit {
        HostWaitLimit(atLeast: limit, atMost: limit)
    }

    func limit(forHostKnownFor time: Duration) -> Duration { min(max(time, bounds.lowerBound), bounds.upperBound) }
}
