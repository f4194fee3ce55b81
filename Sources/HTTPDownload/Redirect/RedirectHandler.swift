import Foundation

/// A redirect within the limits, before it is followed.
public struct Redirect: Sendable {
    /// The status: 301, 302, 303, 307 or 308.
    public var statusCode: Int
    /// The request that the server redirected.
    public var request: DownloadRequest
    /// The request that follows; it keeps the headers of the first one only within the same origin.
    public var next: DownloadRequest
    /// The number of redirects followed before in this transfer.
    public var count: Int
}

/// A hook that sees every redirect and can edit or stop it.
public protocol RedirectHandler: Sendable {
    /// Returns the next request, or nil to fail the transfer with `.response(.redirect(.stopped))`.
    ///
    /// Headers that are added here are sent to the new origin. Addresses that the limits refuse are refused in any
    /// case.
    func next(after redirect: Redirect) async -> DownloadRequest?
}

/// A redirect handler that calls a closure.
public struct AnyRedirectHandler: RedirectHandler {
    private let handle: @Sendable (Redirect) async -> DownloadRequest?

    public init(_ handle: @escaping @Sendable (Redirect) async -> DownloadRequest?) { self.handle = handle }

    public func next(after redirect: Redirect) async -> DownloadRequest? { await handle(redirect) }
}
