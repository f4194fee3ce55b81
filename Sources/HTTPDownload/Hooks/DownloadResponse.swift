import Foundation

/// The head of a response.
public struct DownloadResponse: Sendable {
    /// What was asked for, after redirects.
    public var url: URL
    /// As it came: 200, 404.
    public var statusCode: Int
    /// As they came, in their order.
    public var headers: [HeaderField]
    /// `HTTP/1.1`, `HTTP/2`.
    public var version: String

    /// The first value of a header field, whatever the case of its name.
    public func value(of name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
