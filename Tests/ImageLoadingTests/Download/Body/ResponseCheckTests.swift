import NIOHTTP1
import Testing

@testable import ImageLoading

struct ResponseCheckTests {
    private func check(
        _ headers: HTTPHeaders = [:], status: HTTPResponseStatus = .ok, version: HTTPVersion = .http1_1
    ) -> ResponseCheck {
        var limits = DownloadLimits()
        limits.bytes = 1_000
        return ResponseCheck(status: status, version: version, headers: headers, limits: limits, now: 784_111_777)
    }

    @Test(arguments: ["0", "1000", "007"])
    func aLengthWithinTheLimitIsTaken(length: String) throws {
        let check = check(["content-length": length])
        try check.checkHead()
        #expect(check.expectedLength == Int(length))
        #expect(check.isFramed)
    }

    @Test func equalLengthsAreOneLength() throws {
        let check = check(HTTPHeaders([("content-length", "5"), ("Content-Length", "5")]))
        try check.checkHead()
        #expect(check.expectedLength == 5)
    }

    @Test(arguments: ["-1", "+5", "", "12abc", "1e3", "0x10", "5, 6", " "])
    func aLengthThatMakesNoSenseIsMalformed(length: String) {
        #expect {
            try check(["content-length": length]).checkHead()
        } throws: { error in
            guard case .response(.transport(.malformedResponse)) = error as? ImageError else { return false }
            return true
        }
    }

    @Test(arguments: ["1001", "9223372036854775807", "9223372036854775808", "99999999999999999999999999"])
    func aLengthOverTheLimitIsTooLarge(length: String) {
        #expect(throws: ImageError.response(.tooLarge(limit: 1_000))) {
            try check(["content-length": length]).checkHead()
        }
    }

    @Test func withoutLengthAndChunksOnlyHTTP2TellsWhereABodyEnds() {
        #expect(!check().isFramed)
        #expect(!check(version: .http1_0).isFramed)
        #expect(check(version: .http2).isFramed)
        #expect(check(["transfer-encoding": "Chunked"]).isFramed)
        #expect(!check(["transfer-encoding": "chunked, gzip"]).isFramed)
    }

    @Test(arguments: [201, 204, 206, 300, 304, 400, 404, 410, 451, 500, 503])
    func everyStatusBut200IsAnErrorThatCarriesIt(code: Int) {
        let error = #expect(throws: ImageError.self) { try check(status: .init(statusCode: code)).checkHead() }
        #expect(error?.isInvalidResponseStatusCode(code) == true)
        #expect(error?.serverDelay == nil)
    }

    @Test(
        arguments: [
            ("2", Duration.seconds(2)), ("Sun, 06 Nov 1994 08:49:47 GMT", .seconds(10)), ("-1", nil), ("soon", nil),
            ("1e30", nil),
        ] as [(String, Duration?)])
    func theServersWishToWaitIsRead(field: String, delay: Duration?) {
        let error = #expect(throws: ImageError.self) {
            try check(["retry-after": field], status: .serviceUnavailable).checkHead()
        }
        #expect(error?.serverDelay == delay)
    }

    @Test func anEncodingThatWasNotAskedForIsRefused() throws {
        #expect(throws: ImageError.self) { try check(["content-encoding": "gzip"]).checkHead() }
        try check(["content-encoding": "Identity"]).checkHead()
    }
}
