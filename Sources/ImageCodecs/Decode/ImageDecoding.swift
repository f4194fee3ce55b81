import Foundation
import Raster

/// A decoder of image files; no type of the underlying library appears in this interface.
public protocol ImageDecoding: Sendable {
    /// Reads the size, the format and the number of frames without decoding pixels.
    ///
    /// - Throws: `.notAnImage` for other formats, `.processor` for damaged or oversized files.
    func header(of data: Data, limits: DecodeLimits) throws(CodecError) -> ImageHeader

    /// Decodes the first frame, upright, in sRGB.
    ///
    /// - Parameters:
    ///   - data: The complete file.
    ///   - box: The box that the picture is scaled down to fit; nil keeps the picture's size.
    ///   - limits: The limits that the picture must keep to.
    /// - Throws: `.notAnImage` for other formats, `.processor` for oversized files, `.processor(.decodingFailed)` for
    ///   damaged or truncated ones.
    func decode(_ data: Data, within box: PixelSize?, limits: DecodeLimits) throws(CodecError) -> Image

    /// Decodes the first frame and, as `animation` requests, the other frames of an animation.
    ///
    /// The default implementation ignores `animation`, for decoders without support for animations.
    func decode(
        _ data: Data, within box: PixelSize?, limits: DecodeLimits, animation: AnimationLoading
    ) throws(CodecError) -> Image

    /// Decodes the picture that the scans of a progressive JPEG up to the given one show, upright, in sRGB.
    ///
    /// The default implementation decodes in this process.
    ///
    /// - Parameters:
    ///   - data: The file so far; it may contain bytes after the scan.
    ///   - scan: The last scan to decode.
    ///   - box: The box that the picture is scaled down to fit; nil keeps its size.
    ///   - isBlur: Whether the picture of an early scan is blurred.
    ///   - limits: The limits that the picture must keep to.
    /// - Throws: `CodecError.processor`.
    func partialPicture(
        of data: Data, through scan: ProgressiveScan, within box: PixelSize?, isBlur: Bool, limits: DecodeLimits
    ) throws(CodecError) -> Image
}

extension ImageDecoding {
    public func decode(
        _ data: Data, within box: PixelSize?, limits: DecodeLimits, animation: AnimationLoading
    ) throws(CodecError) -> Image {
        try decode(data, within: box, limits: limits)
    }

    public func partialPicture(
        of data: Data, through scan: ProgressiveScan, within box: PixelSize?, isBlur: Bool, limits: DecodeLimits
    ) throws(CodecError) -> Image {
        try PartialImageDecoder().picture(of: data, through: scan, within: box, isBlur: isBlur, limits: limits)
    }
}

/// The facts that the header of an image file states.
public struct ImageHeader: Sendable, Hashable {
    /// The format, detected by the first bytes.
    public var format: ImageFormat
    /// The size after EXIF orientation is applied.
    public var size: PixelSize
    /// The number of frames; 1 for a still picture.
    public var frameCount: Int
    /// The colours of the file; nil if they are not known.
    public var color: ColorFacts?

    public init(format: ImageFormat, size: PixelSize, frameCount: Int, color: ColorFacts? = nil) {
        self.format = format
        self.size = size
        self.frameCount = frameCount
        self.color = color
    }
}
