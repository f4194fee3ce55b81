import FoundationEssentials

/// Callbacks at fixed points of a transfer; every requirement has a default that changes nothing.
public protocol DownloadHooks: Sendable {
    /// Called when the transfer has left the queue and is about to begin.
    func willDownload(_ request: DownloadRequest) async

    /// Called with the head of the final response, not for redirects and answered challenges.
    ///
    /// The result `.cancel` fails the transfer with `.response(.cancelledByDelegate)`.
    func didReceive(_ response: DownloadResponse) async -> ResponseDisposition

    /// Returns whether a response with this status carries the picture; true for 200, 201, 203 and 226 by default.
    ///
    /// Not called for 206 and 304: a 206 must have the requested range or the whole body, and a 304 needs validators
    /// in the request.
    func isValid(statusCode: Int, of response: DownloadResponse) -> Bool

    /// Returns a function that verifies or decrypts the body; nil by default, which keeps the body as it is.
    ///
    /// The function receives the whole body. Its errors become `.response(.dataModifyingFailed)`. Without a
    /// modifier, a body that is not a picture is refused at its first bytes.
    func dataModifier(for response: DownloadResponse) -> DataModifier?

    /// Called when the transfer has finished, exactly once for each `willDownload`.
    func didFinish(_ request: DownloadRequest, _ result: Result<Download, DownloadError>) async
}

/// A function that converts a whole body into the picture's bytes.
public typealias DataModifier = @Sendable (Data) async throws -> Data

/// The decision about a transfer after the head of its response.
public enum ResponseDisposition: Sendable, Hashable {
    /// Goes on with the body, or fails the download.
    case allow, cancel
}

extension DownloadHooks {
    public func willDownload(_ request: DownloadRequest) async {}
    public func didReceive(_ response: DownloadResponse) async -> ResponseDisposition { .allow }
    public func isValid(statusCode: Int, of response: DownloadResponse) -> Bool {
        DownloadResponse.pictureStatusCodes.contains(statusCode)
    }
    public func dataModifier(for response: DownloadResponse) -> DataModifier? { nil }
    public func didFinish(_ request: DownloadRequest, _ result: Result<Download, DownloadError>) async {}
}

/// The head of a response.
public struct DownloadResponse: Sendable {
    /// The address after redirects.
    public var url: URL
    /// The unmodified status code, such as 200 or 404.
    public var statusCode: Int
    /// The unmodified header fields in the order in which they were received.
    public var headers: [HeaderField]
    /// The protocol version: `HTTP/1.1`, `HTTP/2`.
    public var version: String

    package init(url: URL, statusCode: Int, headers: [HeaderField], version: String) {
        (self.url, self.statusCode, self.headers, self.version) = (url, statusCode, headers, version)
    }

    /// The statuses whose body may be the picture.
    package static let pictureStatusCodes: Set<Int> = [200, 201, 203, 226]

    /// Returns the first value of a header field; the case of the name does not matter.
    public func value(of name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// A hook that edits a request before it enters the queue.
public protocol RequestModifier: Sendable {
    /// Returns the request to send, or nil to fail the transfer with `.request(.emptyRequest)`.
    func modified(_ request: DownloadRequest) async -> DownloadRequest?
}

/// A request modifier that calls a closure.
public struct AnyRequestModifier: RequestModifier {
    private let modify: @Sendable (DownloadRequest) async -> DownloadRequest?

    /// Creates a modifier from a function.
    public init(_ modify: @escaping @Sendable (DownloadRequest) async -> DownloadRequest?) { self.modify = modify }

    public func modified(_ request: DownloadRequest) async -> DownloadRequest? { await modify(request) }
}

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

    package init(statusCode: Int, request: DownloadRequest, next: DownloadRequest, count: Int) {
        (self.statusCode, self.request, self.next, self.count) = (statusCode, request, next, count)
    }
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

    /// Creates a handler from a function.
    public init(_ handle: @escaping @Sendable (Redirect) async -> DownloadRequest?) { self.handle = handle }

    public func next(after redirect: Redirect) async -> DownloadRequest? { await handle(redirect) }
}
