import Raster

/// A picture, or the frames of a moving one, in the place of the picture that is on its way.
public struct PictureIndicator: Indicator {
    /// At least one for anything to be seen.
    public let frames: [PixelBuffer]
    public let interval: Duration?

    /// A picture that stands still.
    public init(_ picture: PixelBuffer) {
        frames = [picture]
        interval = nil
    }

    /// Frames that each stand for the interval, 100 ms by default and 1 ms at least, over and over.
    public init(frames: [PixelBuffer], interval: Duration = .milliseconds(100)) {
        self.frames = frames
        self.interval = frames.count > 1 ? max(interval, .milliseconds(1)) : nil
    }

    public func frame(_ moment: IndicatorMoment) -> StandInLook {
        guard let first = frames.first else { return .nothing }
        guard let interval else { return .picture(first) }
        let steps = max(.zero, moment.elapsed) / interval
        return .picture(frames[Int(steps.truncatingRemainder(dividingBy: Double(frames.count)))])
    }
}
