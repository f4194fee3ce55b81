import Foundation
import ImageLoading
import Lists

/// A location as a list gives it, made into a source.
public enum SourceReference {
    /// URLs with a scheme become what they say; everything else is a path, relative to the working folder.
    ///
    /// `key` is what the caches call it instead; its own location by default, an address as it is normally written: what
    /// lists have as duplicates is one picture.
    public static func source(for location: String, key: String? = nil) -> Source? {
        if let url = WebAddress.url(location), let scheme = url.scheme?.lowercased(),
            ["http", "https", "file", "data"].contains(scheme)
        {
            return source(url, key ?? normalKey(of: url))
        }
        guard !location.contains("://") else { return nil }
        return source(URL(filePath: location), key)
    }

    /// Nil where it is the address itself.
    private static func normalKey(of url: URL) -> String? {
        let address = url.absoluteString
        let normal = URLNormalizer.normalize(address)
        return address == normal || !normal.hasPrefix("http") ? nil : normal
    }

    private static func source(_ url: URL, _ key: String?) -> Source {
        guard let key else { return Source(url: url) }
        switch url.scheme?.lowercased() {
        case "http", "https": return .network(ImageResource(downloadURL: url, cacheKey: key))
        case "file": return .provider(LocalFileImageDataProvider(fileURL: url, cacheKey: key))
        default: return Source(url: url)
        }
    }
}
