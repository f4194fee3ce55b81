import Foundation
import NIOHTTP1
import Testing

@testable import DiskCache
@testable import HTTPDownload
@testable import ImageCodecs
@testable import ImageLoading

@Suite(.timeLimit(.minutes(1)))
struct ResponseCheckTests {
    private func check(
        _ headers: HTTPHeaders = [:], status: HTTPResponseStatus = .ok, version: HTTPVersion = .http1_1
    ) -> ResponseCheck {
        var limits = DownloadLimits()
        limits.bytes = 1_000
        return ResponseCheck(status: status, version: version, headers: headers, limits: limits, now: 784_111_777)
    }

    @Test(arguments: ["0", "1000", "007"])
    func `a length within the limit is taken`(length: String) throws {
        let check = check(["content-length": length])
        _ = try check.verdict()
        #expect(check.expectedLength == Int(length))
        #expect(check.isFramed)
    }

    @Test func `equal lengths are one length`() throws {
        let check = check(HTTPHeaders([("content-length", "5"), ("Content-Length", "5")]))
        _ = try check.verdict()
        #expect(check.expectedLength == 5)
    }

    @Test(
        arguments: [
            ("gzip", [.gzip]), ("X-GZIP", [.gzip]), ("deflate, br", [.deflate, .other("br")]), ("identity", []),
        ] as [(String, [ContentCoding])])
    func `a picture may come compressed, and its first bytes tell whether it does`(
        encoding: String, codings: [ContentCoding]
    ) throws {
        let check = check(["content-encoding": encoding, "content-length": "5"])
        #expect(try check.verdict() == .whole(5))
        #expect(check.codings == codings)
    }

    @Test(
        arguments: [("gzip", [], true), ("deflate", [.deflate], true), ("br", [.other("br")], false)]
            as [(String, [ContentCoding], Bool)])
    func `a list is unpacked where it is read, or refused by its head`(
        encoding: String, codings: [ContentCoding], isTaken: Bool
    ) {
        var check = check(["content-encoding": encoding, "content-length": "5"])
        check.isDocument = true
        #expect(check.codings == codings)
        #expect(((try? check.verdict()) != nil) == isTaken)
    }

    @Test func `the rest of a compressed body is not taken`() throws {
        #expect(try part(["content-range": "bytes 3-9/10", "content-encoding": "gzip"]) == .otherPart)
    }

    @Test(arguments: ["-1", "+5", "", "12abc", "1e3", "0x10", "5, 6", " "])
    func `a length that makes no sense is malformed`(length: String) {
        #expect {
            try check(["content-length": length]).verdict()
        } throws: { error in
            guard case .response(.transport(.malformedResponse)) = error as? DownloadError else { return false }
            return true
        }
    }

    @Test(arguments: ["1001", "9223372036854775807", "9223372036854775808", "99999999999999999999999999"])
    func `a length over the limit is too large`(length: String) {
        #expect(throws: DownloadError.response(.tooLarge(limit: 1_000))) {
            try check(["content-length": length]).verdict()
        }
    }

    @Test func `without length and chunks only HTTP/2 tells where a body ends`() {
        #expect(!check().isFramed)
        #expect(!check(version: .http1_0).isFramed)
        #expect(check(version: .http2).isFramed)
        #expect(check(["transfer-encoding": "Chunked"]).isFramed)
        #expect(!check(["transfer-encoding": "chunked, gzip"]).isFramed)
    }

    @Test(arguments: [201, 204, 206, 300, 304, 400, 404, 410, 451, 500, 503])
    func `every status but 200 and 203 is an error that carries it`(code: Int) {
        let error = #expect(throws: DownloadError.self) { try check(status: .init(statusCode: code)).verdict() }
        #expect(error?.isInvalidResponseStatusCode(code) == true)
        #expect(error?.serverDelay == nil)
    }

    @Test(
        arguments: [
            ("2", Duration.seconds(2)), ("Sun, 06 Nov 1994 08:49:47 GMT", .seconds(10)), ("-1", nil), ("soon", nil),
            ("1e30", nil),
        ] as [(String, Duration?)])
    func `Retry-After is read`(field: String, delay: Duration?) {
        let error = #expect(throws: DownloadError.self) {
            try check(["retry-after": field], status: .serviceUnavailable).verdict()
        }
        #expect(error?.serverDelay == delay)
    }

    @Test func `203 is a success`() throws {
        #expect(try check(["content-length": "5"], status: .nonAuthoritativeInformation).verdict() == .whole(5))
    }

    // MARK: - Parts and validations

    private func part(_ headers: HTTPHeaders, status: Int = 206) throws -> ResponseCheck.Verdict {
        var check = check(headers, status: .init(statusCode: status))
        check.part = BodyPart(data: Data([1, 2, 3]), etag: "\"a\"", total: 10)
        return try check.verdict()
    }

    @Test(
        arguments: [
            ["content-range": "bytes 3-9/10"], ["content-range": "bytes 3-9/10", "etag": "\"a\""],
            ["content-range": "bytes 3-9/*", "content-length": "7"],
        ] as [HTTPHeaders])
    func `the rest of the part is taken`(headers: HTTPHeaders) throws {
        #expect(try part(headers) == .rest(total: 10))
    }

    @Test(
        arguments: [
            [:], ["content-range": "bytes 0-9/10"], ["content-range": "bytes 4-9/10"],
            ["content-range": "bytes 3-8/10"],
            ["content-range": "bytes 3-10/11"], ["content-range": "bytes 3-9/10", "etag": "\"b\""],
            ["content-range": "bytes 3-9/10", "content-length": "10"], ["content-range": "items 3-9/10"],
        ] as [HTTPHeaders])
    func `anything else is another part`(headers: HTTPHeaders) throws {
        #expect(try part(headers) == .otherPart)
    }

    @Test func `who asked for the rest may get it all or hear that there is none`() throws {
        #expect(try part(["content-length": "4"], status: 200) == .whole(4))
        #expect(try part([:], status: 416) == .otherPart)
    }

    @Test func `the rest counts towards the limit`() {
        var check = check(["content-range": "bytes 3-1000/1001"], status: .partialContent)
        check.part = BodyPart(data: Data([1, 2, 3]), etag: "\"a\"", total: nil)
        #expect(throws: DownloadError.response(.tooLarge(limit: 1_000))) { try check.verdict() }
    }

    @Test func `not modified is taken only when it was asked`() throws {
        var check = check(status: .notModified)
        check.isValidation = true
        #expect(try check.verdict() == .notModified)
    }

    @Test func `which status is right may be decided by others`() throws {
        var check = check(["content-length": "5"], status: .notFound)
        check.isValid = { $0 == 404 }
        #expect(try check.verdict() == .whole(5))
        for code in [206, 304] {
            var unasked = self.check(status: .init(statusCode: code))
            unasked.isValid = { _ in true }
            #expect(throws: DownloadError.self) { try unasked.verdict() }
        }
    }
}
