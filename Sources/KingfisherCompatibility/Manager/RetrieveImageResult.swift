import AlcedoHTTPRequests
import Foundation
import ImageLoading

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

    init(
        _ result: ImageResult, source: Source, originalSource: Source, serializer: any CacheSerializer
    ) {
        (image, cacheType, metrics) = (result.image, result.cacheType, result.metrics)
        (self.source, self.originalSource) = (source, originalSource)
        data = { result.fetched ?? serializer.data(with: result.image, original: nil) }
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

    private static let last = Locked(0)

    /// The address.
    public let originalURL: URL?
    let token: CancelToken

    init(_ url: URL?) {
        originalURL = url
        token = Self.last.change { last in
            last += 1
            return last
        }
    }
}
