import Raster

/// The pace of frames that pass, transitions and animations, by how long the terminal takes to acknowledge them.
///
/// One frame at most is on its way. Where the link is too slow for the pace, frames get smaller, each step having half
/// the sides and so about a quarter of the bytes; what only waits for a distant terminal is not made smaller in vain.
/// Times are durations since any one moment.
public struct PlaybackPace: Hashable, Sendable {
    /// The shortest time from frame to frame.
    public let interval: Duration
    /// How many times the sides of frames are halved: 0 to 3.
    public private(set) var reduction = 0
    /// What a frame of the current size takes to be acknowledged, smoothed; nil before the first one.
    public private(set) var frameTime: Duration?

    private var sentAt: Duration?
    private var isDue = false
    private var earliest = Duration.zero
    private var largestReduction = 3
    /// The time before frames became smaller, until it is known whether that helped.
    private var timeBefore: Duration?

    /// Takes the most frames a second, 20 by default, clamped to 1…120.
    public init(framesPerSecond: Int = 20) {
        interval = .seconds(1) / min(max(framesPerSecond, 1), 120)
    }

    /// When the next frame may be sent, at once if that is past; nil while one is on its way.
    public var nextFrame: Duration? { isDue ? nil : earliest }

    /// Whether motion is worth the while: false when frames take more than a quarter of a second even at their smallest.
    public var isFluent: Bool { reduction < largestReduction || frameTime ?? .zero <= .milliseconds(250) }

    /// The size that a frame of a picture should have, at least 1×1.
    public func size(of full: PixelSize) -> PixelSize {
        guard !full.isEmpty else { return full }
        return PixelSize(width: max(1, full.width >> reduction), height: max(1, full.height >> reduction))
    }

    /// Takes note that a frame was sent.
    public mutating func sent(at now: Duration) {
        sentAt = now
        isDue = true
    }

    /// Takes note that the terminal has taken the frame; without one on its way nothing happens.
    public mutating func acknowledged(at now: Duration) {
        guard isDue, let sentAt else { return }
        isDue = false
        earliest = max(sentAt + interval, now)
        judge(max(.zero, now - sentAt))
    }

    private mutating func judge(_ time: Duration) {
        if let before = timeBefore {
            timeBefore = nil
            if time * 4 > before * 3 { return takeBack(time) }
        }
        let smoothed = frameTime.map { ($0 * 3 + time) / 4 } ?? time
        frameTime = smoothed
        if smoothed * 2 > interval * 3, reduction < largestReduction {
            reduction += 1
            timeBefore = time
            frameTime = nil
        } else if reduction > 0, smoothed * 16 < interval * 3 {
            reduction -= 1
            frameTime = smoothed * 4
        }
    }

    /// Smaller frames were not faster by a quarter: it is the way that takes the time, not the bytes.
    private mutating func takeBack(_ time: Duration) {
        reduction -= 1
        largestReduction = reduction
        frameTime = time
    }
}
