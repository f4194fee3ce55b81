import Foundation

/// A URL with a key for the cache.
public protocol Resource: Sendable {
    /// The key of the image in the cache; equal keys mean the same image.
    var cacheKey: String { get }
    /// The URL of the image.
    var downloadURL: URL { get }
}

extension Resource {
    /// Returns the source of the resource; see `Source.init(_:)`.
    public func convertToSource() -> Source { Source(self) }
}

extension URL: Resource {
    public var cacheKey: String { absoluteString }
    public var downloadURL: URL { self }
}

/// A URL with a separate cache key, for signed or changing URLs of the same image.
public struct ImageResource: Resource, Hashable {
    public let cacheKey: String
    public let downloadURL: URL

    /// Creates a resource; the default key is the URL's text.
    public init(downloadURL: URL, cacheKey: String? = nil) {
        self.downloadURL = downloadURL
        self.cacheKey = cacheKey ?? downloadURL.absoluteString
    }
}
