import AlcedoHTTPRequests
import Foundation
import ImageLoading
import Retrying

/// Loads images from caches, the network and providers.
public final class KingfisherManager: Sendable {
    /// The manager of views and prefetchers, with the default cache and downloader.
    public static let shared = KingfisherManager(downloader: .default, cache: .default)

    /// The pipeline of all managers: a load names its cache and downloader, and equal work is done once.
    ///
    /// It remembers neither missing images nor failing hosts, as Kingfisher does not.
    static let pipeline = ImagePipeline(
        cache: ImageLoading.ImageCache(disk: nil), hosts: HostHealth(breaker: CircuitBreaker(threshold: .max)),
        goneLifetime: .zero)

    private let state: Locked<(cache: ImageCache, downloader: ImageDownloader, options: KingfisherOptionsInfo)>

    /// Creates a manager.
    public init(downloader: ImageDownloader, cache: ImageCache) { state = Locked((cache, downloader, [])) }

    /// The cache for loads that name none.
    public var cache: ImageCache {
        get { state.value.cache }
        set { state.change { $0.cache = newValue } }
    }

    /// The downloader for loads that name none.
    public var downloader: ImageDownloader {
        get { state.value.downloader }
        set { state.change { $0.downloader = newValue } }
    }

    /// Options of every load, to which its own are added.
    public var defaultOptions: KingfisherOptionsInfo {
        get { state.value.options }
        set { state.change { $0.options = newValue } }
    }

    /// Returns the options of a load: the manager's and the given ones.
    func parsed(_ options: KingfisherOptionsInfo?) -> KingfisherParsedOptionsInfo {
        let state = state.value
        return KingfisherParsedOptionsInfo(
            [.targetCache(state.cache), .downloader(state.downloader)] + state.options + (options ?? []))
    }

    /// Loads the image of a resource or a provider; see the variant for a source.
    @discardableResult @preconcurrency
    public func retrieveImage(
        with source: any SourceConvertible, options: KingfisherOptionsInfo? = nil,
        progressBlock: DownloadProgressBlock? = nil, downloadTaskUpdated: DownloadTaskUpdatedBlock? = nil,
        completionHandler: (@Sendable (Result<RetrieveImageResult, KingfisherError>) -> Void)?
    ) -> DownloadTask? {
        retrieveImage(
            with: source.convertToSource(), options: options, progressBlock: progressBlock,
            downloadTaskUpdated: downloadTaskUpdated, completionHandler: completionHandler)
    }

    /// Loads the image of a source.
    ///
    /// - Parameters:
    ///   - downloadTaskUpdated: Receives the task when its transfer begins, also of a retry or an alternative.
    ///   - completionHandler: Receives the outcome where `.callbackQueue` says, by default on the main queue; called
    ///     before this method returns if the image is in memory and the caller is on the main queue.
    /// - Returns: The task; nil if a cache has the image, and if only caches may be read.
    @discardableResult @preconcurrency
    public func retrieveImage(
        with source: Source, options: KingfisherOptionsInfo? = nil,
        progressBlock: DownloadProgressBlock? = nil, downloadTaskUpdated: DownloadTaskUpdatedBlock? = nil,
        completionHandler: (@Sendable (Result<RetrieveImageResult, KingfisherError>) -> Void)?
    ) -> DownloadTask? {
        let options = parsed(options)
        let load = ImageLoad(source, options, taskUpdated: downloadTaskUpdated) { event in
            guard case .progress(let progress) = event, let total = progress.total else { return }
            DispatchQueue.main.async { progressBlock?(Int64(progress.received), Int64(total)) }
        }
        return load.start { result in options.callbackQueue.execute { completionHandler?(result) } }
    }

    /// Loads the image of a resource or a provider.
    ///
    /// - Throws: `KingfisherError`.
    public func retrieveImage(
        with source: any SourceConvertible, options: KingfisherOptionsInfo? = nil,
        progressBlock: DownloadProgressBlock? = nil
    ) async throws -> RetrieveImageResult {
        try await retrieveImage(with: source.convertToSource(), options: options, progressBlock: progressBlock)
    }

    /// Loads the image of a source; a cancellation of the calling task cancels the load.
    ///
    /// - Throws: `KingfisherError`.
    public func retrieveImage(
        with source: Source, options: KingfisherOptionsInfo? = nil, progressBlock: DownloadProgressBlock? = nil
    ) async throws -> RetrieveImageResult {
        let running = Locked<DownloadTask?>(nil)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                running.value = retrieveImage(
                    with: source, options: (options ?? []) + [.callbackQueue(.untouch)], progressBlock: progressBlock
                ) { continuation.resume(with: $0) }
                if Task.isCancelled { running.value?.cancel() }
            }
        } onCancel: {
            running.value?.cancel()
        }
    }
}

/// Receives the number of bytes so far and of all bytes, on the main actor; not called if the latter is unknown.
public typealias DownloadProgressBlock = @MainActor @Sendable (_ receivedSize: Int64, _ totalSize: Int64) -> Void
/// Receives a task that replaces the former one; nil if none is needed.
public typealias DownloadTaskUpdatedBlock = @Sendable (_ newTask: DownloadTask?) -> Void
/// The measurements of a transfer.
public typealias NetworkMetrics = DownloadMetrics
/// The tier of a cache.
public typealias CacheType = ImageLoading.ImageCache.CacheType

extension CacheType {
    /// Whether it is a tier.
    public var cached: Bool { self != .none }
}

/// The result of a load.
public struct RetrieveImageResult: Sendable {
    /// The image.
    public let image: Image
    /// The tier that had the image; `.none` for the network and providers.
    public let cacheType: CacheType
    /// The source that succeeded: the original one, or an alternative.
    public let source: Source
    /// The source that was asked for.
    public let originalSource: Source
    /// Returns the bytes of the file, or of the serialized image if a cache had it.
    public let data: @Sendable () -> Data?
    /// The measurements of the transfer, if there was one.
    public let metrics: NetworkMetrics?

    /// Creates a result.
    public init(
        image: Image, cacheType: CacheType, source: Source, originalSource: Source,
        data: @escaping @Sendable () -> Data?, metrics: NetworkMetrics? = nil
    ) {
        (self.image, self.cacheType, self.source, self.originalSource) = (image, cacheType, source, originalSource)
        (self.data, self.metrics) = (data, metrics)
    }
}

/// A load that can be cancelled.
public final class DownloadTask: Sendable {
    /// The transfer of the load.
    let data: SessionDataTask
    private let work = Locked<Task<Void, Never>?>(nil)

    init(_ source: Source) { data = SessionDataTask(source.url) }

    /// The transfer of the load.
    public var sessionTask: SessionDataTask? { data }
    /// The number of the load.
    public var cancelToken: SessionDataTask.CancelToken? { data.token }
    /// Whether the load has begun.
    public var isInitialized: Bool { work.value != nil }

    /// Cancels the load, whose completion handler gets an error; does nothing after the end.
    public func cancel() { work.value?.cancel() }

    func start(_ body: @escaping @Sendable () async -> Void) { work.value = Task { await body() } }
}

/// The transfer of a load.
public final class SessionDataTask: Sendable {
    /// The number of a load.
    public typealias CancelToken = Int

    /// The address.
    public let originalURL: URL?
    let token: CancelToken

    init(_ url: URL?) { (originalURL, token) = (url, CancelToken(Source.Identifier.next())) }
}
