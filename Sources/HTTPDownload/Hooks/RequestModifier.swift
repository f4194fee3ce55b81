/// The last chance to edit a request before it waits for its place in the queue.
public protocol RequestModifier: Sendable {
    /// The request to send; nil fails the transfer with `.request(.emptyRequest)`.
    func modified(_ request: DownloadRequest) async -> DownloadRequest?
}

/// A request modifier made of a function.
public struct AnyRequestModifier: RequestModifier {
    private let modify: @Sendable (DownloadRequest) async -> DownloadRequest?

    public init(_ modify: @escaping @Sendable (DownloadRequest) async -> DownloadRequest?) { self.modify = modify }

    public func modified(_ request: DownloadRequest) async -> DownloadRequest? { await modify(request) }
}
