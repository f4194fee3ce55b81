import CVips
import Foundation
import Raster

/// Writes pictures as files, without metadata and in sRGB.
public enum ImageEncoder {
    /// JPEG's and WebP's quality when none is given, of 1…100.
    public static let standardQuality = 85

    /// The picture as a file of `format`.
    ///
    /// `quality`, 85 by default and clamped to 1…100, counts for JPEG and WebP; PNG keeps every value, and so does WebP
    /// with `isLossless`, which is off by default (colours that are wholly transparent excepted). JPEG has no
    /// transparency: the picture is laid over `background`, white by default. GIF knows 256 colours, and pixels that
    /// are half transparent become one or the other. Throws `CodecError.processor`.
    public static func encode(
        _ image: Image, as format: ImageFormat, quality: Int = standardQuality, isLossless: Bool = false,
        background: Color = .white
    ) throws(CodecError) -> Data {
        let quality = Int32(min(max(quality, 1), 100))
        let pixels = format == .jpeg ? flattened(image.pixels, over: background) : image.pixels
        return try VipsOperations.file(of: pixels, format: format) { picture, bytes, count in
            switch format {
            case .png: alcedo_vips_save_png(picture, bytes, count)
            case .jpeg: alcedo_vips_save_jpeg(picture, bytes, count, quality)
            case .webP where isLossless: alcedo_vips_save_webp_lossless(picture, bytes, count)
            case .webP: alcedo_vips_save_webp(picture, bytes, count, quality)
            case .gif: alcedo_vips_save_gif(picture, bytes, count)
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
