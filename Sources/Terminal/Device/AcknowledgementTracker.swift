/// Tracks the status queries sent after pictures, and whether the terminal has acknowledged the last picture.
struct AcknowledgementTracker: Equatable {
    typealias Instant = ContinuousClock.Instant

    /// The number of rounds without a reply after which the terminal counts as one that never replies: 3.
    private static let maximumSilentRounds = 3
    /// The age at which a query counts as lost: 30 s.
    private static let maximumAge = Duration.seconds(30)

    private struct Query: Equatable {
        let sentAt: Instant
        /// The number of bytes sent before it.
        let bytes: Int
    }

    /// The number of the current round; each picture starts one.
    private(set) var round = 0
    /// Whether the acknowledgement of the last picture is outstanding.
    private(set) var isPending = false
    /// The queries without a reply, oldest first; replies arrive in this order.
    private var queries: [Query] = []
    private var silentRounds = 0
    private var hasReplyInRound = false

    /// The number of outstanding replies, including late ones.
    var outstandingCount: Int { queries.count }

    /// Whether a reply may still arrive.
    var hasOutstanding: Bool { !queries.isEmpty }

    /// The time of the latest query without a reply.
    var latest: Instant? { queries.last?.sentAt }

    /// The number of bytes sent and not acknowledged.
    var unacknowledgedBytes: Int { queries.reduce(0) { $0 + $1.bytes } }

    mutating func didQuery(at now: Instant, bytes: Int) {
        round += 1
        isPending = true
        hasReplyInRound = false
        queries.append(Query(sentAt: now, bytes: bytes))
    }

    /// Assigns a reply to the oldest query and returns its response time; nil if no query was outstanding.
    mutating func receive(at now: Instant, _ times: inout ResponseTimes) -> Duration? {
        while queries.count > 1, now - queries[0].sentAt > Self.maximumAge { queries.removeFirst() }
        silentRounds = 0
        hasReplyInRound = true
        guard !queries.isEmpty else { return nil }
        let query = queries.removeFirst()
        if queries.isEmpty { isPending = false }
        times.record(now - query.sentAt, bytes: query.bytes)
        return now - query.sentAt
    }

    /// Returns the time at which a round expires without its reply; nil if the round is over.
    ///
    /// The deadline moves as replies arrive: a slow reply extends it.
    func deadline(of round: Int, _ times: ResponseTimes) -> Instant? {
        guard isPending, round == self.round, let latest else { return nil }
        let isSilent = silentRounds >= Self.maximumSilentRounds
        return latest + (isSilent ? ResponseTimes.pictureTimeoutRange.lowerBound : times.pictureTimeout)
    }

    /// Ends the current round without its reply.
    ///
    /// A reply during the round proves that an earlier one was lost, so counting starts afresh.
    mutating func expire() {
        isPending = false
        silentRounds += 1
        if hasReplyInRound || silentRounds >= Self.maximumSilentRounds { queries = [] }
    }
}
/// The terminal's response times, and the timeouts derived from them.
struct ResponseTimes: Equatable {
    /// The range of the wait for outstanding replies when the terminal is released.
    static let finalTimeoutRange = Duration.milliseconds(100)...Duration.seconds(3)
    /// The range of the wait for a picture's acknowledgement.
    static let pictureTimeoutRange = Duration.seconds(1)...Duration.seconds(10)
    /// The fewest bytes that reveal the connection's speed: 16 KiB.
    private static let minimumSample = 16 * 1024

    /// The longest response time; nil before the first reply.
    private(set) var longest: Duration?
    /// The lowest measured speed; nil before the first measurement.
    private var bytesPerSecond: Double?

    /// Records the response time of a query that was sent after so many bytes.
    mutating func record(_ duration: Duration, bytes: Int = 0) {
        longest = max(longest ?? .zero, duration)
        guard bytes >= Self.minimumSample, duration > .zero else { return }
        let speed = Double(bytes) / (duration / .seconds(1))
        bytesPerSecond = min(bytesPerSecond ?? speed, speed)
    }

    /// The time-out of a picture's acknowledgement: four times the longest response time.
    var pictureTimeout: Duration { ((longest ?? .zero) * 4).clamped(to: Self.pictureTimeoutRange) }

    /// Returns how long to wait for outstanding replies when the terminal is released.
    ///
    /// The wait is twice the longest response time plus the transmission time of the unacknowledged bytes. Before the
    /// first reply, a remote terminal gets 3 s from the query on; a local one is assumed not to reply.
    ///
    /// - Parameters:
    ///   - elapsed: the time since the latest query.
    ///   - bytes: the number of bytes sent and not acknowledged.
    func finalTimeout(after elapsed: Duration, unacknowledged bytes: Int, isRemote: Bool) -> Duration {
        let range = Self.finalTimeoutRange
        guard let longest else { return (isRemote ? range.upperBound - elapsed : .zero).clamped(to: range) }
        return (longest * 2 + transmissionTime(of: bytes, isRemote: isRemote)).clamped(to: range)
    }

    /// Returns how long the terminal needs for some bytes; not much before the first measurement, unless it is remote.
    func transmissionTime(of bytes: Int, isRemote: Bool) -> Duration {
        if let bytesPerSecond { return .seconds(Double(bytes) / bytesPerSecond) }
        return isRemote && bytes >= Self.minimumSample ? Self.finalTimeoutRange.upperBound : .zero
    }
}

extension Duration {
    fileprivate func clamped(to range: ClosedRange<Duration>) -> Duration {
        min(max(self, range.lowerBound), range.upperBound)
    }
}
