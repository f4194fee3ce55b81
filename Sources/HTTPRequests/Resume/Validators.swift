/// The validators that show whether a copy is still current (RFC 9110, section 8.8).
package struct Validators: Sendable, Hashable {
    /// The `ETag` field with its quotes.
    package var etag: String?
    /// The `Last-Modified` field, unparsed.
    package var lastModified: String?

    /// Creates validators; nil if both values are nil.
    package init?(etag: String?, lastModified: String?) {
        guard etag != nil || lastModified != nil else { return nil }
        self.etag = etag
        self.lastModified = lastModified
    }

    /// The fields of a conditional request; the server checks the `ETag` first.
    package var conditions: [HeaderField] {
        [("if-none-match", etag), ("if-modified-since", lastModified)].compactMap { name, value in
            value.map { HeaderField(name: name, value: $0) }
        }
    }

    /// Returns whether equal tags prove equal bytes: the tag is quoted and not weak.
    package static func isStrong(_ etag: String) -> Bool {
        etag.utf8.count >= 2 && etag.hasPrefix("\"") && etag.hasSuffix("\"")
            && !etag.dropFirst().dropLast().contains("\"")
    }
}
