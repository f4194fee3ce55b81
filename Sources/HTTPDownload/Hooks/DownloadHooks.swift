import Foundation

/// Callbacks at fixed points of a transfer; every requirement has a default that changes nothing.
public protocol DownloadHooks: Sendable {
    /// Called when the transfer has left the queue and is about to begin.
    func willDownload(_ request: DownloadRequest) async

    /// Called with the head of the final response, not for redirects and answered challenges.
    ///
    /// The result `.cancel` fails the transfer with `.response(.cancelledByDelegate)`.
    func didReceive(_ response: DownloadResponse) async -> ResponseDisposition

    /// Returns whether a response with this status carries the picture; true for 200 and 203 by default.
    ///
    /// Not called for 206 and 304, which are accepted only if the request asked for a range or sent validators.
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
    case allow, cancel
}

extension DownloadHooks {
    public func willDownload(_ request: DownloadRequest) async {}
    public func didReceive(_ response: DownloadResponse) async -> ResponseDisposition { .allow }
    public func isValid(statusCode: Int, of response: DownloadResponse) -> Bool { [200, 203].contains(statusCode) }
    public func dataModifier(for response: DownloadResponse) -> DataModifier? { nil }
    public func didFinish(_ request: DownloadRequest, _ result: Result<Download, DownloadError>) async {}
}

/// Hooks that change nothing.
struct NoHooks: DownloadHooks {}
