import Foundation
import Raster

/// A serializer that stores processed images in the format of their original, or as PNG if that cannot hold them.
///
/// | original | stored as |
/// |---|---|
/// | JPEG | JPEG if the image is opaque, otherwise PNG |
/// | WebP | lossless WebP |
/// | GIF | PNG, because a processed image is a still image and may have more than 256 colours |
/// | PNG | PNG |
/// | any other format | PNG |
///
/// An image with a side above the limit of JPEG (65,500 pixels) or WebP (16,383 pixels) is stored as PNG.
public struct DefaultCacheSerializer: CacheSerializer {
    /// The default quality of JPEG, 92 of 1…100.
    ///
    /// At 92 the loss is not visible, and the file has less than a fifth of the bytes of a PNG. A quality of 85 loses
    /// clearly more, above all in colour; 95 takes a third more bytes for little gain.
    public static let standardQuality = 92

    /// Whether the original's bytes are stored instead of the processed image's.
    ///
    /// Each read then processes the image again: entries are smaller, and hits are slower.
    public let preferCacheOriginalData: Bool
    /// The quality of JPEG, 1…100; 92 by default.
    public let compressionQuality: Int

    /// Creates a serializer; `compressionQuality`, 92 by default and clamped to 1…100, applies to JPEG.
    public init(preferCacheOriginalData: Bool = false, compressionQuality: Int = standardQuality) {
        self.preferCacheOriginalData = preferCacheOriginalData
        self.compressionQuality = compressionQuality
    }

    public var originalDataUsed: Bool { preferCacheOriginalData }

    /// Returns the bytes to store.
    ///
    /// - Throws: `ImageError.processor`; `.cache(.cannotStore)` if the original is preferred and not available.
    public func data(for image: Image, original: Data) throws(ImageError) -> Data {
        guard preferCacheOriginalData else {
            return try ImageError.wrapping { () throws(CodecError) in
                try ImageEncoder.encode(
                    image, as: format(for: image), quality: compressionQuality, isLossless: true)
            }
        }
        guard !original.isEmpty else { throw .cache(.cannotStore("the original's bytes are not at hand")) }
        return original
    }

    /// Returns the format of the stored bytes.
    ///
    /// Complexity: O(pixels) for JPEG, to check whether the image is opaque.
    public func format(for image: Image) -> ImageFormat {
        if preferCacheOriginalData { return image.format }
        let side = max(image.size.width, image.size.height)
        return switch image.format {
        case .jpeg where side <= 65_500 && image.pixels.isOpaque: .jpeg
        case .webP where side <= 16_383: .webP
        default: .png
        }
    }
}
