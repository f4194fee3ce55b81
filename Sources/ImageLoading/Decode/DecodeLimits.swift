import Raster

/// What a file may ask of the machine, checked after its header and before its pixels.
public struct DecodeLimits: Sendable, Hashable {
    /// File size; 64 MiB by default.
    public var bytes: Int
    /// Longest side in pixels; 16,384 by default.
    public var side: Int
    /// Pixels over all frames; 100 million by default.
    public var pixels: Int

    public init(bytes: Int = 64 << 20, side: Int = 16_384, pixels: Int = 100_000_000) {
        self.bytes = bytes
        self.side = side
        self.pixels = pixels
    }

    public static let standard = DecodeLimits()

    /// Throws `ImageError.processor(.limitExceeded)` naming the limit and the picture's value.
    public func check(bytes count: Int) throws(ImageError) {
        guard count <= bytes else {
            throw .processor(.limitExceeded("\(count) bytes, the limit is \(bytes)"))
        }
    }

    /// Throws `ImageError.processor(.limitExceeded)` naming the limit and the picture's value.
    public func check(size: PixelSize, frames: Int) throws(ImageError) {
        guard size.width <= side, size.height <= side else {
            throw .processor(.limitExceeded("\(size) pixels, the longest side may have \(side)"))
        }
        let (total, overflow) = size.area.multipliedReportingOverflow(by: max(1, frames))
        guard !overflow, total <= pixels else {
            throw .processor(.limitExceeded("\(size) pixels × \(frames) frames, the limit is \(pixels)"))
        }
    }
}
