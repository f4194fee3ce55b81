import Raster

/// A decoded picture with facts about its file.
public struct Image: Sendable, Hashable {
    /// The pixels of the first frame, upright, in sRGB.
    public var pixels: PixelBuffer
    /// The upright size that the file states, before any scaling.
    public var originalSize: PixelSize
    /// The format of the file, detected by its first bytes; processors do not change it.
    public var format: ImageFormat
    /// The number of frames; 1 for a still picture.
    public var frameCount: Int
    /// The number of pages of a document, or of pictures in a file that holds several; 1 for other files.
    public var pageCount = 1
    /// The colours of the file; nil if they are not known.
    public var color: ColorFacts?
    /// The size of the file in bytes.
    public var byteCount: Int
    /// The animation; nil for a still picture and when only the first frame was requested.
    ///
    /// It holds the frames of the file: a processor changes `pixels` only, and `AnimationFrames` applies it to the
    /// frames.
    public var animation: Animation?
    /// The damage of the file; nil if it is whole.
    ///
    /// Pixels are missing or wrong only if `DecodeLimits.allowsDamage` is set.
    public var damage: PictureDamage?

    /// Creates an image; by default a still one without a file.
    public init(
        pixels: PixelBuffer, originalSize: PixelSize, format: ImageFormat, frameCount: Int, byteCount: Int,
        animation: Animation? = nil
    ) {
        (self.pixels, self.originalSize, self.format, self.frameCount) = (pixels, originalSize, format, frameCount)
        (self.byteCount, self.animation) = (byteCount, animation)
    }

    /// The size of `pixels`, after scaling and processing.
    public var size: PixelSize { pixels.size }

    /// The bytes that the memory cache charges for the picture.
    ///
    /// They are the bytes of all decoded frames, with equal frames counted once, and the file of an animation.
    public var cost: Int {
        guard let animation else { return pixels.bytes.count }
        let isAmongFrames = animation.frames.first == pixels
        return (isAmongFrames ? 0 : pixels.bytes.count) + animation.frameBytes + animation.file.count
    }

    /// The facts that the header of the file states.
    package var header: ImageHeader {
        ImageHeader(format: format, size: originalSize, frameCount: frameCount, pageCount: pageCount, color: color)
    }

    /// Returns a copy of the picture with other pixels.
    public func with(_ pixels: PixelBuffer) -> Image {
        var copy = self
        copy.pixels = pixels
        return copy
    }
}
