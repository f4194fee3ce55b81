import Foundation

/// The bytes of a finished transfer; they are complete by the protocol's own framing.
public struct Download: Sendable {
    /// The whole body, after the hooks' data modifier; empty when nothing was modified since.
    public var data: Data
    /// After redirects.
    public var url: URL
    /// True when the validators that were sent still hold: the data is empty, and what is known already is good.
    public var isNotModified = false
    /// False when the body ended with the connection: only what it is itself can tell whether it is whole.
    public var isProvenWhole: Bool
    /// What the server names the bytes by; nil when it does not.
    public var etag: String?
    /// When the server says that they changed, in its own words; nil when it does not.
    public var lastModified: String?
    /// What else the server said of the bytes, a header a line as `Name: value`; none of cookies and the like.
    public var headers: [String] = []
    /// What the transfer took.
    public var metrics: DownloadMetrics

    public init(
        data: Data, url: URL, isNotModified: Bool = false, isProvenWhole: Bool, etag: String? = nil,
        lastModified: String? = nil, headers: [String] = [], metrics: DownloadMetrics = DownloadMetrics()
    ) {
        self.data = data
        self.url = url
        self.isNotModified = isNotModified
        self.isProvenWhole = isProvenWhole
        self.etag = etag
        self.lastModified = lastModified
        self.headers = headers
        self.metrics = metrics
    }
}

/// What a transfer took.
public struct DownloadMetrics: Sendable, Hashable {
    /// Waiting for a free place in the queue.
    public var queued: Duration = .zero
    /// Name look-up, connection and TLS together, which the client does not tell apart, of the last request.
    ///
    /// nil where the connection was there already.
    public var connect: Duration?
    /// From the first request to the last response's head, redirects and earlier attempts included.
    public var firstByte: Duration = .zero
    /// From the first attempt's place in the queue to the end.
    public var total: Duration = .zero
    /// Of the whole body.
    public var bytes = 0
    /// How many of the bytes came in an earlier attempt.
    public var resumedBytes = 0
    /// Redirects followed.
    public var redirects: Int { redirectedTo.count }
    /// Where each of them led, in order.
    public var redirectedTo: [URL] = []
    /// Whether the last request went over a connection that had carried another before.
    public var isReusedConnection = false
    /// `HTTP/1.1`, `HTTP/2`.
    public var version = ""
    /// Of the last response; nil where there was none.
    public var statusCode: Int?

    public init() {}
}

/// How far a transfer is.
public struct DownloadProgress: Sendable, Hashable {
    /// Bytes so far, those of an earlier attempt included.
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
    ) async throws(DownloadError) -> Download

    /// Changes the priority of a request that waits in the queue; nothing for others.
    func setPriority(_ priority: Double, of id: DownloadRequest.ID) async
}

extension DataDownloading {
    /// Nothing, for downloaders without a queue.
    public func setPriority(_ priority: Double, of id: DownloadRequest.ID) async {}
}
