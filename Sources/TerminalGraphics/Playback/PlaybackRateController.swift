import Raster

/// Controls the rate and size of transition and animation frames by the terminal's acknowledgement times.
///
/// At most one frame is in transmission. If the link is too slow, frames are reduced: each step halves the sides, which
/// needs about a quarter of the bytes. A reduction that does not help, because latency dominates, is reverted. Times
/// are durations since an arbitrary reference time.
package struct PlaybackRateController: Hashable, Sendable {
    /// The shortest interval between frames.
    package let interval: Duration
    /// The number of times that the sides are halved: 0 to 3.
    package private(set) var reduction = 0
    /// The smoothed acknowledgement time at the current size; nil before the first frame.
    package private(set) var frameTime: Duration?

    private var sentAt: Duration?
    private var isPending = false
    private var earliest = Duration.zero
    private var largestReduction = 3
    /// The acknowledgement time before the last reduction, until it is known whether the reduction helped.
    private var timeBefore: Duration?

    /// Creates a controller for a maximum number of frames per second: 20 by default, clamped to 1…120.
    package init(framesPerSecond: Int = 20) {
        interval = .seconds(1) / min(max(framesPerSecond, 1), 120)
    }

    /// The time from which the next frame may be sent; nil while one is in transmission.
    package var nextFrame: Duration? { isPending ? nil : earliest }

    /// Whether animation is worthwhile: false if frames take more than 250 ms even at their smallest size.
    package var isFluent: Bool { reduction < largestReduction || frameTime ?? .zero <= .milliseconds(250) }

    /// Returns the current frame size for a picture, at least 1×1.
    package func size(of full: PixelSize) -> PixelSize {
        guard !full.isEmpty else { return full }
        return PixelSize(width: max(1, full.width >> reduction), height: max(1, full.height >> reduction))
    }

    /// Records that a frame was sent.
    package mutating func didSend(at now: Duration) {
        sentAt = now
        isPending = true
    }

    /// Records the acknowledgement of the frame in transmission, if there is one.
    package mutating func didAcknowledge(at now: Duration) {
        guard isPending, let sentAt else { return }
        isPending = false
        earliest = max(sentAt + interval, now)
        adapt(to: max(.zero, now - sentAt))
    }

    private mutating func adapt(to time: Duration) {
        if let before = timeBefore {
            timeBefore = nil
            if time * 4 > before * 3 { return revertReduction(time) }
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

    /// Reverts a reduction that saved less than a quarter of the time: latency dominates, not bandwidth.
    private mutating func revertReduction(_ time: Duration) {
        reduction -= 1
        largestReduction = reduction
        frameTime = time
    }
}
