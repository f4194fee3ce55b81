/// How long a failing host is waited for before requests to it fail at once.
///
/// A host that has served well for an hour is worth minutes, one that never answered is not: it is waited for as long as
/// it was known before its circuit opened, within bounds.
public struct HostPatience: Sendable, Equatable {
    private let bounds: ClosedRange<Duration>

    /// As long as the host was known before, from 20 s to 3 minutes by default; a limit below the other is the other.
    public init(atLeast shortest: Duration = .seconds(20), atMost longest: Duration = .seconds(180)) {
        let shortest = shortest.clamped()
        bounds = shortest...max(shortest, longest.clamped())
    }

    /// So long, whatever it was before.
    public static func exactly(_ patience: Duration) -> HostPatience {
        HostPatience(atLeast: patience, atMost: patience)
    }

    func patience(withHostKnownFor time: Duration) -> Duration { min(max(time, bounds.lowerBound), bounds.upperBound) }
}
