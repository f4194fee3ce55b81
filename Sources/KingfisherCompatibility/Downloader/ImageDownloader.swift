import AlcedoHTTPRequests
import Foundation
import FoundationNetworking
import ImageLoading

/// The result of a download.
public struct ImageLoadingResult: Sendable {
    /// The image.
    public let image: Image
    /// The address.
    public let url: URL?
    /// The bytes of the file.
    public let originalData: Data
    /// The measurements of the transfer.
    public let metrics: NetworkMetrics?
}

/// Downloads images without a cache.
public final class ImageDownloader: Sendable {
    /// The downloader of the shared manager.
    public static let `default` = ImageDownloader(name: "default")

    let transport = Transport()

    /// Creates a downloader; the name is for the reader of the program.
    public init(name: String) { transport.owner = self }

    /// The time in seconds without progress after which a transfer fails; 15 by default.
    public var downloadTimeout: TimeInterval {
        get { transport.settings.value.timeout }
        set { transport.settings.change { $0 = .init(timeout: newValue, trustedHosts: $0.trustedHosts) } }
    }

    /// The hosts whose certificates are not checked; none by default.
    public var trustedHosts: Set<String>? {
        get { transport.settings.value.trustedHosts }
        set { transport.settings.change { $0.trustedHosts = newValue } }
    }

    /// The observer of transfers, which is not kept; other threads call it.
    @preconcurrency public var delegate: (any ImageDownloaderDelegate & Sendable)? {
        get { transport.delegate.value.object }
        set { transport.delegate.value = .init(object: newValue) }
    }

    /// The source of credentials, which is not kept; other threads call it.
    @preconcurrency
    public var authenticationChallengeResponder: (any AuthenticationChallengeResponsible & Sendable)? {
        get { transport.responder.value.object }
        set { transport.responder.value = .init(object: newValue) }
    }

    /// Downloads an image.
    ///
    /// - Parameter completionHandler: Receives the outcome where `.callbackQueue` says, by default on the main queue.
    /// - Returns: The task.
    @discardableResult @preconcurrency
    public func downloadImage(
        with url: URL, options: KingfisherOptionsInfo? = nil, progressBlock: DownloadProgressBlock?,
        completionHandler: (@Sendable (Result<ImageLoadingResult, KingfisherError>) -> Void)? = nil
    ) -> DownloadTask? {
        let options = KingfisherParsedOptionsInfo(options)
        let task = DownloadTask(.network(url))
        task.start { [self] in
            let result = await image(at: url, options, task) { progress in
                guard let total = progress.total else { return }
                DispatchQueue.main.async { progressBlock?(Int64(progress.received), Int64(total)) }
            }
            options.callbackQueue.execute { completionHandler?(result) }
        }
        options.requestModifier?.onDownloadTaskStarted?(task)
        return task
    }

    /// Downloads an image without telling the progress; see the other variant.
    @discardableResult
    public func downloadImage(
        with url: URL, options: KingfisherOptionsInfo? = nil,
        completionHandler: (@Sendable (Result<ImageLoadingResult, KingfisherError>) -> Void)? = nil
    ) -> DownloadTask? {
        downloadImage(with: url, options: options, progressBlock: nil, completionHandler: completionHandler)
    }

    /// Downloads an image; throws `KingfisherError`.
    public func downloadImage(with url: URL, options: KingfisherOptionsInfo? = nil) async throws -> ImageLoadingResult {
        try await image(at: url, KingfisherParsedOptionsInfo(options), DownloadTask(.network(url))) { _ in }.get()
    }

    /// Cancels all transfers of this downloader.
    public func cancelAll() { transport.cancel { _ in true } }

    /// Cancels the transfers of an address.
    public func cancel(url: URL) { transport.cancel { $0 == url } }

    private func image(
        at url: URL, _ parsed: KingfisherParsedOptionsInfo, _ task: DownloadTask,
        _ onProgress: @escaping @Sendable (DownloadProgress) -> Void
    ) async -> Result<ImageLoadingResult, KingfisherError> {
        var options = parsed.imageOptions
        options.cache = CacheOptions()
        options.cache.policy = .reload
        options.cache.cacheMemoryOnly = true
        options.cache.memoryCacheExpiration = .expired
        options.download.downloader = transport
        do throws(ImageError) {
            let loaded = try await KingfisherManager.pipeline.image(for: .network(url), options: options) { event in
                if case .progress(let progress) = event { onProgress(progress) }
            }
            transport.tell(of: loaded.image, url)
            return .success(
                ImageLoadingResult(
                    image: loaded.image, url: url, originalData: loaded.fetched ?? Data(), metrics: loaded.metrics))
        } catch {
            return .failure(KingfisherError(error, .network(url), parsed.processor, task))
        }
    }
}
