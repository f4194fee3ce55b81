import NIOHTTP1
import Retrying

/// Judges a response by its head.
struct ResponseCheck {
    let status: HTTPResponseStatus
    let version: HTTPVersion
    let headers: HTTPHeaders
    let limits: DownloadLimits
    /// Seconds since 1970, for a `Retry-After` that names a date.
    let now: Int64

    /// The declared length, when there is one; several must agree (RFC 9110, section 8.6).
    var expectedLength: Int? { Set(lengthFields).count == 1 ? lengthFields.first.flatMap(Self.length) : nil }

    /// Whether the protocol itself tells where the body ends.
    var isFramed: Bool { expectedLength != nil || version.major >= 2 || isChunked }

    func checkHead() throws(ImageError) {
        guard status == .ok else {
            let delay = headers.first(name: "retry-after").flatMap { RetryAfter($0, now: now)?.delay }
            throw .response(.invalidHTTPStatusCode(Int(status.code), retryAfter: delay))
        }
        if let encoding = headers.first(name: "content-encoding"), encoding.lowercased() != "identity" {
            throw .response(.transport(.malformedResponse("it is encoded, which was not asked for")))
        }
        guard !headers.contains(name: "content-length") || expectedLength != nil else {
            throw .response(.transport(.malformedResponse("its length makes no sense")))
        }
        if let expectedLength, expectedLength > limits.bytes { throw .response(.tooLarge(limit: limits.bytes)) }
    }

    private var lengthFields: [Substring] { headers[canonicalForm: "content-length"] }

    private var isChunked: Bool {
        headers[canonicalForm: "transfer-encoding"].last.map { $0.lowercased() == "chunked" } ?? false
    }

    /// Digits only; more than an `Int` holds is more than any limit.
    private static func length(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text) ?? .max
    }
}
