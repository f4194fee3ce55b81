import Foundation
import Raster

/// A conversion between processed images and the bytes that the disk cache stores.
public protocol CacheSerializer: Sendable {
    /// Whether the stored bytes are the original's, so that each read must process the image again.
    ///
    /// False by default.
    var originalDataUsed: Bool { get }
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

    public func image(
        from data: Data, decoder: any ImageDecoding, limits: DecodeLimits
    ) throws(ImageError) -> Image {
        try ImageError.wrapping { () throws(CodecError) in try decoder.decode(data, within: nil, limits: limits) }
    }
}

/// A serializer that stores processed images in one format.
public struct FormatIndicatedCacheSerializer: CacheSerializer {
    /// The format of all stored images.
    public let format: ImageFormat
    /// The quality of JPEG and WebP, 1…100.
    public let quality: Int

    /// Creates a serializer; `quality`, 1…100 and 85 by default, applies to JPEG and WebP.
    public init(_ format: ImageFormat, quality: Int = ImageEncoder.standardQuality) {
        self.format = format
        self.quality = quality
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
