/// When which frame of an animation is shown.
///
/// Every answer follows from the time since the start alone: whoever comes late skips frames, and nothing queues up.
public struct AnimationTimeline: Sendable, Hashable {
    /// What is shown at a moment.
    public struct Position: Sendable, Hashable {
        /// From 0.
        public var frame: Int
        /// How often the whole animation has been shown.
        public var completedLoops: Int
        /// Whether the last play is over; its last frame stays.
        public var isFinished: Bool
    }

    /// The end of each frame within one play, in nanoseconds, rising.
    private let ends: [Int64]
    /// Nil for ever.
    private let plays: Int?

    /// Delays are in the order of the frames; those at or below 11 ms become 100 ms, those over a day a day.
    public init(delays: [Duration], loopCount: Int?, repeatCount: RepeatCount = .fromFile) {
        var ends: [Int64] = []
        for delay in delays {
            ends.append(Self.sum(ends.last ?? 0, Self.nanoseconds(min(Animation.shown(delay), .seconds(86_400)))))
        }
        self.ends = ends
        plays = repeatCount.plays(loopCount: loopCount)
    }

    /// The timeline of an animation; played as often as its file asks for, by default.
    public init(_ animation: Animation, repeatCount: RepeatCount = .fromFile) {
        self.init(delays: animation.delays, loopCount: animation.loopCount, repeatCount: repeatCount)
    }

    /// What is shown so long after the start; before it, the first frame.
    ///
    /// Complexity: O(log frames).
    public func position(at elapsed: Duration) -> Position {
        let moment = Self.nanoseconds(elapsed)
        guard length > 0 else { return Position(frame: 0, completedLoops: 0, isFinished: true) }
        let loops = moment / length
        if let plays, loops >= plays {
            return Position(frame: ends.count - 1, completedLoops: plays, isFinished: true)
        }
        return Position(frame: index(at: moment % length), completedLoops: Int(loops), isFinished: false)
    }

    /// The time from the start to the next change of what is shown; nil when nothing changes any more.
    ///
    /// The end of the last play is no change: its last frame stays.
    public func nextChange(after elapsed: Duration) -> Duration? {
        let position = position(at: elapsed)
        guard !position.isFinished, ends.count > 1 else { return nil }
        if let plays, position.completedLoops == plays - 1, position.frame == ends.count - 1 { return nil }
        let start = Self.product(Int64(position.completedLoops), length)
        let next = Self.sum(start, ends[position.frame])
        return next < .max ? .nanoseconds(next) : nil
    }

    /// The time from the start to the end of the last play; nil when it plays for ever.
    public var end: Duration? { plays.map { .nanoseconds(Self.product(Int64($0), length)) } }

    /// One play, in nanoseconds.
    private var length: Int64 { ends.last ?? 0 }

    /// The first frame that ends after the moment.
    private func index(at moment: Int64) -> Int {
        var (low, high) = (0, ends.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] > moment { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Whole nanoseconds, at least 0; what is beyond 292 years is the last moment.
    private static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return sum(product(seconds, 1_000_000_000), attoseconds / 1_000_000_000)
    }

    private static func sum(_ left: Int64, _ right: Int64) -> Int64 {
        let (result, overflow) = left.addingReportingOverflow(right)
        return overflow ? .max : result
    }

    private static func product(_ left: Int64, _ right: Int64) -> Int64 {
        let (result, overflow) = left.multipliedReportingOverflow(by: right)
        return overflow ? .max : result
    }
}
