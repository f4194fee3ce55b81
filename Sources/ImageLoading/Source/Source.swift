import Foundation
import Synchronization

/// Where a picture comes from.
public enum Source: Sendable {
    /// The network.
    case network(any Resource)
    /// Anything else that yields bytes.
    case provider(any ImageDataProvider)

    /// A file URL becomes a local-file provider, a data URL a data-URL provider, every other URL a network source.
    public init(url: URL) {
        switch url.scheme?.lowercased() {
        case "file": self = .provider(LocalFileImageDataProvider(fileURL: url))
        case "data": self = .provider(DataURLImageDataProvider(url.absoluteString))
        default: self = .network(url)
        }
    }

    /// What the cache knows the picture by.
    public var cacheKey: String {
        switch self {
        case .network(let resource): resource.cacheKey
        case .provider(let provider): provider.cacheKey
        }
    }

    /// The web address, for network sources.
    public var url: URL? {
        if case .network(let resource) = self { return resource.downloadURL }
        return nil
    }
}

extension Source {
    /// Numbers requests, so that a result can be told from that of an earlier request for the same place.
    public enum Identifier {
        /// A request's number, from 1.
        public typealias Value = Int

        private static let last = Atomic(0)

        /// A number larger than any before it in this process.
        public static func next() -> Value { last.wrappingAdd(1, ordering: .relaxed).newValue }
    }
}
