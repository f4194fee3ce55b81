/// A hook that edits a request before it enters the queue.
public protocol RequestModifier: Sendable {
    /// Returns the request to send, or nil to fail the transfer with `.request(.emptyRequest)`.
    func modified(_ request: DownloadRequest) async -> DownloadRequest?
}

/// A request modifier that calls a closure.
public struct AnyRequestModifier: RequestModifier {
    private let modify: @Sendable (DownloadRequest) async -> DownloadRequest?

    public init(_ modify: @escaping @Sendable (DownloadRequest) async -> DownloadRequest?) { self.modify = modify }

    public func modified(_ request: DownloadRequest) async -> DownloadRequest? { await modify(request) }
}
