import AlcedoHTTPRequests
import Foundation
import FoundationNetworking

/// A modifier that may wait; only address, header fields and `timeoutInterval` of the request have an effect.
///
/// Programs write one of both variants of `modified`.
public protocol AsyncImageDownloadRequestModifier: Sendable {
    /// Returns the request to send; nil fails the load.
    func modified(for request: URLRequest) async -> URLRequest?
    /// Gives the handler the request to send; Kingfisher 7's form. By default the request stays.
    func modified(for request: URLRequest, reportModified: @escaping @Sendable (URLRequest?) -> Void)
    /// Called when the load has begun; nil by default.
    var onDownloadTaskStarted: (@Sendable (DownloadTask?) -> Void)? { get }
}

extension AsyncImageDownloadRequestModifier {
    /// Nil.
    public var onDownloadTaskStarted: (@Sendable (DownloadTask?) -> Void)? { nil }

    /// Returns the request that the handler gets.
    public func modified(for request: URLRequest) async -> URLRequest? {
        await withCheckedContinuation { continuation in
            modified(for: request) { continuation.resume(returning: $0) }
        }
    }

    /// Gives the handler the request unchanged.
    public func modified(for request: URLRequest, reportModified: @escaping @Sendable (URLRequest?) -> Void) {
        reportModified(request)
    }
}

/// A modifier that answers at once.
public protocol ImageDownloadRequestModifier: AsyncImageDownloadRequestModifier {
    /// Returns the request to send; nil fails the load.
    func modified(for request: URLRequest) -> URLRequest?
}

/// A modifier that calls a closure.
public struct AnyModifier: ImageDownloadRequestModifier {
    private let block: @Sendable (URLRequest) -> URLRequest?

    /// Creates a modifier that calls the closure.
    public init(modify: @escaping @Sendable (URLRequest) -> URLRequest?) { block = modify }

    /// Returns the closure's request.
    public func modified(for request: URLRequest) -> URLRequest? { block(request) }
}

/// A handler of redirects; programs write one of both methods.
public protocol ImageDownloadRedirectHandler: Sendable {
    /// Returns the request that follows; nil stops the load.
    func handleHTTPRedirection(
        for task: SessionDataTask, response: HTTPURLResponse, newRequest: URLRequest
    ) async -> URLRequest?
    /// Gives the handler the request that follows; Kingfisher 7's form. By default the redirect is followed.
    func handleHTTPRedirection(
        for task: SessionDataTask, response: HTTPURLResponse, newRequest: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void)
}

extension ImageDownloadRedirectHandler {
    /// Returns the request that the handler gets.
    public func handleHTTPRedirection(
        for task: SessionDataTask, response: HTTPURLResponse, newRequest: URLRequest
    ) async -> URLRequest? {
        await withCheckedContinuation { continuation in
            handleHTTPRedirection(for: task, response: response, newRequest: newRequest) {
                continuation.resume(returning: $0)
            }
        }
    }

    /// Follows the redirect.
    public func handleHTTPRedirection(
        for task: SessionDataTask, response: HTTPURLResponse, newRequest: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { completionHandler(newRequest) }
}

/// A handler of redirects that calls a closure.
public struct AnyRedirectHandler: ImageDownloadRedirectHandler {
    /// Receives the task, the response, the next request, and what to call with the request that follows.
    public typealias Block =
        @Sendable (
            SessionDataTask, HTTPURLResponse, URLRequest, @escaping @Sendable (URLRequest?) -> Void
        ) -> Void

    private let block: Block

    /// Creates a handler that calls the closure.
    public init(handle: @escaping Block) { block = handle }

    /// Calls the closure.
    public func handleHTTPRedirection(
        for task: SessionDataTask, response: HTTPURLResponse, newRequest: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { block(task, response, newRequest, completionHandler) }
}

/// A modifier of the program, in the form of the library.
struct RequestModifierBridge: RequestModifier {
    let modifier: any AsyncImageDownloadRequestModifier

    func modified(_ request: DownloadRequest) async -> DownloadRequest? {
        let before = URLRequest(request, timeout: 15)
        guard let after = await modifier.modified(for: before) else { return nil }
        var changed = request
        changed.adopt(after, from: before)
        return changed
    }
}

/// A handler of the program, in the form of the library.
struct RedirectBridge: RedirectHandler {
    let handler: any ImageDownloadRedirectHandler

    func next(after redirect: Redirect) async -> DownloadRequest? {
        let before = URLRequest(redirect.next, timeout: 15)
        let head = HTTPURLResponse(
            url: redirect.request.url, statusCode: redirect.statusCode, httpVersion: nil,
            headerFields: ["Location": redirect.next.url.absoluteString])
        guard let head,
            let after = await handler.handleHTTPRedirection(
                for: SessionDataTask(redirect.request.url), response: head, newRequest: before)
        else { return nil }
        var next = redirect.next
        next.adopt(after, from: before)
        return next
    }
}
