import Foundation

/// Turns processed pictures into the bytes that the disk keeps, and back.
public protocol CacheSerializer: Sendable {
    /// Whether the bytes are the original's, so that whoever reads them has to process the picture again.
    ///
    /// False by default.
    var originalDataUsed: Bool { get }
    /// The bytes to keep; `original` is the file the picture was made from, empty when it is not at hand.
    ///
    /// Throws `ImageError`.
    func data(for image: Image, original: Data) throws(ImageError) -> Data
    /// The format of those bytes, for the index.
    func format(for image: Image) -> ImageFormat
    /// The picture of kept bytes; `decoder` reads the formats of this library. Throws `ImageError`.
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

/// Keeps processed pictures in one format.
public struct FormatIndicatedCacheSerializer: CacheSerializer {
    /// What every picture is kept as.
    public let indicated: ImageFormat
    /// Of JPEG and WebP, 1…100.
    public let quality: Int

    /// `quality`, 85 by default, of 1…100, counts for JPEG and WebP.
    public init(_ indicated: ImageFormat, quality: Int = ImageEncoder.standardQuality) {
        self.indicated = indicated
        self.quality = quality
    }

    /// Loses nothing.
    public static let png = FormatIndicatedCacheSerializer(.png)
    /// Quality 85; what is transparent is laid over white.
    public static let jpeg = FormatIndicatedCacheSerializer(.jpeg)
    /// Quality 85.
    public static let webP = FormatIndicatedCacheSerializer(.webP)
    /// 256 colours.
    public static let gif = FormatIndicatedCacheSerializer(.gif)

    /// Quality 1…100; what is transparent is laid over white.
    public static func jpeg(quality: Int) -> FormatIndicatedCacheSerializer { .init(.jpeg, quality: quality) }

    /// Quality 1…100.
    public static func webP(quality: Int) -> FormatIndicatedCacheSerializer { .init(.webP, quality: quality) }

    public func data(for image: Image, original: Data) throws(ImageError) -> Data {
        try ImageError.wrapping { () throws(CodecError) in
            try ImageEncoder.encode(image, as: indicated, quality: quality)
        }
    }

    public func format(for image: Image) -> ImageFormat { indicated }
}
