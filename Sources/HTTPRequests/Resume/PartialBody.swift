import Foundation
import Synchronization

/// The received part of a body whose transfer broke, from which the next attempt resumes.
///
/// It is kept in memory for the attempts at one transfer only, and never written to a cache.
package final class PartialBody: Sendable {
    private let part = Mutex<BodyPart?>(nil)

    package init() {}

    /// The number of stored bytes.
    package var count: Int { part.withLock { $0?.data.count ?? 0 } }

    package func removeAll() -> BodyPart? {
        part.withLock { part in
            defer { part = nil }
            return part
        }
    }

    package func keep(_ newPart: BodyPart?) { part.withLock { $0 = newPart } }
}

/// The first bytes of a body, and the tag that identifies the body.
package struct BodyPart: Sendable, Hashable {
    package var data: Data
    /// The body's strong `ETag`.
    package var etag: String
    /// The length of the whole body in bytes; nil if unknown.
    package var total: Int?

    /// Creates a part; nil if it cannot be resumed because it is empty, complete or without a strong `ETag`.
    package init?(data: Data, etag: String?, total: Int?) {
        guard !data.isEmpty, let etag, Validators.isStrong(etag), total.map({ data.count < $0 }) ?? true else {
            return nil
        }
        (self.data, self.etag, self.total) = (data, etag, total)
    }

    /// The fields that request the rest, or a changed body as a whole (RFC 9110, sections 13.1.5 and 14.2).
    package var conditions: [HeaderField] {
        [HeaderField(name: "range", value: "bytes=\(data.count)-"), HeaderField(name: "if-range", value: etag)]
    }
}

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
    static func isStrong(_ etag: String) -> Bool {
        etag.utf8.count >= 2 && etag.hasPrefix("\"") && etag.hasSuffix("\"")
            && !etag.dropFirst().dropLast().contains("\"")
    }
}
