import Foundation
import Raster

/// The animation data of a picture: its file and the timing of its frames.
///
/// GIF, PNG (APNG), WebP, AVIF and JPEG XL can be animated.
public struct Animation: Sendable, Hashable {
    /// The encoded file.
    public let file: Data
    /// The display duration of each frame; always above 11 ms.
    public let delays: [Duration]
    /// The number of times that the file asks to be played; nil for endless.
    ///
    /// A GIF without a loop extension is played once. A loop extension with the count n means n repetitions after the
    /// first play. A PNG and a WebP state the number of plays.
    public let loopCount: Int?
    /// The size of every frame, upright, before any scaling.
    public let canvasSize: PixelSize
    /// All decoded frames if they were preloaded; empty otherwise.
    public let frames: [PixelBuffer]
    /// The bytes of `frames`, with equal frames counted once.
    public let frameBytes: Int
    /// The decoder whose helper processes decode the frames; nil to decode them in this process.
    let sandbox: SandboxedDecoder?

    /// Creates an animation; equal frames share their memory.
    ///
    /// A loop count below 1 means endless. Complexity: O(bytes of `frames`).
    public init(
        file: Data, delays: [Duration], loopCount: Int?, canvasSize: PixelSize, frames: [PixelBuffer] = []
    ) {
        self.init(
            file: file, delays: delays, loopCount: loopCount, canvasSize: canvasSize, frames: frames, sandbox: nil)
    }

    init(
        file: Data, delays: [Duration], loopCount: Int?, canvasSize: PixelSize, frames: [PixelBuffer],
        sandbox: SandboxedDecoder?
    ) {
        self.file = file
        self.sandbox = sandbox
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
