import Raster

/// What a file may ask of the machine, checked after its header and before its pixels.
public struct DecodeLimits: Sendable, Hashable {
    /// File size; 100 MiB by default.
    public var bytes: Int
    /// Pixels that are decoded at once: a still picture's, one frame's of an animation, all frames' when all are asked
    /// for; 100 million by default.
    public var pixels: Int
    /// Frames of an animation; 10,000 by default.
    ///
    /// That is 16 minutes at ten frames a second, twice what the longest animations in the wild have. Frames are decoded
    /// one by one, so that many cost no memory, but 100 MiB have room for five million frames of one pixel.
    public var frames: Int

    /// Limits; each has its default unless given.
    public init(
        bytes: Int = 100 << 20, pixels: Int = 100_000_000, frames: Int = 10_000
    ) {
        self.bytes = bytes
        self.pixels = pixels
        self.frames = frames
    }

    /// 100 MiB, 100 million pixels, 10,000 frames.
    public static let standard = DecodeLimits()

    /// Throws `CodecError.processor(.limitExceeded)` naming the limit and the picture's value.
    public func check(bytes count: Int) throws(CodecError) {
        guard count <= bytes else {
            let isLarge = bytes >= 1 << 20
            let (unit, size) = isLarge ? ("MiB", 1 << 20) : ("bytes", 1)
            let amount = (count + size - 1) / size
            throw .processor(.limitExceeded("\(amount) \(unit), limit \(bytes / size) \(unit); raise --max-size"))
        }
    }

    /// One frame's canvas and the number of frames; throws `CodecError.processor(.limitExceeded)` naming the limit and
    /// the picture's value.
    public func check(size: PixelSize, frames count: Int) throws(CodecError) {
        guard size.area <= pixels else {
            throw .processor(.limitExceeded("\(amount(size.area)), limit \(amount(pixels)); raise --max-pixels"))
        }
        guard count <= frames else {
            throw .processor(.limitExceeded("more than \(frames) frames; raise --max-frames"))
        }
    }

    /// All frames decoded at once; throws `CodecError.processor(.limitExceeded)` naming the limit and the value.
    public func check(allFrames count: Int, of size: PixelSize) throws(CodecError) {
        try check(size: size, frames: count)
        let (total, overflow) = size.area.multipliedReportingOverflow(by: max(1, count))
        guard !overflow, total <= pixels else {
            throw .processor(
                .limitExceeded("\(size) × \(count) frames, limit \(amount(pixels)); raise --max-pixels"))
        }
    }

    /// Pixels as people count them: megapixels with a decimal where it says something, small numbers as they are.
    private func amount(_ count: Int) -> String {
        guard pixels >= 1_000_000 else { return "\(count) pixels" }
        let (whole, tenth) = (count / 100_000).quotientAndRemainder(dividingBy: 10)
        return tenth == 0 ? "\(whole) MP" : "\(whole).\(tenth) MP"
    }
}
