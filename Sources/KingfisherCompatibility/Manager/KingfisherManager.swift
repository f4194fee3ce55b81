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
        let task = load.start { result in options.callbackQueue.execute { completionHandler?(result) } }
        return load.usesCache ? nil : task
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
