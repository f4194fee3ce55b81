import AlcedoHTTPRequests
import Retrying

/// The checks on the head of a response.
struct ResponseCheck {
    /// The handling of a valid response.
    enum Verdict: Hashable {
        /// A whole body of this length in bytes; nil if the length is unknown.
        case whole(Int?)
        /// The missing rest of a partial body; `total` is the length of the whole body in bytes.
        case rest(total: Int)
        /// The beginning of a body, or more of it; `total` is the length of the whole body in bytes, nil if unknown.
        case beginning(total: Int?)
        /// A different range than requested, which cannot be used.
        case otherPart
        /// A confirmation that the known version is still current (304).
        case notModified
    }

    let head: ResponseHead
    let limits: DownloadLimits
    /// The current time in seconds since 1970, for a `Retry-After` that contains a date.
    let now: Int64
    /// The partial body whose rest was requested.
    var part: BodyPart?
    /// Whether the request sent validators.
    var isValidation = false
    /// Whether only the beginning of the body is wanted.
    var isBeginning = false
    /// Whether the body is a list; lists are decompressed later, while they are read, whatever the head declares.
    var isDocument = false
    /// Returns whether a status other than 206 and 304 carries a usable body.
    var isValid: (Int) -> Bool = { DownloadResponse.pictureStatusCodes.contains($0) }

    /// The declared length in bytes; nil if there is none or repeated values differ (RFC 9110, section 8.6).
    var expectedLength: Int? {
        // A chunked body has its own length (RFC 9112, section 6.3).
        if case .bytes(let length) = head.declaredLength, !head.isChunked { length } else { nil }
    }

    /// The content codings to remove from the body.
    var codings: [ContentCoding] {
        let codings = ContentCoding.applied(head)
        return isDocument && codings == [.gzip] ? [] : codings
    }

    /// Whether the protocol itself marks the end of the body.
    ///
    /// A 206 that does not state its range may be any part.
    var isFramed: Bool {
        let isUnstatedPart = head.statusCode == 206 && head.first("content-range") == nil
        return !isUnstatedPart && (expectedLength != nil || head.isMultiplexed || head.isChunked)
    }

    func verdict() throws(DownloadError) -> Verdict {
        switch head.statusCode {
        case 304 where isValidation: return .notModified
        case 206 where part != nil: return try partVerdict()
        case 206 where isBeginning: return try beginningVerdict()
        case let code where isRangeRefusal(code): return .otherPart
        case 206: return try unaskedPartVerdict()
        case 304: throw statusError
        case let code where isValid(code): return try wholeVerdict()
        default: throw statusError
        }
    }

    /// Returns whether a server may have refused the request only because it asked for a range.
    private func isRangeRefusal(_ code: Int) -> Bool {
        isBeginning && [400, 403, 405, 416, 501].contains(code) || part != nil && [412, 416].contains(code)
    }

    /// Returns the verdict on a 206 to a request without a range: it may be the whole body.
    private func unaskedPartVerdict() throws(DownloadError) -> Verdict {
        let range = head.first("content-range")
        guard range == nil || range.flatMap({ ContentRange($0) })?.isWhole == true else { throw statusError }
        return try wholeVerdict()
    }

    private func beginningVerdict() throws(DownloadError) -> Verdict {
        try checkBody()
        guard codings.isEmpty, let range = head.first("content-range").flatMap({ ContentRange($0) }),
            range.first == 0
        else { return .otherPart }
        return try beginning(of: range.total)
    }

    private func beginning(of total: Int?) throws(DownloadError) -> Verdict {
        if let total, total > limits.bytes { throw .response(.tooLarge(limit: limits.bytes)) }
        return .beginning(total: total)
    }

    private func wholeVerdict() throws(DownloadError) -> Verdict {
        let length = expectedLength
        try checkBody()
        // An encoded body cannot be decoded in part.
        if isBeginning, codings.isEmpty { return try beginning(of: length) }
        if let length, length > limits.bytes { throw .response(.tooLarge(limit: limits.bytes)) }
        return .whole(length)
    }

    private func partVerdict() throws(DownloadError) -> Verdict {
        let length = expectedLength
        try checkBody()
        guard codings.isEmpty else { return .otherPart }
        let range = head.first("content-range").flatMap { ContentRange($0) }
        guard let part, let total = part.totalIfContinued(by: range, etag: head.first("etag")),
            length == nil || length == total - part.data.count
        else { return .otherPart }
        if total > limits.bytes { throw .response(.tooLarge(limit: limits.bytes)) }
        return .rest(total: total)
    }

    private func checkBody() throws(DownloadError) {
        // The first bytes of a picture show whether it is really encoded, so only lists are refused here.
        if isDocument, let name = ContentCoding.unknown(in: codings) { throw ContentCoding.unknownError(name) }
        if head.isChunked { return }
        switch head.declaredLength {
        case .none, .bytes: return
        case .malformed: throw .response(.transport(.malformedResponse("its length makes no sense")))
        case .contradictory:
            throw .response(.transport(.malformedResponse("its statements of length contradict each other")))
        }
    }

    private var statusError: DownloadError {
        // A date in `Retry-After` is relative to the server's own clock, which may be wrong.
        let serverTime = head.first("date").flatMap { HTTPDate($0, now: now)?.secondsSince1970 } ?? now
        let delay = head.first("retry-after").flatMap { RetryAfter($0, now: serverTime)?.delay }
        return .response(.invalidHTTPStatusCode(head.statusCode, retryAfter: delay))
    }
}

/// The response headers that are stored with a download.
enum StoredHeaders {
    /// Headers that describe the bytes and their freshness, but no cookies, credentials or server information.
    private static let names = [
        "Content-Type", "Content-Encoding", "Content-Length", "Cache-Control", "Date", "Expires", "Age", "Vary",
    ]

    /// The maximum length of one value in bytes.
    private static let limit = 256

    /// Returns the stored headers, each as one line `Name: value`.
    static func lines(of head: ResponseHead) -> [String] {
        names.compactMap { name in head.first(name.lowercased()).map { "\(name): \(line($0))" } }
    }

    private static func line(_ value: String) -> String {
        let isPlain = value.utf8.count <= limit && value.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        return isPlain ? value : value.prefix(limit).filter { !$0.isNewline }
    }
}
