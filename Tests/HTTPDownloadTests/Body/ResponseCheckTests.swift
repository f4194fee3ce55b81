import Foundation
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

@Suite(.timeLimit(.minutes(1)))
struct ResponseCheckTests {
    private func check(
        _ headers: KeyValuePairs<String, String> = [:], status: Int = 200, version: String = "HTTP/1.1"
    ) -> ResponseCheck {
        let request = DownloadRequest(url: URL(filePath: "/x"))
        let fields = headers.map { HeaderField(name: $0.key, value: $0.value) }
        var limits = DownloadLimits()
        limits.bytes = 1_000
        return ResponseCheck(
            head: ResponseHead(statusCode: status, version: version, fields: fields), request: request, limits: limits,
            now: 784_111_777)
    }

    @Test(arguments: ["0", "1000", "007"])
    func `a length within the limit is accepted`(length: String) throws {
        let check = check(["content-length": length])
        _ = try check.verdict()
        #expect(check.expectedLength == Int(length))
        #expect(check.isFramed)
    }

    @Test func `repeated equal lengths are accepted`() throws {
        let check = check(["content-length": "5", "Content-Length": "5"])
        _ = try check.verdict()
        #expect(check.expectedLength == 5)
    }

    @Test(
        arguments: [
            ("gzip", [.gzip]), ("X-GZIP", [.gzip]), ("deflate, br", [.deflate, .brotli]), ("zstd", [.zstd]),
            ("compress", [.other("compress")]), ("identity", []),
        ] as [(String, [ContentCoding])])
    func `a picture may have a content coding`(
        encoding: String, codings: [ContentCoding]
    ) throws {
        let check = check(["content-encoding": encoding, "content-length": "5"])
        #expect(try check.verdict() == .whole(5))
        #expect(check.codings == codings)
    }

    @Test(
        arguments: [
            ("gzip", [], true), ("deflate", [.deflate], true), ("br", [.brotli], true),
            ("compress", [.other("compress")], false),
        ]
            as [(String, [ContentCoding], Bool)])
    func `a list may have a supported content coding, others are refused`(
        encoding: String, codings: [ContentCoding], isTaken: Bool
    ) {
        var check = check(["content-encoding": encoding, "content-length": "5"])
        check.request.isDocument = true
        #expect(check.codings == codings)
        #expect(((try? check.verdict()) != nil) == isTaken)
    }

    @Test func `a partial response with a content coding is not used`() throws {
        #expect(try part(["content-range": "bytes 3-9/10", "content-encoding": "gzip"]) == .otherPart)
    }

    @Test(arguments: ["-1", "+5", "", "12abc", "1e3", "0x10", "5, 6", " "])
    func `an invalid length is malformed`(length: String) {
        #expect {
            try check(["content-length": length]).verdict()
        } throws: { error in
            guard case .response(.transport(.malformedResponse)) = error as? DownloadError else { return false }
            return true
        }
    }

    @Test(arguments: ["1001", "9223372036854775807", "9223372036854775808", "99999999999999999999999999"])
    func `a length above the limit is too large`(length: String) {
        #expect(throws: DownloadError.response(.tooLarge(limit: 1_000))) {
            try check(["content-length": length]).verdict()
        }
    }

    @Test func `a body without length is framed only by chunks or HTTP/2`() {
        #expect(!check().isFramed)
        #expect(!check(version: "HTTP/1.0").isFramed)
        #expect(check(version: "HTTP/2").isFramed)
        #expect(check(["transfer-encoding": "Chunked"]).isFramed)
        #expect(!check(["transfer-encoding": "chunked, gzip"]).isFramed)
    }

    @Test(arguments: [202, 204, 205, 299, 300, 304, 400, 404, 410, 451, 500, 503])
    func `every other status is an error that carries it`(code: Int) {
        let error = #expect(throws: DownloadError.self) { try check(status: code).verdict() }
        #expect(error?.isInvalidResponseStatusCode(code) == true)
        #expect(error?.serverDelay == nil)
    }

    @Test(
        arguments: [
            ("2", Duration.seconds(2)), ("Sun, 06 Nov 1994 08:49:47 GMT", .seconds(10)), ("-1", nil), ("soon", nil),
            ("1e30", nil), ("1.5", .milliseconds(1_500)), ("Sun, 06 Nov 1994 08:49:47 +0000", .seconds(10)),
        ] as [(String, Duration?)])
    func `Retry-After is read`(field: String, delay: Duration?) {
        let error = #expect(throws: DownloadError.self) {
            try check(["retry-after": field], status: 503).verdict()
        }
        #expect(error?.serverDelay == delay)
    }

    @Test func `a Retry-After date is compared with the server's own clock`() {
        let error = #expect(throws: DownloadError.self) {
            // The server's clock is two hours behind.
            try check(
                ["retry-after": "Sun, 06 Nov 1994 06:49:47 GMT", "date": "Sun, 06 Nov 1994 06:49:37 GMT"], status: 429
            ).verdict()
        }
        #expect(error?.serverDelay == .seconds(10))
    }

    @Test(arguments: [200, 201, 203, 226])
    func `success statuses with a body are accepted`(code: Int) throws {
        #expect(try check(["content-length": "5"], status: code).verdict() == .whole(5))
    }

    @Test func `an unrequested 206 is accepted if its range is whole or missing`() throws {
        let whole = check(["content-length": "5", "content-range": "bytes 0-4/5"], status: 206)
        #expect(try whole.verdict() == .whole(5))
        #expect(try check(["content-length": "5"], status: 206).verdict() == .whole(5))
        #expect(whole.isFramed)
        #expect(!check(["content-length": "5"], status: 206).isFramed)
        for range in ["bytes 0-4/9", "bytes 1-5/6", "bytes 0-4/*", "nonsense"] {
            #expect(throws: DownloadError.response(.invalidHTTPStatusCode(206, retryAfter: nil))) {
                try check(["content-length": "5", "content-range": range], status: 206).verdict()
            }
        }
    }

    @Test(arguments: [400, 403, 405, 416, 501])
    func `a refused range request is repeated without the range`(code: Int) throws {
        var check = check(status: code)
        #expect(throws: DownloadError.self) { try check.verdict() }
        check.request.firstBytes = 1
        #expect(try check.verdict() == .otherPart)
    }

    @Test func `chunked encoding overrides a stated length`() throws {
        let check = check(["content-length": "5000", "transfer-encoding": "chunked"])
        #expect(try check.verdict() == .whole(nil))
        #expect(check.isFramed)
    }

    // MARK: - Parts and validations

    private func part(_ headers: KeyValuePairs<String, String>, status: Int = 206) throws -> ResponseCheck.Verdict {
        var check = check(headers, status: status)
        check.part = BodyPart(
            data: Data([1, 2, 3]), validators: Validators(etag: "\"a\"", lastModified: nil), url: check.request.url,
            total: 10)
        return try check.verdict()
    }

    @Test(
        arguments: [
            ["content-range": "bytes 3-9/10"], ["content-range": "bytes 3-9/10", "etag": "\"a\""],
            ["content-range": "bytes 3-9/*", "content-length": "7"],
        ] as [KeyValuePairs<String, String>])
    func `a matching rest of the part is accepted`(headers: KeyValuePairs<String, String>) throws {
        #expect(try part(headers) == .rest(total: 10))
    }

    @Test(
        arguments: [
            [:], ["content-range": "bytes 0-9/10"], ["content-range": "bytes 4-9/10"],
            ["content-range": "bytes 3-8/10"],
            ["content-range": "bytes 3-10/11"], ["content-range": "bytes 3-9/10", "etag": "\"b\""],
            ["content-range": "bytes 3-9/10", "content-length": "10"], ["content-range": "items 3-9/10"],
        ] as [KeyValuePairs<String, String>])
    func `a response that does not match the part is another part`(headers: KeyValuePairs<String, String>) throws {
        #expect(try part(headers) == .otherPart)
    }

    @Test func `a request for the rest may get the whole body, 412 or 416`() throws {
        #expect(try part(["content-length": "4"], status: 200) == .whole(4))
        #expect(try part([:], status: 416) == .otherPart)
        #expect(try part([:], status: 412) == .otherPart)
    }

    @Test func `the rest counts towards the limit`() {
        var check = check(["content-range": "bytes 3-1000/1001"], status: 206)
        check.part = BodyPart(
            data: Data([1, 2, 3]), validators: Validators(etag: "\"a\"", lastModified: nil), url: check.request.url,
            total: nil)
        #expect(throws: DownloadError.response(.tooLarge(limit: 1_000))) { try check.verdict() }
    }

    @Test func `a 304 is accepted only for a validation request`() throws {
        var check = check(status: 304)
        check.request.validators = Validators(etag: "a", lastModified: nil)
        #expect(try check.verdict() == .notModified)
    }

    @Test func `a custom status check may accept 404 but no unrequested 304`() throws {
        var check = check(["content-length": "5"], status: 404)
        check.isValid = { $0 == 404 }
        #expect(try check.verdict() == .whole(5))
        var unasked = self.check(status: 304)
        unasked.isValid = { _ in true }
        #expect(throws: DownloadError.self) { try unasked.verdict() }
    }
}
