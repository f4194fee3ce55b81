import FoundationEssentials

/// The result of a finished transfer.
public struct Download: Sendable {
    /// The whole body, after the data modifier; empty if the server responded 304.
    public var data: Data
    /// The address after redirects.
    public var url: URL
    /// Whether the server confirmed the validators of the request, so that the known version is still current.
    public var isNotModified = false
    /// Whether the protocol proves that the body is complete.
    ///
    /// False if the body ended with the connection: then only the format of the data can show whether it is
    /// complete.
    public var isProvenWhole: Bool
    /// The server's `ETag`; nil if there is none.
    public var etag: String?
    /// The server's `Last-Modified` value, unparsed; nil if there is none.
    public var lastModified: String?
    /// The response headers that are worth storing, each as one line `Name: value`; no cookies or credentials.
    public var headers: [String] = []
    /// The measurements of the transfer.
    public var metrics: DownloadMetrics
    /// The length of the whole body if `data` is only its beginning; nil if that is unknown, and for a whole body.
    package var wholeLength: Int?
    /// Whether `data` is only the beginning of the body.
    package var isBeginning = false

    /// Creates a download.
    public init(
        data: Data, url: URL, isNotModified: Bool = false, isProvenWhole: Bool, etag: String? = nil,
        lastModified: String? = nil, headers: [String] = [], metrics: DownloadMetrics = DownloadMetrics()
    ) {
        (self.data, self.url, self.isNotModified, self.isProvenWhole) = (data, url, isNotModified, isProvenWhole)
        (self.etag, self.lastModified, self.headers, self.metrics) = (etag, lastModified, headers, metrics)
    }
}

/// The measurements of a transfer.
public struct DownloadMetrics: Sendable, Hashable {
    /// The waiting time for a place in the queue.
    public var queued: Duration = .zero
    /// The times until the connection of the last request was ready; nil if the connection was reused.
    public var phases: Phases?
    /// The time for name lookup, connection and TLS handshake of the last request; nil if its connection was
    /// reused.
    public var connect: Duration? { phases.map { $0.lookup + $0.connect + $0.handshake } }
    /// The time from the first request to the last response's head, redirects and earlier attempts included.
    public var firstByte: Duration = .zero
    /// The time from the first attempt's admission by the queue to the end of the transfer.
    public var total: Duration = .zero
    /// The length of the whole body in bytes, before the data modifier.
    public var bytes = 0
    /// The number of bytes that an earlier attempt or call received.
    public var resumedBytes = 0
    /// The number of redirects that were followed.
    public var redirects: Int { redirectedTo.count }
    /// The redirect targets in order.
    public var redirectedTo: [URL] = []
    /// Whether the last request used a connection that had carried another request before.
    public var isReusedConnection = false
    /// The protocol version: `HTTP/1.1`, `HTTP/2`.
    public var version = ""
    /// The status of the last response; nil if there was none.
    public var statusCode: Int?

    /// Creates metrics of nothing.
    public init() {}

    /// The durations of the steps until a connection is ready, one after the other.
    public struct Phases: Sendable, Hashable {
        /// The time for the lookup of the host's name.
        public var lookup: Duration = .zero
        /// The time for the TCP connection, and for the connection to a proxy.
        public var connect: Duration = .zero
        /// The time for the TLS handshake; zero without TLS.
        public var handshake: Duration = .zero

        /// Creates the times; nil for a phase that was not needed.
        public init(lookup: Duration = .zero, connect: Duration = .zero, handshake: Duration = .zero) {
            (self.lookup, self.connect, self.handshake) = (lookup, connect, handshake)
        }
    }
}

/// The progress of a transfer.
public struct DownloadProgress: Sendable, Hashable {
    /// The number of bytes received so far, including an earlier attempt or call.
    public var received: Int
    /// The length of the whole body in bytes; nil if the server did not declare it.
    public var total: Int?
    /// The times until the connection was ready; nil if it was reused, or if there is none.
    public var phases: DownloadMetrics.Phases?
    /// The time from the first request to the head of the response; nil if there is none.
    public var firstByte: Duration?

    /// Creates a progress.
    public init(received: Int, total: Int?, phases: DownloadMetrics.Phases? = nil, firstByte: Duration? = nil) {
        (self.received, self.total, self.phases, self.firstByte) = (received, total, phases, firstByte)
    }
}

/// A downloader of bytes; `ImageDownloader` is the real implementation.
public protocol DataDownloading: Sendable {
    /// Downloads one address.
    ///
    /// `onProgress` is called at most 10 times a second, and always with the final progress.
    func download(
        _ request: DownloadRequest, priority: Double, onProgress: @escaping @Sendable (DownloadProgress) -> Void
    ) async throws(DownloadError) -> Download

    /// Changes the priority of a request that waits in the queue; does nothing for other requests.
    func setPriority(_ priority: Double, of id: DownloadRequest.ID) async

    /// Removes the bytes of broken and cancelled transfers, so that the next transfers begin with nothing.
    ///
    /// A pipeline calls this when the memory tier of its cache is cleared.
    func removePartialBodies()
}

extension DataDownloading {
    /// Does nothing, for downloaders without a queue.
    public func setPriority(_ priority: Double, of id: DownloadRequest.ID) async {}

    /// Does nothing, for downloaders that keep no bytes.
    public func removePartialBodies() {}
}
