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
    public init(name: String) { transport.ownerReference.value = { [weak self] in self } }

    /// The time in seconds without progress after which a transfer fails; 15 by default.
    public var downloadTimeout: TimeInterval {
        get { transport.settings.value.timeout }
        set { transport.settings.change { $0.timeout = newValue } }
    }

    /// The configuration of sessions, of which the additional header fields, the time limit of a resource and the number
    /// of connections to a host have an effect.
    public var sessionConfiguration: URLSessionConfiguration {
        get { transport.settings.value.session }
        set { transport.settings.change { $0.session = newValue } }
    }

    /// Accepted without effect.
    public var requestsUsePipelining: Bool {
        get { false }
        set {}
    }

    /// The hosts whose certificates are not checked; none by default.
    public var trustedHosts: Set<String>? {
        get { transport.settings.value.trustedHosts }
        set { transport.settings.change { $0.trustedHosts = newValue } }
    }

    /// The observer of transfers, which is not kept; other threads call it.
    @preconcurrency public var delegate: (any ImageDownloaderDelegate & Sendable)? {
        get { transport.delegate.value() }
        set { transport.delegate.value = { [weak newValue] in newValue } }
    }

    /// The source of credentials, which is not kept; other threads call it.
    @preconcurrency
    public var authenticationChallengeResponder: (any AuthenticationChallengeResponsible & Sendable)? {
        get { transport.responder.value() }
        set { transport.responder.value = { [weak newValue] in newValue } }
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
        start(url, KingfisherParsedOptionsInfo(options), progressBlock, completionHandler)
    }

    /// Downloads an image with parsed options; see the other variant.
    @discardableResult
    public func downloadImage(
        with url: URL, options: KingfisherParsedOptionsInfo,
        completionHandler: (@Sendable (Result<ImageLoadingResult, KingfisherError>) -> Void)? = nil
    ) -> DownloadTask { start(url, options, nil, completionHandler) }

    /// Downloads an image without telling the progress; see the other variant.
    @discardableResult
    public func downloadImage(
        with url: URL, options: KingfisherOptionsInfo? = nil,
        completionHandler: (@Sendable (Result<ImageLoadingResult, KingfisherError>) -> Void)? = nil
    ) -> DownloadTask? {
        start(url, KingfisherParsedOptionsInfo(options), nil, completionHandler)
    }

    /// Downloads an image; throws `KingfisherError`.
    public func downloadImage(with url: URL, options: KingfisherOptionsInfo? = nil) async throws -> ImageLoadingResult {
        try await image(at: url, KingfisherParsedOptionsInfo(options), DownloadTask(.network(url))) { _ in }.get()
    }

    /// Cancels all transfers of this downloader.
    public func cancelAll() { transport.cancel { _ in true } }

    /// Cancels the transfers of an address.
    public func cancel(url: URL) { transport.cancel { $0 == url } }

    private func start(
        _ url: URL, _ options: KingfisherParsedOptionsInfo, _ progressBlock: DownloadProgressBlock?,
        _ completionHandler: (@Sendable (Result<ImageLoadingResult, KingfisherError>) -> Void)?
    ) -> DownloadTask {
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

/// An observer of a downloader's transfers; every method has a default that changes nothing.
public protocol ImageDownloaderDelegate: AnyObject {
    /// Called before a transfer.
    func imageDownloader(_ downloader: ImageDownloader, willDownloadImageForURL url: URL, with request: URLRequest?)
    /// Called after each transfer, with its response or its error.
    func imageDownloader(
        _ downloader: ImageDownloader, didFinishDownloadingImageForURL url: URL, with response: URLResponse?,
        error: (any Error)?)
    /// Returns the bytes of the image; nil fails the transfer.
    func imageDownloader(_ downloader: ImageDownloader, didDownload data: Data, with task: SessionDataTask) -> Data?
    /// Returns the bytes of the image; nil fails the transfer.
    func imageDownloader(_ downloader: ImageDownloader, didDownload data: Data, for url: URL) -> Data?
    /// Called with each downloaded image.
    func imageDownloader(
        _ downloader: ImageDownloader, didDownload image: Image, for url: URL, with response: URLResponse?)
    /// Returns whether a response with this status has the image; by default 200 to 399.
    func isValidStatusCode(_ code: Int, for downloader: ImageDownloader) -> Bool
    /// Returns whether a transfer goes on after the head of its response.
    func imageDownloader(
        _ downloader: ImageDownloader, didReceive response: URLResponse
    ) async -> URLSession.ResponseDisposition
}

extension ImageDownloaderDelegate {
    /// Does nothing.
    public func imageDownloader(
        _ downloader: ImageDownloader, willDownloadImageForURL url: URL, with request: URLRequest?
    ) {}
    /// Does nothing.
    public func imageDownloader(
        _ downloader: ImageDownloader, didFinishDownloadingImageForURL url: URL, with response: URLResponse?,
        error: (any Error)?
    ) {}
    /// Asks the variant with the address.
    public func imageDownloader(
        _ downloader: ImageDownloader, didDownload data: Data, with task: SessionDataTask
    ) -> Data? { task.originalURL.map { imageDownloader(downloader, didDownload: data, for: $0) } ?? data }
    /// Returns the bytes unchanged.
    public func imageDownloader(_ downloader: ImageDownloader, didDownload data: Data, for url: URL) -> Data? { data }
    /// Does nothing.
    public func imageDownloader(
        _ downloader: ImageDownloader, didDownload image: Image, for url: URL, with response: URLResponse?
    ) {}
    /// Accepts 200 to 399.
    public func isValidStatusCode(_ code: Int, for downloader: ImageDownloader) -> Bool { (200..<400).contains(code) }
    /// Continues.
    public func imageDownloader(
        _ downloader: ImageDownloader, didReceive response: URLResponse
    ) async -> URLSession.ResponseDisposition { .allow }
}
