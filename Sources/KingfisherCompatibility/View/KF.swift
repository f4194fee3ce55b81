import Foundation
import FoundationNetworking
import ImageLoading

/// The beginning of a chain that sets a view's image: `KF.url(url).fade(duration: 0.2).set(to: view)`.
public enum KF {
    /// A URL with a separate cache key.
    public typealias ImageResource = ImageLoading.ImageResource

    /// Begins with a source.
    public static func source(_ source: Source?) -> Builder { Builder(source: source) }
    /// Begins with a resource.
    public static func resource(_ resource: (any Resource)?) -> Builder { source(resource?.convertToSource()) }
    /// Begins with an address and, if it is not the address, a key for the cache.
    public static func url(_ url: URL?, cacheKey: String? = nil) -> Builder {
        source(url?.convertToSource(overrideCacheKey: cacheKey))
    }
    /// Begins with a provider.
    public static func dataProvider(_ provider: (any ImageDataProvider)?) -> Builder {
        source(provider?.convertToSource())
    }
    /// Begins with bytes.
    public static func data(_ data: Data?, cacheKey: String) -> Builder {
        dataProvider(data.map { RawImageDataProvider(data: $0, cacheKey: cacheKey) })
    }

    /// A redirect, for `redirectHandler(_:)`.
    public struct RedirectPayload: Sendable {
        /// The transfer.
        public let task: SessionDataTask
        /// The response.
        public let response: HTTPURLResponse
        /// The next request.
        public let newRequest: URLRequest
        /// Receives the request that follows; nil stops the load.
        public let completionHandler: @Sendable (URLRequest?) -> Void
    }

    /// A source with options.
    ///
    /// Each property of `KingfisherParsedOptionsInfo` is a method, too: `.targetCache(cache)`, `.forceRefresh()`.
    @dynamicMemberLookup
    public struct Builder {
        /// The source; nil is an error when the image is set.
        let source: Source?
        /// The options, to which the shared manager's are added.
        public var options = KingfisherManager.shared.parsed(nil)
        var placeholder: (any Placeholder)?
        var progress: DownloadProgressBlock?
        var success: (@MainActor @Sendable (RetrieveImageResult) -> Void)?
        var failure: (@MainActor @Sendable (KingfisherError) -> Void)?

        init(source: Source?) { self.source = source }

        /// An option, to be called with its value.
        public subscript<Value>(
            dynamicMember option: WritableKeyPath<KingfisherParsedOptionsInfo, Value>
        ) -> Option<Value> { Option { value in with { $0.options[keyPath: option] = value } } }

        /// An option that is set by a call.
        public struct Option<Value> {
            let set: (Value) -> Builder

            /// Returns the chain with the option.
            public func callAsFunction(_ value: Value) -> Builder { set(value) }
            /// Returns the chain with the option switched on.
            public func callAsFunction() -> Builder where Value == Bool { set(true) }
        }

        /// Returns a copy with a change.
        func with(_ change: (inout Builder) -> Void) -> Builder { changed(self, by: change) }
    }
}

extension KF.Builder {
    /// Loads the image and shows it in the view.
    @preconcurrency @MainActor @discardableResult
    public func set(to imageView: TerminalImageView) -> DownloadTask? {
        imageView.kf.setImage(
            with: source, placeholder: placeholder, parsedOptions: options, progressBlock: progress
        ) { [success, failure] result in
            switch result {
            case .success(let value): success?(value)
            case .failure(let error): failure?(error)
            }
        }
    }

    /// Calls a handler with the progress.
    @preconcurrency public func onProgress(_ block: DownloadProgressBlock?) -> Self { with { $0.progress = block } }
    /// Calls a handler with the result.
    @preconcurrency public func onSuccess(_ block: (@MainActor @Sendable (RetrieveImageResult) -> Void)?) -> Self {
        with { $0.success = block }
    }
    /// Calls a handler with the error.
    @preconcurrency public func onFailure(_ block: (@MainActor @Sendable (KingfisherError) -> Void)?) -> Self {
        with { $0.failure = block }
    }
    /// Shows a placeholder until the image is there.
    public func placeholder(_ placeholder: (any Placeholder)?) -> Self { with { $0.placeholder = placeholder } }

    /// Shows the image with a fade of some seconds.
    public func fade(duration: TimeInterval) -> Self { with { $0.options.transition = .fade(duration) } }
    /// Shows an image, or none, after a failure.
    public func onFailureImage(_ image: Image?) -> Self { with { $0.options.onFailureImage = .some(image) } }
    /// Shows a progressive JPEG while it arrives.
    public func progressiveJPEG(_ progressive: ImageProgressive? = ImageProgressive()) -> Self {
        with { $0.options.progressiveJPEG = progressive }
    }
    /// Changes the delivered image.
    public func imageModifier(_ modifier: (any ImageModifier)?) -> Self { with { $0.options.imageModifier = modifier } }
    /// Changes the delivered image by a closure.
    public func imageModifier(_ block: @escaping @Sendable (inout Image) throws -> Void) -> Self {
        imageModifier(AnyImageModifier { try changed($0, by: block) })
    }

    /// Sets what a hit in memory does to the expiration.
    public func memoryCacheAccessExtending(_ extending: ExpirationExtending) -> Self {
        with { $0.options.memoryCacheAccessExtendingExpiration = extending }
    }
    /// Sets what a hit on disk does to the expiration.
    public func diskCacheAccessExtending(_ extending: ExpirationExtending) -> Self {
        with { $0.options.diskCacheAccessExtendingExpiration = extending }
    }
    /// Stores images by a serializer.
    public func serialize(by cacheSerializer: any CacheSerializer) -> Self {
        with { $0.options.cacheSerializer = cacheSerializer }
    }
    /// Stores images in a format; `unknown` is the format of their files.
    public func serialize(as format: ImageFormat, jpegCompressionQuality: CGFloat? = nil) -> Self {
        serialize(by: format.serializer(jpegCompressionQuality ?? 1))
    }
}

extension KF.Builder {
    // MARK: Loading

    /// Changes the request.
    public func requestModifier(_ modifier: any AsyncImageDownloadRequestModifier) -> Self {
        with { $0.options.requestModifier = modifier }
    }
    /// Changes the request by a closure.
    public func requestModifier(_ modifyBlock: @escaping @Sendable (inout URLRequest) -> Void) -> Self {
        requestModifier(AnyModifier { changed($0, by: modifyBlock) })
    }
    /// Decides about redirects.
    public func redirectHandler(_ handler: any ImageDownloadRedirectHandler) -> Self {
        with { $0.options.redirectHandler = handler }
    }
    /// Decides about redirects by a closure.
    public func redirectHandler(_ block: @escaping @Sendable (KF.RedirectPayload) -> Void) -> Self {
        redirectHandler(
            AnyRedirectHandler {
                block(KF.RedirectPayload(task: $0, response: $1, newRequest: $2, completionHandler: $3))
            })
    }
    /// Tries again by a strategy.
    public func retry(_ strategy: (any RetryStrategy)?) -> Self { with { $0.options.retryStrategy = strategy } }
    /// Tries again a number of times.
    public func retry(maxCount: Int, interval: DelayRetryStrategy.Interval = .seconds(3)) -> Self {
        retry(DelayRetryStrategy(maxRetryCount: maxCount, retryInterval: interval))
    }

    // MARK: Processing

    /// Replaces the processor.
    public func setProcessor(_ processor: any ImageProcessor) -> Self { with { $0.options.processor = processor } }
    /// Replaces the processor by several, in order.
    public func setProcessors(_ processors: [any ImageProcessor]) -> Self {
        setProcessor(processors.reduce(DefaultImageProcessor.default) { $0 |> $1 })
    }
    /// Adds a processor at the end.
    public func appendProcessor(_ processor: any ImageProcessor) -> Self {
        setProcessor(options.processor |> processor)
    }
    /// Rounds corners.
    public func roundCorner(
        radius: Radius, targetSize: CGSize? = nil, roundingCorners corners: RectCorner = .all,
        backgroundColor: Color? = nil
    ) -> Self {
        appendProcessor(
            RoundCornerImageProcessor(
                radius: radius, targetSize: targetSize, roundingCorners: corners, backgroundColor: backgroundColor))
    }
    /// Blurs.
    public func blur(radius: CGFloat) -> Self { appendProcessor(BlurImageProcessor(blurRadius: Double(radius))) }
    /// Lays a colour over the image.
    public func overlay(color: Color, fraction: CGFloat = 0.5) -> Self {
        appendProcessor(OverlayImageProcessor(overlay: color, fraction: Double(fraction)))
    }
    /// Tints.
    public func tint(color: Color) -> Self { appendProcessor(TintImageProcessor(tint: color)) }
    /// Removes the colours.
    public func blackWhite() -> Self { appendProcessor(BlackWhiteProcessor()) }
    /// Crops.
    public func cropping(size: CGSize, anchor: CGPoint = CGPoint(x: 0.5, y: 0.5)) -> Self {
        appendProcessor(CroppingImageProcessor(size: size, anchor: anchor))
    }
    /// Decodes a smaller image.
    public func downsampling(size: CGSize) -> Self { appendProcessor(DownsamplingImageProcessor(size: size)) }
    /// Scales.
    public func resizing(referenceSize: CGSize, mode: ContentMode = .none) -> Self {
        appendProcessor(ResizingImageProcessor(referenceSize: referenceSize, mode: mode))
    }
}
