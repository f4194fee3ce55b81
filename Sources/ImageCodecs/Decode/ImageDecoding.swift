import Foundation
import Raster

/// Turns bytes into pixels; nothing of the library behind it crosses this line.
public protocol ImageDecoding: Sendable {
    /// Reads size, format and frames without decoding pixels.
    ///
    /// Throws `.notAnImage` for other formats, `.processor` for damaged or oversized ones.
    func header(of data: Data, limits: DecodeLimits) throws(CodecError) -> ImageHeader

    /// Decodes the first frame, upright, in sRGB, no larger than `box` needs when one is given.
    ///
    /// The file must be whole: a truncated one is `.processor(.decodingFailed)`.
    func decode(_ data: Data, within box: PixelSize?, limits: DecodeLimits) throws(CodecError) -> Image

    /// Decodes as above, and as much of an animation as is asked for.
    ///
    /// By default the same as above, for decoders that know no animations.
    func decode(
        _ data: Data, within box: PixelSize?, limits: DecodeLimits, animation: AnimationLoading
    ) throws(CodecError) -> Image
}

extension ImageDecoding {
    public func decode(
        _ data: Data, within box: PixelSize?, limits: DecodeLimits, animation: AnimationLoading
    ) throws(CodecError) -> Image {
        try decode(data, within: box, limits: limits)
    }
}

/// What a file says of itself.
public struct ImageHeader: Sendable, Hashable {
    /// By the first bytes.
    public var format: ImageFormat
    /// Upright: EXIF orientation is applied.
    public var size: PixelSize
    /// 1 for a still picture.
    public var frameCount: Int

    public init(format: ImageFormat, size: PixelSize, frameCount: Int) {
        self.format = format
        self.size = size
        self.frameCount = frameCount
    }
}
