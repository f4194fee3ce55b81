import Foundation
import NIOHTTP1

/// What to fetch and how.
public struct DownloadRequest: Sendable {
    public var url: URL
    /// Sent to the URL's own origin only, never across a redirect to another.
    public var headers: [(name: String, value: String)]

    public init(url: URL, headers: [(name: String, value: String)] = []) {
        self.url = url
        self.headers = headers
    }
}

/// The bytes of a finished transfer; they are complete by the protocol's own framing.
public struct Download: Sendable {
    public var data: Data
    /// After redirects.
    public var url: URL
    /// False when the body ended with the connection and nothing proves it whole: such bytes are not cached.
    public var isProvenWhole: Bool
    public var etag: String?
    public var lastModified: String?
    public var metrics: DownloadMetrics
}

/// What a transfer took.
public struct DownloadMetrics: Sendable, Hashable {
    /// Waiting for a free place in the queue.
    public var queued: Duration = .zero
    /// From the request to the response's head, redirects included.
    public var firstByte: Duration = .zero
    public var total: Duration = .zero
    public var bytes = 0
    public var redirects = 0
    /// `HTTP/1.1`, `HTTP/2`.
    public var version = ""

    public init() {}
}

/// How far a transfer is.
public struct DownloadProgress: Sendable, Hashable {
    public var received: Int
    /// nil when the server did not say.
    public var total: Int?

    public init(received: Int, total: Int?) {
        self.received = received
        self.total = total
    }
}

/// Fetches bytes; the real one is `ImageDownloader`.
public protocol DataDownloading: Sendable {
    /// Fetches one address.
    ///
    /// `onProgress` is called at most 10 times a second, and always with the last state.
    func download(
        _ request: DownloadRequest, priority: Double, onProgress: @escaping @Sendable (DownloadProgress) -> Void
    ) async throws(ImageError) -> Download
}
