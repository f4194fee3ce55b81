import Foundation
import Synchronization

/// The part of a body that came before its transfer broke, for the next attempt to go on from.
///
/// It lives as long as the attempts at one transfer, in memory, and never reaches a cache.
public final class PartialBody: Sendable {
    private let part = Mutex<BodyPart?>(nil)

    public init() {}

    /// Bytes kept now.
    public var count: Int { part.withLock { $0?.data.count ?? 0 } }

    func take() -> BodyPart? {
        part.withLock { part in
            defer { part = nil }
            return part
        }
    }

    func keep(_ newPart: BodyPart?) { part.withLock { $0 = newPart } }
}

/// The first bytes of a body, and what names the body they belong to.
struct BodyPart: Sendable, Hashable {
    var data: Data
    /// Strong.
    var etag: String
    /// The whole body's length, where it was said.
    var total: Int?

    /// A part worth keeping; nil where nothing proves that the rest would be of the same body.
    init?(data: Data, etag: String?, total: Int?) {
        guard !data.isEmpty, let etag, Validators.isStrong(etag), total.map({ data.count < $0 }) ?? true else {
            return nil
        }
        self.data = data
        self.etag = etag
        self.total = total
    }

    /// Asks for the rest, or for all of it if it is another body now (RFC 9110, sections 13.1.5 and 14.2).
    var conditions: [(name: String, value: String)] {
        [("range", "bytes=\(data.count)-"), ("if-range", etag)]
    }

    /// The whole body's length when a 206 carries exactly the rest of this body; nil otherwise.
    func totalIfContinued(by range: ContentRange?, etag newTag: String?) -> Int? {
        guard let range, range.first == data.count, newTag == nil || newTag == etag,
            let whole = range.total ?? total, whole == total ?? whole, range.last == whole - 1
        else { return nil }
        return whole
    }
}
