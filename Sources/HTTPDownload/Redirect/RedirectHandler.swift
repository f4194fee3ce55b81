import Foundation

/// A redirect that the limits allow, before it is followed.
public struct Redirect: Sendable {
    /// 301, 302, 303, 307 or 308.
    public var statusCode: Int
    /// The request that was answered with it.
    public var request: DownloadRequest
    /// The request that follows: it has the headers of the first one only within the same origin.
    public var next: DownloadRequest
    /// Redirects followed before in this transfer.
    public var count: Int
}

/// Sees every redirect, and may edit or stop it.
public protocol RedirectHandler: Sendable {
    /// What to ask for next; nil ends the transfer with `.response(.redirect(.stopped))`.
    ///
    /// Headers that are added here are sent to the new origin. An address that the limits refuse stays refused.
    func next(after redirect: Redirect) async -> DownloadRequest?
}

/// A redirect handler made of a function.
public struct AnyRedirectHandler: RedirectHandler {
    private let handle: @Sendable (Redirect) async -> DownloadRequest?

    public init(_ handle: @escaping @Sendable (Redirect) async -> DownloadRequest?) { self.handle = handle }

    public func next(after redirect: Redirect) async -> DownloadRequest? { await handle(redirect) }
}
