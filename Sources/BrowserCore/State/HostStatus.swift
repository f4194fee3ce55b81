import AlcedoScreen

/// The status of a host in trouble.
package struct HostStatus: Hashable, Sendable {
    /// The kind of trouble.
    package enum Trouble: Hashable, Sendable {
        /// It requested a pause.
        case parked
        /// It failed several times in a row, so that only probes are sent.
        case failing
        /// It failed for so long that no item waits for it any more.
        case givenUp
        /// It refuses more than this rate, in tenths of a request per second.
        case slowed(tenthsPerSecond: Int)
        /// Requests are allowed again, but none has succeeded yet.
        case recovering
    }

    package var host: String
    package var trouble: Trouble
    /// Seconds until requests are allowed.
    package var seconds: Int
    /// The retries of the last two minutes.
    package var retriesUsed: Int
    /// The retries that are allowed in two minutes.
    package var retriesAllowed: Int

    package init(host: String, trouble: Trouble, seconds: Int, retriesUsed: Int, retriesAllowed: Int) {
        (self.host, self.trouble, self.seconds, self.retriesUsed) = (host, trouble, seconds, retriesUsed)
        self.retriesAllowed = retriesAllowed
    }

    /// Whether `place`, a host without its port, is this host.
    func isHost(of place: String) -> Bool { host == place || host.hasPrefix(place + ":") && !place.isEmpty }

    /// Returns a description of the trouble and of the next attempt, which is some seconds away.
    package func words(seconds: Int) -> String {
        let next = Units.nextTry(seconds: seconds)
        return switch trouble {
        case .parked: "paused, \(next)"
        case .failing: "failing, \(next)"
        case .givenUp: "given up, \(next)"
        case .slowed(let tenths): "slowed down to \(Units.tenths(tenths)) requests/s"
        case .recovering: "may answer again"
        }
    }
}

/// The hosts in trouble, as reported at a time.
struct HostBoard: Sendable, Equatable {
    private(set) var hosts: [HostStatus]
    private let reported: Int

    init(_ hosts: [HostStatus] = [], at now: Int = 0) {
        (self.hosts, reported) = (hosts, now)
        for index in hosts.indices { self.hosts[index].host = SafeText.clean(hosts[index].host) }
    }

    /// Whether requests to any host are not allowed now.
    func isPaused(at now: Int) -> Bool { hosts.contains { secondsLeft(of: $0, at: now) > 0 } }

    /// Returns the seconds until requests to a host are allowed.
    func secondsLeft(of host: HostStatus, at now: Int) -> Int { max(0, host.seconds - (now - reported) / 1000) }
}
