import FoundationEssentials
import Synchronization

/// A value that names an image: a URL or another resource, a provider, or a source itself.
public protocol SourceConvertible: Sendable {
    /// Returns the source of the image.
    func convertToSource() -> Source
}

/// The origin of an image.
public enum Source: SourceConvertible {
    /// A network resource.
    case network(any Resource)
    /// A provider of bytes from anywhere else.
    case provider(any ImageDataProvider)

    /// Creates a source: a provider for a file URL, which may lead through an archive, a data-URL provider for a data
    /// URL, or a network source.
    public init(url: URL) {
        switch url.scheme?.lowercased() {
        case "file": self = .file(url, key: nil)
        case "data": self = .provider(DataURLImageDataProvider(url.absoluteString))
        default: self = .network(url)
        }
    }

    /// Creates the source of a resource: a local-file provider with the resource's key for a file URL, a provider for a
    /// data URL, or else a network source.
    public init(_ resource: any Resource) {
        let url = resource.downloadURL
        switch url.scheme?.lowercased() {
        case "file": self = .file(url, key: resource.cacheKey)
        case "data": self = .provider(DataURLImageDataProvider(url.absoluteString))
        default: self = .network(resource)
        }
    }

    public func convertToSource() -> Source { self }

    private static func file(_ url: URL, key: String?) -> Source {
        if let member = ArchiveMemberImageDataProvider(fileURL: url, cacheKey: key) { return .provider(member) }
        return .provider(LocalFileImageDataProvider(fileURL: url, cacheKey: key))
    }

    /// The key of the image in the cache.
    public var cacheKey: String {
        switch self {
        case .network(let resource): resource.cacheKey
        case .provider(let provider): provider.cacheKey
        }
    }

    /// The URL of a network source, or of a provider's content.
    public var url: URL? {
        switch self {
        case .network(let resource): resource.downloadURL
        case .provider(let provider): provider.contentURL
        }
    }
}

extension Source {
    /// Numbers for requests; they distinguish the results of two requests for the same target.
    public enum Identifier {
        /// A request's number, from 1.
        public typealias Value = UInt

        private static let last = Atomic<Value>(0)

        /// Returns a number larger than all before it in this process.
        public static func next() -> Value { last.wrappingAdd(1, ordering: .relaxed).newValue }
    }
}

/// A URL with a key for the cache.
public protocol Resource: SourceConvertible {
    /// The key of the image in the cache; equal keys mean the same image.
    var cacheKey: String { get }
    /// The URL of the image.
    var downloadURL: URL { get }
}

extension Resource {
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
