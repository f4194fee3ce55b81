import AlcedoDiskCache
import AlcedoHTTPRequests
import AlcedoImageCodecs
import FoundationEssentials

// Names of Kingfisher and Nuke that are typed by habit. The compiler says what stands in their place; the product
// `KingfisherCompatibility` has Kingfisher's own.

@available(*, unavailable, renamed: "ImagePipeline")
public typealias KingfisherManager = ImagePipeline
@available(*, unavailable, renamed: "ImageError")
public typealias KingfisherError = ImageError
@available(*, unavailable, renamed: "ImageOptions")
public typealias KingfisherOptionsInfo = ImageOptions
@available(*, unavailable, renamed: "ImageOptionsItem")
public typealias KingfisherOptionsInfoItem = ImageOptionsItem
@available(*, unavailable, renamed: "ImageResult")
public typealias RetrieveImageResult = ImageResult
@available(*, unavailable, renamed: "AnyRequestModifier")
public typealias AnyModifier = AnyRequestModifier
@available(*, unavailable, renamed: "VideoFrameImageDataProvider")
public typealias AVAssetImageDataProvider = VideoFrameImageDataProvider
@available(*, unavailable, renamed: "Source")
public typealias ImageRequest = Source
@available(*, unavailable, renamed: "ImageResult")
public typealias ImageResponse = ImageResult
@available(*, unavailable, renamed: "ImageProcessor")
public typealias ImageProcessing = ImageProcessor
@available(*, unavailable, renamed: "DiskStorage")
public typealias DataCache = DiskStorage

extension ImagePipeline {
    @available(*, unavailable, message: "make one pipeline and hand it on: ImagePipeline(cache:)")
    public static var shared: ImagePipeline { ImagePipeline(cache: ImageCache(disk: nil)) }

    @available(*, unavailable, renamed: "image(for:options:)")
    public func retrieveImage(
        with source: Any, options: [ImageOptionsItem]? = nil,
        completionHandler: ((Result<ImageResult, ImageError>) -> Void)? = nil
    ) async throws(ImageError) -> ImageResult { throw .imageSetting(.emptySource) }

    @available(*, unavailable, renamed: "image(for:)")
    public func loadImage(
        with request: Any, completion: ((Result<ImageResult, ImageError>) -> Void)? = nil
    ) async throws(ImageError) -> ImageResult { throw .imageSetting(.emptySource) }
}

extension ImageCache {
    @available(*, unavailable, message: "make one cache and hand it on: try ImageCache(name: \"default\")")
    public static var `default`: ImageCache { ImageCache(disk: nil) }

    @available(*, unavailable, renamed: "memory")
    public var memoryStorage: MemoryStorage<Image> { memory }

    @available(*, unavailable, renamed: "disk")
    public var diskStorage: DiskStorage? { disk }
}

extension ImagePrefetcher {
    @available(*, unavailable, renamed: "init(sources:options:pipeline:)")
    public init(
        urls: [URL], options: [ImageOptionsItem]? = nil,
        completionHandler: (([any Resource], [any Resource], [any Resource]) -> Void)? = nil
    ) { self.init(sources: urls.map { Source(url: $0) }, pipeline: .shared) }

    @available(*, unavailable, renamed: "add(_:)")
    public func startPrefetching(with urls: [URL]) {}

    @available(*, unavailable, renamed: "cancel(_:)")
    public func stopPrefetching(with urls: [URL]) {}
}
