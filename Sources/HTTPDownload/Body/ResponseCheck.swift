import NIOHTTP1
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

    let status: HTTPResponseStatus
    let version: HTTPVersion
    let headers: HTTPHeaders
    let limits: DownloadLimits
    /// The current time in seconds since 1970, for a `Retry-After` that contains a date.
    let now: Int64
    /// The partial body whose rest was requested.
    var part: BodyPart?
    /// Whether the request sent validators.
    var isValidation = false
    /// Whether only the beginning of the body is wanted.
    var isBeginning = false
    /// Whether the body is a list, which is decompressed while it is read, whatever its head declares.
    var isDocument = false
    /// A function that returns whether another status carries a body to use.
    var isValid: (Int) -> Bool = { [200, 203].contains($0) }

    /// The declared length in bytes; nil if there is none or repeated values differ (RFC 9110, section 8.6).
    var expectedLength: Int? {
        // The fast path for the usual single value: the canonical form takes fifty times as long.
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

    /// Whether the protocol itself marks the end of the body.
    var isFramed: Bool { expectedLength != nil || version.major >= 2 || isChunked }

    func verdict() throws(DownloadError) -> Verdict {
        switch Int(status.code) {
        case 304 where isValidation: return .notModified
        case 206 where part != nil: return try partVerdict()
        case 206 where isBeginning: return try beginningVerdict()
        case 416 where isBeginning: return .otherPart
        case 416 where part != nil: return .otherPart
        case 206, 304: throw statusError
        case let code where isValid(code): return try wholeVerdict()
        default: throw statusError
        }
    }

    private func beginningVerdict() throws(DownloadError) -> Verdict {
        try checkBody(of: expectedLength)
        guard codings.isEmpty, let range = headers.first(name: "content-range").flatMap({ ContentRange($0) }),
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
        try checkBody(of: length)
        // An encoded body cannot be decoded in part.
        if isBeginning, codings.isEmpty { return try beginning(of: length) }
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
        // The first bytes of a picture show whether it is really encoded, so only lists are refused here.
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

    /// Parses a number of digits only; a number that overflows becomes `Int.max`, which exceeds any limit.
    private static func length(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text) ?? .max
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
    static func lines(of headers: HTTPHeaders) -> [String] {
        names.compactMap { name in headers.first(name: name).map { "\(name): \(line($0))" } }
    }

    private static func line(_ value: String) -> String {
        let isPlain = value.utf8.count <= limit && value.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        return isPlain ? value : value.prefix(limit).filter { !$0.isNewline }
    }
}
