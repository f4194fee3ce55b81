import Foundation
import Retrying

/// One network fetch with its retries.
extension ImagePipeline {
    func transfer(
        _ resource: any Resource, _ request: LoadRequest, send: @escaping @Sendable (LoadEvent) -> Void
    ) async throws(ImageError) -> FetchedData {
        let download = DownloadRequest(
            url: resource.downloadURL,
            headers: request.options.download.headers.map { ($0.name, $0.value) })
        let priority = request.options.download.priority
        let attempt: @Sendable () async throws -> FetchedData = {
            send(.started)
            let done = try await self.downloader.download(download, priority: priority) { send(.progress($0)) }
            return FetchedData(download: done)
        }
        do {
            guard let retrier = request.options.download.retryStrategy else { return try await attempt() }
            return try await Self.prepare(retrier, send: send).job(attempt).value
        } catch {
            throw Self.imageError(from: error)
        }
    }

    /// What may be tried again, and for how long a server may ask us to wait, is decided by the error.
    private static func prepare(_ retrier: Retrier, send: @escaping @Sendable (LoadEvent) -> Void) -> Retrier {
        retrier
            .giveUpOnErrors { ($0 as? ImageError)?.isRetryable != true }
            .honouringServerDelay { ($0 as? ImageError)?.serverDelay }
            .handleRetrierEvents { event in
                guard case .attemptFailure(let index, let error as ImageError, let delay?) = event else { return }
                send(.retrying(attempt: index + 2, error: error, delay: delay))
            }
    }

    private static func imageError(from error: any Error) -> ImageError {
        switch error {
        case let error as ImageError: error
        case is CancellationError: .cancelled
        case RetrierError.timedOut: .response(.timedOut(.total))
        default: .response(.transport(.other(String(describing: error))))
        }
    }
}

extension FetchedData {
    init(download: Download) {
        self.init(
            data: download.data, cacheType: .none, isProvenWhole: download.isProvenWhole, etag: download.etag,
            lastModified: download.lastModified, metrics: download.metrics)
    }
}
