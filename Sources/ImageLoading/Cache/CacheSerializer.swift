import Foundation
import Raster

/// A conversion between processed images and the bytes that the disk cache stores.
public protocol CacheSerializer: Sendable {
    /// Whether the stored bytes are the original's, so that each read must process the image again.
    ///
    /// False by default.
    var originalDataUsed: Bool { get }
    /// Whether images without a processor are stored by this serializer, too, instead of their files; false by default.
    var storesOriginals: Bool { get }
    /// Returns the bytes to store.
    ///
    /// - Parameter original: The file that the image was made from; empty if it is not available.
    /// - Throws: `ImageError`.
    func data(for image: Image, original: Data) throws(ImageError) -> Data
    /// Returns the format of the stored bytes, for the index.
    func format(for image: Image) -> ImageFormat
    /// Returns the image of stored bytes.
    ///
    /// - Parameter decoder: The decoder for the formats of this library.
    /// - Throws: `ImageError`.
    func image(from data: Data, decoder: any ImageDecoding, limits: DecodeLimits) throws(ImageError) -> Image
}

extension CacheSerializer {
    public var originalDataUsed: Bool { false }
    public var storesOriginals: Bool { false }

    public func image(
        from data: Data, decoder: any ImageDecoding, limits: DecodeLimits
    ) throws(ImageError) -> Image {
        try ImageError.wrapping { () throws(CodecError) in try decoder.decode(data, within: nil, limits: limits) }
    }
}

/// A serializer that stores processed images in one format.
public struct FormatIndicatedCacheSerializer: CacheSerializer {
    /// The format of all stored images.
    package let format: ImageFormat
    /// The quality of JPEG and WebP, 1…100.
    package let quality: Int

    /// Creates a serializer; `quality`, 1…100 and 85 by default, applies to JPEG and WebP.
    public init(_ format: ImageFormat, quality: Int = ImageEncoder.standardQuality) {
        (self.format, self.quality) = (format, quality)
    }

    /// A lossless PNG serializer.
    public static let png = FormatIndicatedCacheSerializer(.png)
    /// A JPEG serializer of quality 85; transparent images are drawn over white.
    public static let jpeg = FormatIndicatedCacheSerializer(.jpeg)
    /// A WebP serializer of quality 85.
    public static let webP = FormatIndicatedCacheSerializer(.webP)
    /// A GIF serializer, with 256 colours.
    public static let gif = FormatIndicatedCacheSerializer(.gif)

    /// Returns a JPEG serializer of quality 1…100; transparent images are drawn over white.
    public static func jpeg(quality: Int) -> FormatIndicatedCacheSerializer { .init(.jpeg, quality: quality) }

    /// Returns a WebP serializer of quality 1…100.
    public static func webP(quality: Int) -> FormatIndicatedCacheSerializer { .init(.webP, quality: quality) }

    public func data(for image: Image, original: Data) throws(ImageError) -> Data {
        try ImageError.wrapping { () throws(CodecError) in
            try ImageEncoder.encode(image, as: format, quality: quality)
        }
    }

    public func format(for image: Image) -> ImageFormat { format }
}

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
    package let preferCacheOriginalData: Bool
    /// The quality of JPEG, 1…100; 92 by default.
    package let compressionQuality: Int

    /// Creates a serializer; `compressionQuality`, 92 by default and clamped to 1…100, applies to JPEG.
    public init(preferCacheOriginalData: Bool = false, compressionQuality: Int = standardQuality) {
        (self.preferCacheOriginalData, self.compressionQuality) = (preferCacheOriginalData, compressionQuality)
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
