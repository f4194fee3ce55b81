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
    var request: DownloadRequest
    let limits: DownloadLimits
    /// The current time in seconds since 1970, for a `Retry-After` that contains a date.
    let now: Int64
    /// The partial body whose rest was requested.
    var part: BodyPart?
    /// Returns whether a status other than 206 and 304 carries a usable body.
    var isValid: (Int) -> Bool = { DownloadResponse.pictureStatusCodes.contains($0) }

    /// The declared length in bytes; nil if there is none or repeated values differ (RFC 9110, section 8.6).
    var expectedLength: Int? {
        // A chunked body has its own length (RFC 9112, section 6.3).
        if case .bytes(let length) = head.declaredLength, !head.isChunked { length } else { nil }
    }

    /// The content codings to remove from the body; a list is decompressed later, while it is read.
    var codings: [ContentCoding] {
        let codings = ContentCoding.applied(head)
        return request.isDocument && codings == [.gzip] ? [] : codings
    }

    /// Whether the protocol itself marks the end of the body.
    ///
    /// A 206 that does not state its range may be any part.
    var isFramed: Bool {
        let isUnstatedPart = head.statusCode == 206 && head.first("content-range") == nil
        return !isUnstatedPart && (expectedLength != nil || head.isMultiplexed || head.isChunked)
    }

    func verdict() throws(DownloadError) -> Verdict {
        let isBeginning = request.firstBytes != nil
        let (code, field) = (head.statusCode, head.first("content-range"))
        let range = field.flatMap { ContentRange($0) }
        if code == 304, request.validators != nil { return .notModified }
        if isRangeRefusal(code) { return .otherPart }
        // A 206 to a request without a range may be the whole body.
        let isWhole = field == nil || range?.isWhole == true
        let isUsable = code == 206 ? part != nil || isBeginning || isWhole : code != 304 && isValid(code)
        guard isUsable else { throw statusError }
        try checkBody()
        if code == 206, let part {
            let version = Validators(etag: head.first("etag"), lastModified: head.first("last-modified"))
            guard codings.isEmpty, let total = part.totalIfContinued(by: range, of: version),
                expectedLength == nil || expectedLength == total - part.data.count
            else { return .otherPart }
            try checkSize(total)
            return .rest(total: total)
        }
        if code == 206, isBeginning, !codings.isEmpty || range?.first != 0 { return .otherPart }
        let length = code == 206 && isBeginning ? range?.total : expectedLength
        try checkSize(length)
        // An encoded body cannot be decoded in part.
        return isBeginning && codings.isEmpty ? .beginning(total: length) : .whole(length)
    }

    /// Returns whether a server may have refused the request only because it asked for a range.
    private func isRangeRefusal(_ code: Int) -> Bool {
        request.firstBytes != nil && [400, 403, 405, 416, 501].contains(code)
            || part != nil && [412, 416].contains(code)
    }

    private func checkSize(_ length: Int?) throws(DownloadError) {
        if let length, length > limits.bytes { throw .response(.tooLarge(limit: limits.bytes)) }
    }

    private func checkBody() throws(DownloadError) {
        // The first bytes of a picture show whether it is really encoded, so only lists are refused here.
        if request.isDocument, let error = ContentCoding.error(of: codings) { throw error }
        if !head.isChunked, case .invalid(let why) = head.declaredLength {
            throw .response(.transport(.malformedResponse(why)))
        }
    }

    private var statusError: DownloadError {
        // A date in `Retry-After` is relative to the server's own clock, which may be wrong.
        let serverTime = head.first("date").flatMap { HTTPDate($0, now: now)?.secondsSince1970 } ?? now
        let delay = head.first("retry-after").flatMap { RetryAfter($0, now: serverTime)?.delay }
        return .response(.invalidHTTPStatusCode(head.statusCode, retryAfter: delay))
    }
}

extension ResponseHead {
    /// The headers that describe the bytes and their freshness, but no cookies, credentials or server information.
    private static let storedNames = [
        "Content-Type", "Content-Encoding", "Content-Length", "Cache-Control", "Date", "Expires", "Age", "Vary",
    ]

    /// The headers that are stored with a download, each as one line `Name: value` of at most 256 bytes of a value.
    var storedLines: [String] {
        Self.storedNames.compactMap { name in
            guard let value = first(name.lowercased()) else { return nil }
            let isPlain = value.utf8.count <= 256 && value.utf8.allSatisfy { (0x20...0x7E).contains($0) }
            return "\(name): \(isPlain ? value : value.prefix(256).filter { !$0.isNewline })"
        }
    }
}
