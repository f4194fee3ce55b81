import Foundation
import ImageLoading
import Lists

/// Turns a location of a list into a source.
package enum SourceReference {
    /// Returns the source for a URL or for a path relative to the working folder; nil for an unsupported scheme.
    ///
    /// - Parameter key: The cache key; by default the normalized address, so that addresses that count as duplicates in
    ///   lists share one cached picture.
    package static func source(for location: String, key: String? = nil) -> Source? {
        if let url = WebAddress.url(location), let scheme = url.scheme?.lowercased(),
            ["http", "https", "file", "data"].contains(scheme)
        {
            return source(url, key ?? normalKey(of: url))
        }
        guard !location.contains("://") else { return nil }
        return source(URL(filePath: location), key)
    }

    /// Returns the normalized address, or nil if it equals the address.
    private static func normalKey(of url: URL) -> String? {
        let address = url.absoluteString
        let normal = URLNormalizer.normalize(address)
        return address == normal || !normal.hasPrefix("http") ? nil : normal
    }

    private static func source(_ url: URL, _ key: String?) -> Source {
        key.map { Source(ImageResource(downloadURL: url, cacheKey: $0)) } ?? Source(url: url)
    }
}
