import Raster

/// A decoded picture and what is known of its file.
public struct Image: Sendable, Hashable {
    /// The first frame, upright, in sRGB.
    public var pixels: PixelBuffer
    /// The size the file states, upright, before any scaling.
    public var originalSize: PixelSize
    public var format: ImageFormat
    /// 1 for a still picture.
    public var frameCount: Int
    /// The file's size.
    public var byteCount: Int

    public init(
        pixels: PixelBuffer, originalSize: PixelSize, format: ImageFormat, frameCount: Int, byteCount: Int
    ) {
        self.pixels = pixels
        self.originalSize = originalSize
        self.format = format
        self.frameCount = frameCount
        self.byteCount = byteCount
    }

    public var size: PixelSize { pixels.size }

    /// Bytes that the memory cache charges for it.
    public var cost: Int { pixels.bytes.count }

    /// The same picture with other pixels.
    public func with(_ pixels: PixelBuffer) -> Image {
        var copy = self
        copy.pixels = pixels
        return copy
    }
}
