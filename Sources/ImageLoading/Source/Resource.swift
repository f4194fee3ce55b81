import Foundation

/// Something with a web address and a name for the cache.
public protocol Resource: Sendable {
    /// What the cache knows the picture by; equal keys are the same picture.
    var cacheKey: String { get }
    /// Where the picture is fetched from.
    var downloadURL: URL { get }
}

extension URL: Resource {
    public var cacheKey: String { absoluteString }
    public var downloadURL: URL { self }
}

/// An address with a cache key of its own, for signed or rotating URLs of the same picture.
public struct ImageResource: Resource, Hashable {
    public let cacheKey: String
    public let downloadURL: URL

    /// Makes a resource; the key is the URL's text when none is given.
    public init(downloadURL: URL, cacheKey: String? = nil) {
        self.downloadURL = downloadURL
        self.cacheKey = cacheKey ?? downloadURL.absoluteString
    }
}
