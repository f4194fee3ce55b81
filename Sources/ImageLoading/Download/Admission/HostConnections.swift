import NIOHTTP1

/// What a host's connections are like, as its answers show.
enum HostConnections: Sendable {
    /// Each carries many transfers at a time.
    case multiplexed
    /// Each carries one; who finds all at work waits for one of them.
    case pooled
    /// They are a proxy's, which carries transfers to other hosts too.
    case shared
    /// One could not be had: who waited for it would fail with it.
    case limited

    /// Whether a transfer beyond what they carry goes on by itself when one of them has room.
    var canBeWaitedFor: Bool { self == .pooled || self == .multiplexed }

    init(answeringWith version: HTTPVersion, on route: HTTPTransport.Route) {
        switch route {
        case _ where version.major >= 2: self = .multiplexed
        case .direct, .tunnel: self = .pooled
        case .forward: self = .shared
        }
    }
}
