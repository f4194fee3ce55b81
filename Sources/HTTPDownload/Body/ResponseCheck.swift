import NIOHTTP1
import Retrying

/// Judges a response by its head.
struct ResponseCheck {
    /// What to do with a response that is in order.
    enum Verdict: Hashable {
        /// A whole body of this length, where it is said.
        case whole(Int?)
        /// The rest of the part that was there, to this length of all.
        case rest(total: Int)
        /// Not the rest that was asked for: nothing of it may be used.
        case otherPart
        /// What is known already still holds.
        case notModified
    }

    let status: HTTPResponseStatus
    let version: HTTPVersion
    let headers: HTTPHeaders
    let limits: DownloadLimits
    /// Seconds since 1970, for a `Retry-After` that names a date.
    let now: Int64
    /// The part whose rest was asked for.
    var part: BodyPart?
    /// Whether it was asked if anything has changed.
    var isValidation = false
    /// Whether it is a list, which is unpacked while it is read, whatever the head says of it.
    var isDocument = false
    /// Which other statuses carry the body.
    var isValid: (Int) -> Bool = { [200, 203].contains($0) }

    /// The declared length, when there is one; several must agree (RFC 9110, section 8.6).
    var expectedLength: Int? {
        // As nearly all have it; the canonical form takes fifty times as long.
        let fields = headers["content-length"]
        if fields.count == 1, let length = Self.length(fields[0]) { return length }
        let values = Set(headers[canonicalForm: "content-length"])
        return values.count == 1 ? values.first.flatMap { Self.length($0) } : nil
    }

    /// The content codings to remove from the body.
    var codings: [ContentCoding] {
        let codings = ContentCoding.applied(headers)
        return isDocument && codings == [.gzip] ? [] : codings
    }

    /// Whether the protocol itself tells where the body ends.
    var isFramed: Bool { expectedLength != nil || version.major >= 2 || isChunked }

    func verdict() throws(DownloadError) -> Verdict {
        switch Int(status.code) {
        case 304 where isValidation: return .notModified
        case 206 where part != nil: return try partVerdict()
        case 416 where part != nil: return .otherPart
        case 206, 304: throw statusError
        case let code where isValid(code): return try wholeVerdict()
        default: throw statusError
        }
    }

    private func wholeVerdict() throws(DownloadError) -> Verdict {
        let length = expectedLength
        try checkBody(of: length)
        if let length, length > limits.bytes { throw .response(.tooLarge(limit: limits.bytes)) }
        return .whole(length)
    }

    private func partVerdict() throws(DownloadError) -> Verdict {
        let length = expectedLength
        try checkBody(of: length)
        guard codings.isEmpty else { return .otherPart }
        let range = headers.first(name: "content-range").flatMap { ContentRange($0) }
        guard let part, let total = part.totalIfContinued(by: range, etag: headers.first(name: "etag")),
            length == nil || length == total - part.data.count
        else { return .otherPart }
        if total > limits.bytes { throw .response(.tooLarge(limit: limits.bytes)) }
        return .rest(total: total)
    }

    private func checkBody(of length: Int?) throws(DownloadError) {
        // A picture shows by its first bytes whether it is encoded as its server says.
        if isDocument, let name = ContentCoding.unknown(in: codings) { throw ContentCoding.unknownError(name) }
        guard length != nil || !headers.contains(name: "content-length") else {
            throw .response(.transport(.malformedResponse("its length makes no sense")))
        }
    }

    private var statusError: DownloadError {
        let delay = headers.first(name: "retry-after").flatMap { RetryAfter($0, now: now)?.delay }
        return .response(.invalidHTTPStatusCode(Int(status.code), retryAfter: delay))
    }

    private var isChunked: Bool {
        headers[canonicalForm: "transfer-encoding"].last.map { $0.lowercased() == "chunked" } ?? false
    }

    /// Digits only; more than an `Int` holds is more than any limit.
    private static func length(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text) ?? .max
    }
}
