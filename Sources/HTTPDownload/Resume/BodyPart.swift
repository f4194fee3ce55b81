import AlcedoHTTPRequests
import FoundationEssentials
import Retrying

/// The first bytes of a body whose transfer broke or was cancelled, and the version that they belong to.
struct BodyPart: Sendable, Hashable {
    var data: Data
    /// The strong `ETag` of the body, or the `Last-Modified` date of a body without any `ETag`.
    let validators: Validators
    /// The address that sent the bytes, after redirects.
    let url: URL
    /// The length of the whole body in bytes; nil if unknown.
    let total: Int?

    /// Creates a part; nil if it cannot be resumed because it is empty, complete or without validators.
    init?(data: Data, validators: Validators?, url: URL, total: Int?) {
        guard !data.isEmpty, let validators, total.map({ data.count < $0 }) ?? true else { return nil }
        (self.data, self.validators, self.url, self.total) = (data, validators, url, total)
    }

    /// The fields that request the rest, or a changed body as a whole (RFC 9110, sections 13.1.5 and 14.2).
    var conditions: [HeaderField] {
        let validator = validators.etag ?? validators.lastModified ?? ""
        return [
            HeaderField(name: "range", value: "bytes=\(data.count)-"), HeaderField(name: "if-range", value: validator),
        ]
    }

    /// Returns whether an address may have the rest.
    ///
    /// Many files have the same date, so a date counts only at the address that sent it.
    func canContinue(at url: URL) -> Bool { validators.etag != nil || url == self.url }

    /// Returns the length of the whole body if a 206 response carries exactly the rest of this part, or nil otherwise.
    ///
    /// - Parameter version: The validators of the response, which may leave them out.
    func totalIfContinued(by range: ContentRange?, of version: Validators?) -> Int? {
        let isSameTag = version?.etag == nil || version?.etag == validators.etag
        let date = validators.etag == nil ? version?.lastModified : nil
        guard let range, range.first == data.count, isSameTag, date == nil || date == validators.lastModified,
            let whole = range.total ?? total, whole == total ?? whole, range.last == whole - 1
        else { return nil }
        return whole
    }
}

extension ResponseHead {
    /// The time between `Last-Modified` and `Date` from which two different clocks hardly matter, in seconds.
    private static let clearlyLater: Int64 = 60

    /// The validator with which the rest of this body can be requested; nil if the server offers no ranges.
    ///
    /// If there is an `ETag`, only a strong one is used. Without one, `Last-Modified` is used if it is at least 60 s
    /// before `Date`, so that no later change has the same date (RFC 9110, sections 8.8.2.2 and 13.1.5).
    ///
    /// - Parameter now: The current time in seconds since 1970.
    func rangeValidators(now: Int64) -> Validators? {
        let offersRanges = elements(of: "accept-ranges").contains { $0.lowercased() == "bytes" }
        guard statusCode == 206 || statusCode == 200 && offersRanges else { return nil }
        if let etag = first("etag") {
            return Validators.isStrong(etag) ? Validators(etag: etag, lastModified: nil) : nil
        }
        guard let modified = first("last-modified"), let date = HTTPDate(modified, now: now),
            let sent = first("date").flatMap({ HTTPDate($0, now: now) }),
            sent.secondsSince1970 - date.secondsSince1970 >= Self.clearlyLater
        else { return nil }
        return Validators(etag: nil, lastModified: modified)
    }
}
