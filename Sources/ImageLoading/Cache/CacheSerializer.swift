import Foundation

/// Turns processed pictures into the bytes that the disk keeps, and back.
public protocol CacheSerializer: Sendable {
    /// The bytes to keep; `original` is the file the picture was made from. Throws `ImageError`.
    func data(for image: Image, original: Data) throws(ImageError) -> Data
    /// The format of those bytes, for the index.
    func format(for image: Image) -> ImageFormat
    /// The picture of kept bytes; `decoder` reads the formats of this library. Throws `ImageError`.
    func image(from data: Data, decoder: any ImageDecoding, limits: DecodeLimits) throws(ImageError) -> Image
}

extension CacheSerializer {
    public func image(
        from data: Data, decoder: any ImageDecoding, limits: DecodeLimits
    ) throws(ImageError) -> Image {
        try decoder.decode(data, within: nil, limits: limits)
    }
}

/// Keeps processed pictures as PNG, which loses nothing.
public struct DefaultCacheSerializer: CacheSerializer {
    public init() {}

    public func data(for image: Image, original: Data) throws(ImageError) -> Data {
        try ImageEncoder.encode(image, as: .png)
    }

    public func format(for image: Image) -> ImageFormat { .png }
}

/// Keeps processed pictures in one format.
public struct FormatIndicatedCacheSerializer: CacheSerializer {
    public let indicated: ImageFormat
    public let quality: Int

    /// `quality`, 85 by default, of 1…100, counts for JPEG and WebP.
    public init(_ indicated: ImageFormat, quality: Int = ImageEncoder.standardQuality) {
        self.indicated = indicated
        self.quality = quality
    }

    public func data(for image: Image, original: Data) throws(ImageError) -> Data {
        try ImageEncoder.encode(image, as: indicated, quality: quality)
    }

    public func format(for image: Image) -> ImageFormat { indicated }
}
