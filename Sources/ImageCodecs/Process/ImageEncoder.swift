import FoundationEssentials
import Raster

/// An encoder of pictures as files in sRGB, without metadata.
public enum ImageEncoder {
    /// The default quality of JPEG and WebP, out of 1…100.
    public static let standardQuality = 85

    /// Encodes a picture as a file.
    ///
    /// PNG preserves every value. WebP with `isLossless` does too, except for colours of fully transparent pixels. GIF
    /// has 256 colours, and half-transparent pixels become either opaque or transparent. Other formats are not written.
    ///
    /// - Parameters:
    ///   - image: The picture to encode.
    ///   - format: The format of the file.
    ///   - quality: The quality of JPEG and lossy WebP; 85 by default, clamped to 1…100.
    ///   - isLossless: Whether WebP is encoded without loss; false by default.
    ///   - background: The colour behind transparent pixels in JPEG, which has no transparency; white by default.
    /// - Throws: `CodecError.processor`.
    public static func encode(
        _ image: Image, as format: ImageFormat, quality: Int = standardQuality, isLossless: Bool = false,
        background: Color = .white
    ) throws(CodecError) -> Data {
        let suffix = try suffix(of: format, quality: quality, isLossless: isLossless)
        let pixels = format == .jpeg ? flattened(image.pixels, over: background) : image.pixels
        // libvips takes twice as long. It tells why libjpeg refuses a picture.
        if format == .jpeg, let file = JPEGCodec.file(of: pixels, quality: min(max(quality, 1), 100)) { return file }
        return try VipsOperations.file(of: pixels, format: format, suffix: suffix)
    }

    /// libvips' name of a format with its options.
    static func suffix(of format: ImageFormat, quality: Int, isLossless: Bool) throws(CodecError) -> String {
        let quality = min(max(quality, 1), 100)
        switch format {
        case .png: return ".png[strip,compression=3]"
        case .jpeg: return ".jpg[strip,Q=\(quality),optimize_coding]"
        // Effort 0 takes a fifth of a second a megapixel for half of PNG's bytes; more effort takes three times as long
        // and saves another tenth.
        case .webP: return isLossless ? ".webp[strip,lossless,effort=0]" : ".webp[strip,Q=\(quality)]"
        case .gif: return ".gif[strip]"
        default: throw .processor(.decoderUnavailable("\(format.rawValue) is not written"))
        }
    }

    private static func flattened(_ pixels: PixelBuffer, over background: Color) -> PixelBuffer {
        if pixels.isOpaque { return pixels }
        var backdrop = Pixel(background)
        backdrop.w = 1
        return pixels.mapped { $0.over(backdrop) }
    }
}

extension PixelBuffer {
    /// Encodes the picture as a PNG file.
    ///
    /// - Throws: `CodecError.processor`.
    public func pngData() throws(CodecError) -> Data {
        try VipsOperations.file(of: self, format: .png, suffix: ".png[strip,compression=3]")
    }
}
