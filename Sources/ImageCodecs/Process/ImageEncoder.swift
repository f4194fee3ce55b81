import CVips
import Foundation
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
        guard ImageFormat.trusted.contains(format) else {
            throw .processor(.decoderUnavailable("\(format.rawValue) is not written"))
        }
        let quality = Int32(min(max(quality, 1), 100))
        let pixels = format == .jpeg ? flattened(image.pixels, over: background) : image.pixels
        return try VipsOperations.file(of: pixels, format: format) { picture, bytes, count in
            switch format {
            case .png: alcedo_vips_save_png(picture, bytes, count)
            case .jpeg: alcedo_vips_save_jpeg(picture, bytes, count, quality)
            case .webP where isLossless: alcedo_vips_save_webp_lossless(picture, bytes, count)
            case .webP: alcedo_vips_save_webp(picture, bytes, count, quality)
            case .gif: alcedo_vips_save_gif(picture, bytes, count)
            default: -1
            }
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
    public func pngData() throws(CodecError) -> Data { try VipsOperations.png(self) }
}
