import Foundation
import Testing

@testable import ImageLoading

@Suite(.timeLimit(.minutes(1)))
struct ImageErrorTests {
    @Test(arguments: [408, 425, 429, 500, 502, 503, 504, 520, 524])
    func `temporary statuses are retryable`(code: Int) {
        #expect(ImageError.response(.invalidHTTPStatusCode(code, retryAfter: nil)).isRetryable)
    }

    @Test(arguments: [
        ImageError.cancelled, .response(.invalidHTTPStatusCode(404, retryAfter: nil)),
        .response(.invalidHTTPStatusCode(501, retryAfter: .seconds(1))), .response(.notAnImage("HTML")),
        .response(.tooLarge(limit: 1)), .response(.redirect(.toInsecure)), .response(.transport(.tls("x"))),
        .response(.transport(.malformedResponse("x"))), .cache(.cannotStore("x")),
        .processor(.decodingFailed(format: "PNG", "x")), .imageSetting(.emptySource),
    ])
    func `permanent errors are not retryable`(error: ImageError) {
        #expect(!error.isRetryable)
    }

    @Test(arguments: [
        ImageError.response(.timedOut(.idle)), .response(.truncated(received: 1, expected: 2)),
        .response(.transport(.refused)), .response(.transport(.reset)), .response(.transport(.unreachable)),
    ])
    func `temporary errors are retryable`(error: ImageError) {
        #expect(error.isRetryable)
    }

    @Test func `only cancellation counts as a cancel`() {
        #expect(ImageError.cancelled.isTaskCancelled)
        #expect(!ImageError.request(.emptyRequest).isTaskCancelled)
        #expect(ImageError.imageSetting(.notCurrentSourceTask).isNotCurrentTask)
    }

    @Test func `a status error has its number and its reason phrase`() {
        let error = ImageError.response(.invalidHTTPStatusCode(404, retryAfter: nil))
        #expect(error.isInvalidResponseStatusCode(404))
        #expect(!error.isInvalidResponseStatusCode(410))
        #expect(error.title == "404 Not Found")
        #expect(error.code == 2002)
    }

    @Test(arguments: [
        (1, "404 Not Found"), (2, "404 Not Found; its mirror: connection refused"),
        (3, "404 Not Found; the last of 2 mirrors: connection refused"),
    ])
    func `if mirrors fail too, the error of the source itself comes first`(count: Int, title: String) {
        let failures = (0..<count).map { place in
            SourceFailure(
                source: .provider(RawImageDataProvider(data: Data(), cacheKey: "\(place)")),
                error: place == 0
                    ? .response(.invalidHTTPStatusCode(404, retryAfter: nil)) : .response(.transport(.refused)))
        }
        #expect(ImageError.imageSetting(.alternativeSourcesExhausted(failures)).title == title)
    }
}
