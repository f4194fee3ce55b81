import Foundation

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

    /// Returns the first value of a header field; the case of the name does not matter.
    public func value(of name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
