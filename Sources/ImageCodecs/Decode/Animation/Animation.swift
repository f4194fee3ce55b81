import Foundation
import Raster

/// The moving part of a picture: its file, and when which frame is shown.
///
/// GIF and WebP move; libvips cannot read animated PNG, of which only the first frame is shown.
public struct Animation: Sendable, Hashable {
    /// The encoded file.
    public let file: Data
    /// How long each frame is shown, one entry a frame, none at or below 11 ms.
    public let delays: [Duration]
    /// How often the file asks to be played; nil for ever.
    ///
    /// A GIF without a loop extension is played once; one whose extension says n is repeated n times after the first.
    public let loopCount: Int?
    /// The size of every frame, upright, before any scaling.
    public let canvasSize: PixelSize
    /// Every frame decoded, when all were asked for at once; empty otherwise.
    public let frames: [PixelBuffer]
    /// The bytes of `frames`, frames that look the same counted once.
    public let frameBytes: Int

    /// Frames that look the same share their memory.
    ///
    /// A loop count below 1 plays for ever. Complexity: O(bytes of `frames`).
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

    /// How many frames the file has.
    public var frameCount: Int { delays.count }

    /// The file's, by its first bytes; nil for formats that do not move.
    var format: ImageFormat? {
        guard case .format(let format) = FormatSniffer.judge(file, isWhole: true) else { return nil }
        return format == .gif || format == .webP ? format : nil
    }

    /// How long a frame is shown whose file says `delay`: 100 ms where that is at most 11 ms.
    ///
    /// Such delays date from programs that showed every frame for 100 ms; browsers keep to that.
    public static func shown(_ delay: Duration) -> Duration { delay <= .milliseconds(11) ? .milliseconds(100) : delay }
}
