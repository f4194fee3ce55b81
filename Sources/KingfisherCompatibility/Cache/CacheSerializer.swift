import AlcedoImageCodecs
import Foundation
import ImageLoading
import Raster

/// A conversion between images and the bytes on disk; programs can add their own.
///
/// With the default serializer an image without a processor is stored as its original bytes.
public protocol CacheSerializer: Sendable {
    /// Returns the bytes to store; nil stores nothing.
    func data(with image: Image, original: Data?) -> Data?
    /// Returns the image of stored bytes; nil counts as a miss.
    func image(with data: Data, options: KingfisherParsedOptionsInfo) -> Image?
    /// The same in Kingfisher 5's form; programs write one of both variants.
    func image(with data: Data, options: KingfisherParsedOptionsInfo?) -> Image?
    /// Whether the original bytes are stored, which each read processes again; false by default.
    var originalDataUsed: Bool { get }
}

extension CacheSerializer {
    /// False.
    public var originalDataUsed: Bool { false }
    /// Asks the other variant.
    public func image(with data: Data, options: KingfisherParsedOptionsInfo) -> Image? {
        image(with: data, options: Optional(options))
    }
    /// Asks the other variant.
    public func image(with data: Data, options: KingfisherParsedOptionsInfo?) -> Image? {
        image(with: data, options: options ?? KingfisherParsedOptionsInfo(nil))
    }

    func bridged(_ options: KingfisherParsedOptionsInfo) -> any ImageLoading.CacheSerializer {
        (self as? DefaultCacheSerializer)?.base ?? SerializerBridge(serializer: self, options: options)
    }
}

/// A serializer that the library performs.
public protocol LibraryCacheSerializer: CacheSerializer {
    /// The library's serializer.
    var base: any ImageLoading.CacheSerializer { get }
}

extension LibraryCacheSerializer {
    /// Encodes the image.
    public func data(with image: Image, original: Data?) -> Data? {
        try? base.data(for: image, original: original ?? Data())
    }

    /// Decodes the image.
    public func image(with data: Data, options: KingfisherParsedOptionsInfo) -> Image? { Image(data: data) }
}

/// A serializer that keeps the format of the original where it can hold the image.
public struct DefaultCacheSerializer: LibraryCacheSerializer {
    /// A serializer with default properties.
    public static let `default` = DefaultCacheSerializer()

    /// The quality of JPEG, 0…1; 1 by default.
    public var compressionQuality: CGFloat = 1
    /// Whether the original bytes are stored instead; false by default.
    public var preferCacheOriginalData = false
    /// The same as `preferCacheOriginalData`.
    public var originalDataUsed: Bool { preferCacheOriginalData }
    /// The library's serializer.
    public var base: any ImageLoading.CacheSerializer {
        ImageLoading.DefaultCacheSerializer(
            preferCacheOriginalData: preferCacheOriginalData, compressionQuality: Int(percentOf: compressionQuality))
    }

    /// Creates a serializer with default properties.
    public init() {}
}

/// A serializer that stores images in one format.
public struct FormatIndicatedCacheSerializer: LibraryCacheSerializer {
    /// The library's serializer.
    public let base: any ImageLoading.CacheSerializer

    /// A serializer that stores PNG.
    public static let png = Self(base: ImageLoading.FormatIndicatedCacheSerializer.png)
    /// A serializer that stores JPEG of the best quality.
    public static let jpeg = jpeg(compressionQuality: 1)
    /// A serializer that stores GIF.
    public static let gif = Self(base: ImageLoading.FormatIndicatedCacheSerializer.gif)

    /// Returns a serializer that stores JPEG of a quality of 0…1.
    public static func jpeg(compressionQuality: CGFloat) -> Self {
        Self(base: ImageLoading.FormatIndicatedCacheSerializer.jpeg(quality: Int(percentOf: compressionQuality)))
    }
}

/// A format in which images are stored.
// swift-format-ignore: AlwaysUseLowerCamelCase
public enum ImageFormat: Sendable {
    /// The format.
    case unknown, PNG, JPEG, GIF

    func serializer(_ quality: CGFloat) -> any CacheSerializer {
        switch self {
        case .unknown: DefaultCacheSerializer.default
        case .PNG: FormatIndicatedCacheSerializer.png
        case .JPEG: FormatIndicatedCacheSerializer.jpeg(compressionQuality: quality)
        case .GIF: FormatIndicatedCacheSerializer.gif
        }
    }
}

/// A serializer of the program, in the form of the library.
private struct SerializerBridge: ImageLoading.CacheSerializer {
    let serializer: any CacheSerializer
    let options: KingfisherParsedOptionsInfo

    var originalDataUsed: Bool { serializer.originalDataUsed }
    var storesOriginals: Bool { true }

    func data(for image: Image, original: Data) throws(ImageError) -> Data {
        guard let data = serializer.data(with: image, original: original.isEmpty ? nil : original) else {
            throw .cache(.cannotStore("the serializer made no bytes"))
        }
        return data
    }

    func format(for image: Image) -> Raster.ImageFormat {
        (serializer as? any LibraryCacheSerializer)?.base.format(for: image) ?? image.format
    }

    func image(from data: Data, decoder: any ImageDecoding, limits: DecodeLimits) throws(ImageError) -> Image {
        guard let image = serializer.image(with: data, options: options) else {
            throw .processor(.decodingFailed(format: "bytes", "the serializer made no image"))
        }
        return image
    }
}
