/// How long the terminal took for its answers, and from that how long to wait for the next ones.
struct AnswerTimes: Equatable {
    /// The shortest and the longest wait for the last answers, when the terminal is given back.
    static let lastPatience = Duration.milliseconds(100)...Duration.seconds(3)
    /// How long the next picture waits for the answer to the one before.
    static let picturePatience = Duration.seconds(1)...Duration.seconds(10)
    /// Less than this many bytes say nothing about the speed of a connection: 16 KiB.
    private static let leastBytes = 16 * 1024

    /// The longest time of an answer; nil before the first.
    private(set) var longest: Duration?
    /// The fewest bytes a second that the terminal read; nil before the first picture.
    private var bytesPerSecond: Double?

    /// Takes note of an answer that came after so long, to a question with so many bytes before it.
    mutating func note(_ duration: Duration, bytes: Int = 0) {
        longest = max(longest ?? .zero, duration)
        guard bytes >= Self.leastBytes, duration > .zero else { return }
        let speed = Double(bytes) / (duration / .seconds(1))
        bytesPerSecond = min(bytesPerSecond ?? speed, speed)
    }

    /// How long the next picture waits: four times the longest answer.
    var forPictures: Duration { ((longest ?? .zero) * 4).clamped(to: Self.picturePatience) }

    /// How long to wait for answers that are due when the terminal is given back.
    ///
    /// Twice the longest answer, and the time that unanswered bytes take. Before the first answer, a terminal at the other
    /// end of a network gets 3 s from the question on; any other is taken for one that does not answer.
    ///
    /// - Parameters:
    ///   - elapsed: the time since the latest question.
    ///   - bytes: what was sent and not answered yet.
    func last(after elapsed: Duration, unanswered bytes: Int, isRemote: Bool) -> Duration {
        let most = Self.lastPatience.upperBound
        guard let longest else { return (isRemote ? most - elapsed : .zero).clamped(to: Self.lastPatience) }
        return (longest * 2 + readingTime(of: bytes, isRemote: isRemote)).clamped(to: Self.lastPatience)
    }

    private func readingTime(of bytes: Int, isRemote: Bool) -> Duration {
        if let bytesPerSecond { return .seconds(Double(bytes) / bytesPerSecond) }
        return isRemote && bytes >= Self.leastBytes ? Self.lastPatience.upperBound : .zero
    }
}

extension Duration {
    fileprivate func clamped(to range: ClosedRange<Duration>) -> Duration {
        min(max(self, range.lowerBound), range.upperBound)
    }
}
