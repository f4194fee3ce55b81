/// How a host in trouble stands.
package struct HostStatus: Hashable, Sendable {
    /// What its trouble is.
    package enum Trouble: Hashable, Sendable {
        /// It asked for a pause.
        case parked
        /// It failed several times in a row and is only probed.
        case failing
        /// It failed for so long that nothing waits for it any more.
        case givenUp
        /// It refuses more than so many requests a second, which are tenths.
        case slowed(tenthsPerSecond: Int)
        /// It may be asked again, and has not answered yet.
        case recovering
    }

    package var host: String
    package var trouble: Trouble
    /// Until requests may pass again.
    package var seconds: Int
    /// The retries of the last minutes, and how many of them are allowed.
    package var retriesTaken: Int
    package var retriesAllowed: Int

    package init(host: String, trouble: Trouble, seconds: Int, retriesTaken: Int, retriesAllowed: Int) {
        self.host = host
        self.trouble = trouble
        self.seconds = seconds
        self.retriesTaken = retriesTaken
        self.retriesAllowed = retriesAllowed
    }

    /// Whether a place, which is a host without its port, is this host's.
    func isHost(of place: String) -> Bool { host == place || host.hasPrefix(place + ":") && !place.isEmpty }

    /// Its trouble, and when it is asked again, so many seconds from now.
    package func words(seconds: Int) -> String {
        let time = seconds > 0 ? "in \(Units.duration(ahead: seconds))" : "now"
        return switch trouble {
        case .parked: "paused, next try \(time)"
        case .failing: "failing, next try \(time)"
        case .givenUp: "given up, next try \(time)"
        case .slowed(let tenths): "slowed down to \(Units.tenths(tenths)) requests/s"
        case .recovering: "may answer again"
        }
    }
}

/// The hosts in trouble, as reported at a moment.
struct HostBoard: Sendable, Equatable {
    var hosts: [HostStatus] = []
    var reported = 0

    /// Seconds until a host may be asked again.
    func secondsLeft(of host: HostStatus, at now: Int) -> Int { max(0, host.seconds - (now - reported) / 1000) }
}
