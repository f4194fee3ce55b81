/// What proves that a copy is still what the server has (RFC 9110, section 8.8).
public struct Validators: Sendable, Hashable {
    /// The `ETag` field, quotes included.
    public var etag: String?
    /// The `Last-Modified` field, as it came.
    public var lastModified: String?

    /// Makes a pair; nil when there is neither.
    public init?(etag: String?, lastModified: String?) {
        guard etag != nil || lastModified != nil else { return nil }
        self.etag = etag
        self.lastModified = lastModified
    }

    /// Asks for an answer without a body if nothing has changed; the server looks at the tag first.
    var conditions: [(name: String, value: String)] {
        [("if-none-match", etag), ("if-modified-since", lastModified)].compactMap { name, value in
            value.map { (name, $0) }
        }
    }

    /// Whether equal tags mean equal bytes: quoted, and not weak.
    static func isStrong(_ etag: String) -> Bool {
        etag.utf8.count >= 2 && etag.hasPrefix("\"") && etag.hasSuffix("\"")
            && !etag.dropFirst().dropLast().contains("\"")
    }
}
