import Raster

/// A decoded picture and what is known of its file.
public struct Image: Sendable, Hashable {
    /// The first frame, upright, in sRGB.
    public var pixels: PixelBuffer
    /// The size the file states, upright, before any scaling.
    public var originalSize: PixelSize
    /// The file's, by its first bytes; a processor does not change it.
    public var format: ImageFormat
    /// 1 for a still picture.
    public var frameCount: Int
    /// The file's size.
    public var byteCount: Int
    /// What is needed to play it; nil for a still picture and where only the first frame was asked for.
    ///
    /// Its frames are the file's: a processor changes `pixels` alone, and `AnimationFrames` applies it to the frames.
    public var animation: Animation?

    public init(
        pixels: PixelBuffer, originalSize: PixelSize, format: ImageFormat, frameCount: Int, byteCount: Int,
        animation: Animation? = nil
    ) {
        self.pixels = pixels
        self.originalSize = originalSize
        self.format = format
        self.frameCount = frameCount
        self.byteCount = byteCount
        self.animation = animation
    }

    /// The size of `pixels`, after scaling and processing.
    public var size: PixelSize { pixels.size }

    /// Bytes that the memory cache charges for it: those of every decoded frame, equal ones once, and an animation's
    /// file.
    public var cost: Int {
        guard let animation else { return pixels.bytes.count }
        let isAmongFrames = animation.frames.first == pixels
        return (isAmongFrames ? 0 : pixels.bytes.count) + animation.frameBytes + animation.file.count
    }

    /// The same picture with other pixels.
    public func with(_ pixels: PixelBuffer) -> Image {
        var copy = self
        copy.pixels = pixels
        return copy
    }
}
