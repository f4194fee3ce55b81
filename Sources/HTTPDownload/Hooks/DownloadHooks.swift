import Foundation

/// Watches and steers transfers at fixed points; every requirement has a default that changes nothing.
public protocol DownloadHooks: Sendable {
    /// The transfer has its place and is about to begin.
    func willDownload(_ request: DownloadRequest) async

    /// The head of the final response is there; redirects and answered challenges are not seen here.
    ///
    /// `.cancel` ends the transfer with `.response(.cancelledByDelegate)`.
    func didReceive(_ response: DownloadResponse) async -> ResponseDisposition

    /// Whether a response with this status carries the picture; 200 and 203 by default.
    ///
    /// Not asked about a 206 or 304: those are taken when they were asked for, and refused otherwise.
    func isValid(statusCode: Int, of response: DownloadResponse) -> Bool

    /// What turns the body into the picture's bytes, to verify or decrypt it; nil, as it is, by default.
    ///
    /// It is called with the whole body. Its errors become `.response(.dataModifyingFailed)`. Without one, a body that
    /// is no picture is refused at its first bytes.
    func dataModifier(for response: DownloadResponse) -> DataModifier?

    /// The transfer is over; called exactly once for each `willDownload`.
    func didFinish(_ request: DownloadRequest, _ result: Result<Download, DownloadError>) async
}

/// Turns a whole body into a picture's bytes.
public typealias DataModifier = @Sendable (Data) async throws -> Data

/// Whether a transfer goes on after the response's head.
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
