import AsyncHTTPClient
import Foundation
import NIOHTTP1
import Retrying

/// Judges a response by its head.
struct ResponseCheck {
    let response: HTTPClientResponse
    let limits: DownloadLimits

    /// The declared length, when there is one.
    var expectedLength: Int? { response.headers.first(name: "content-length").flatMap { Int($0) } }

    /// Whether the protocol itself tells where the body ends.
    var isFramed: Bool {
        expectedLength != nil || response.version.major >= 2
            || response.headers[canonicalForm: "transfer-encoding"].contains { $0.lowercased() == "chunked" }
    }

    func checkHead() throws(ImageError) {
        guard response.status == .ok else {
            let seconds = response.headers.first(name: "retry-after").flatMap { RetryAfterHeader.delay($0) }
            throw .response(.invalidHTTPStatusCode(Int(response.status.code), retryAfter: seconds))
        }
        if let encoding = response.headers.first(name: "content-encoding"), encoding.lowercased() != "identity" {
            throw .response(.transport(.malformedResponse("it is encoded, which was not asked for")))
        }
        if let expectedLength, expectedLength > limits.bytes { throw .response(.tooLarge(limit: limits.bytes)) }
    }
}
