import Foundation
import ImageLoading

/// A location as a list gives it, made into a source.
public enum SourceReference {
    /// URLs with a scheme become what they say; everything else is a path, relative to the working folder.
    public static func source(for location: String) -> Source? {
        if let url = URL(string: location), let scheme = url.scheme?.lowercased(),
            ["http", "https", "file", "data"].contains(scheme)
        {
            return Source(url: url)
        }
        guard !location.contains("://") else { return nil }
        return Source(url: URL(filePath: location))
    }
}
