import FoundationEssentials
import Raster

/// The animation data of a picture: its file and the timing of its frames.
///
/// GIF, PNG (APNG), WebP, AVIF and JPEG XL can be animated.
public struct Animation: Sendable, Hashable {
    /// The encoded file.
    public let file: Data
    /// The display duration of each frame; always above 11 ms.
    public let delays: [Duration]
    /// The number of plays that the file states; nil for endless.
    ///
    /// A GIF without a loop extension is played once. A loop extension with the count n means n repetitions after the
    /// first play. A PNG and a WebP state the number of plays.
    public let loopCount: Int?
    /// The size of every frame, upright, before any scaling.
    public let canvasSize: PixelSize
    /// All decoded frames if they were preloaded; empty otherwise.
    public let frames: [PixelBuffer]
    /// The bytes of `frames`, with equal frames counted once.
    package let frameBytes: Int
    /// Where frames are decoded; nil for this process.
    package var frameSource: FrameSource?

    /// Creates an animation; equal frames share their memory.
    ///
    /// A loop count below 1 means endless. Complexity: O(bytes of `frames`).
    public init(
        file: Data, delays: [Duration], loopCount: Int?, canvasSize: PixelSize, frames: [PixelBuffer] = []
    ) {
        self.file = file
        self.delays = delays.map(Self.shown)
        self.loopCount = loopCount.flatMap { $0 < 1 ? nil : $0 }
        self.canvasSize = canvasSize
        var unique: Set<PixelBuffer> = []
        self.frames = frames.map { unique.insert($0).memberAfterInsert }
        frameBytes = unique.reduce(0) { $0 + $1.bytes.count }
    }

    /// The number of frames in the file.
    public var frameCount: Int { delays.count }

    /// The format of the file, detected by its first bytes; nil for formats without animation.
    var format: ImageFormat? {
        guard let format = FormatSniffer.format(of: file) else { return nil }
        return [.gif, .png, .webP, .avif, .jpegXL].contains(format) ? format : nil
    }

    /// Returns the display duration for a delay in a file: 100 ms for delays of at most 11 ms.
    ///
    /// Files with such delays were made for programs that showed every frame for 100 ms; browsers still do that.
    static func shown(_ delay: Duration) -> Duration { delay <= .milliseconds(11) ? .milliseconds(100) : delay }
}

extension Image {
    /// The file of an animation whose first frame the picture is; nil for a processed one, and for a still.
    ///
    /// Complexity: O(pixels), to decode the frame.
    package var unprocessedAnimation: Data? {
        guard let animation, animation.canvasSize == size else { return nil }
        let loading = AnimationLoading(onlyFirstFrame: true)
        let frame = try? CodecDecoder().decode(animation.file, within: nil, limits: .standard, animation: loading)
        return frame?.pixels == pixels ? animation.file : nil
    }
}

/// A decoder of frames outside of this process.
package struct FrameSource: Sendable, Hashable {
    /// Distinguishes decoders.
    package let name: String
    /// Opens an animation: its frames are decoded to fit the box, then scaled to the exact size.
    package let open:
        @Sendable (Animation, _ box: PixelSize?, PixelSize, DecodeLimits) throws(CodecError) -> any FrameReading

    package init(
        name: String,
        open:
            @escaping @Sendable (Animation, PixelSize?, PixelSize, DecodeLimits) throws(CodecError) -> any FrameReading
    ) {
        (self.name, self.open) = (name, open)
    }

    package static func == (left: FrameSource, right: FrameSource) -> Bool { left.name == right.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// Options for decoding animations.
public struct AnimationLoading: Sendable, Hashable {
    /// Whether only the first frame is decoded, as a still picture; false by default.
    public var onlyFirstFrame: Bool
    /// Whether all frames are decoded at once instead of on demand; false by default.
    public var preloadsAllFrames: Bool

    /// Creates the options; by default all frames are decoded, each shortly before it is shown.
    public init(onlyFirstFrame: Bool = false, preloadsAllFrames: Bool = false) {
        (self.onlyFirstFrame, self.preloadsAllFrames) = (onlyFirstFrame, preloadsAllFrames)
    }
}

/// The frame shown at each time of an animation's playback.
///
/// Every result depends only on the time since the start, so a late caller skips frames and no backlog builds up.
public struct AnimationTimeline: Sendable, Hashable {
    /// The state of playback at one time.
    public struct Position: Sendable, Hashable {
        /// The index of the frame, from 0.
        public var frame: Int
        /// The number of completed plays.
        public var completedLoops: Int
        /// Whether the last play is over; its last frame stays visible.
        public var isFinished: Bool
    }

    /// The end time of each frame within one play, in attoseconds, in ascending order.
    private let ends: [Int128]
    /// The number of plays; nil for endless.
    private let plays: Int?

    /// Creates a timeline from the delays of the frames, in order.
    ///
    /// Delays of at most 11 ms become 100 ms, and delays above one day become one day.
    ///
    /// - Parameters:
    ///   - delays: The delay of each frame.
    ///   - loopCount: The number of plays; nil or a number below 1 for endless.
    public init(delays: [Duration], loopCount: Int?) {
        var end: Int128 = 0
        ends = delays.map { delay in
            end += min(Animation.shown(delay), .seconds(86_400)).attoseconds
            return end
        }
        plays = loopCount.flatMap { $0 < 1 ? nil : $0 }
    }

    /// Creates the timeline of an animation, which is played as often as its file states.
    public init(_ animation: Animation) {
        self.init(delays: animation.delays, loopCount: animation.loopCount)
    }

    /// Returns the position at a time since the start; negative times give the first frame.
    ///
    /// Complexity: O(log frames).
    public func position(at elapsed: Duration) -> Position {
        guard length > 0 else { return Position(frame: 0, completedLoops: 0, isFinished: true) }
        let (loops, moment) = Self.moment(elapsed).quotientAndRemainder(dividingBy: length)
        if let plays, loops >= plays {
            return Position(frame: ends.count - 1, completedLoops: plays, isFinished: true)
        }
        return Position(frame: index(at: moment), completedLoops: Int(clamping: loops), isFinished: false)
    }

    /// Returns the time from the start to the next change of the shown frame; nil when no change follows.
    ///
    /// The end of the last play is not a change, because its last frame stays visible.
    public func nextChange(after elapsed: Duration) -> Duration? {
        let position = position(at: elapsed)
        guard !position.isFinished, ends.count > 1 else { return nil }
        if let plays, position.completedLoops == plays - 1, position.frame == ends.count - 1 { return nil }
        let moment = Self.moment(elapsed)
        return Duration(attoseconds: moment - moment % length + ends[position.frame])
    }

    /// The time from the start to the end of the last play; nil for endless playback.
    public var end: Duration? {
        plays.map { plays in
            let (total, overflow) = length.multipliedReportingOverflow(by: Int128(plays))
            return Duration(attoseconds: overflow ? Self.longest : min(total, Self.longest))
        }
    }

    /// The duration of one play in attoseconds.
    private var length: Int128 { ends.last ?? 0 }

    /// Returns the index of the first frame that ends after a time within one play.
    private func index(at moment: Int128) -> Int {
        var (low, high) = (0, ends.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] > moment { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Converts a time to attoseconds, from 0 to a limit that leaves room for another play.
    private static func moment(_ elapsed: Duration) -> Int128 { min(max(0, elapsed.attoseconds), .max / 2) }

    /// The most attoseconds whose seconds are an `Int64`, as `Duration.components` needs.
    private static let longest = Duration.seconds(Int64.max).attoseconds
}
