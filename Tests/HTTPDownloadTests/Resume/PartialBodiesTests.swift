import Foundation
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

@Suite(.timeLimit(.minutes(1)))
struct PartialBodiesTests {
    private let url: URL

    init() throws { url = try #require(URL(string: "http://h/a")) }

    private func part(_ count: Int = 3, total: Int? = 10, etag: String? = "\"1\"", date: String? = nil) -> BodyPart? {
        BodyPart(
            data: Data(repeating: 1, count: count), validators: Validators(etag: etag, lastModified: date), url: url,
            total: total)
    }

    private func key(_ path: String = "/a", _ headers: [HeaderField] = []) throws -> PartialBodies.Key {
        let url = try #require(URL(string: "http://h" + path))
        return try #require(PartialBodies.Key(DownloadRequest(url: url, headers: headers)))
    }

    private func head(_ status: Int = 200, _ fields: [(String, String)]) -> ResponseHead {
        ResponseHead(
            statusCode: status, version: "HTTP/1.1", fields: fields.map { HeaderField(name: $0.0, value: $0.1) })
    }

    // MARK: - The store

    @Test func `a part can be taken once`() throws {
        var parts = PartialBodies(limit: 100)
        #expect(parts.remove(try key()) == nil)
        parts.store(try #require(part()), for: try key())
        #expect(parts.bytes == 3)
        #expect(parts.remove(try key())?.data.count == 3)
        #expect(parts.remove(try key()) == nil)
        #expect(parts.bytes == 0)
    }

    @Test func `a newer part replaces the earlier one of its request`() throws {
        var parts = PartialBodies(limit: 100)
        parts.store(try #require(part(9)), for: try key())
        parts.store(try #require(part(4)), for: try key())
        #expect(parts.bytes == 4)
        #expect(parts.remove(try key())?.data.count == 4)
        #expect(parts.remove(try key()) == nil)
    }

    @Test func `the oldest parts are removed above the limit`() throws {
        var parts = PartialBodies(limit: 10)
        for path in ["/a", "/b", "/c"] { parts.store(try #require(part(3)), for: try key(path)) }
        // A part that was taken and comes back is the newest.
        let first = try #require(parts.remove(try key("/a")))
        parts.store(first, for: try key("/a"))
        parts.store(try #require(part(4)), for: try key("/d"))
        #expect(parts.bytes == 10)
        #expect(parts.remove(try key("/b")) == nil)
        for path in ["/c", "/a", "/d"] { #expect(parts.remove(try key(path)) != nil) }
    }

    @Test(arguments: [0, 2])
    func `a part that alone exceeds the limit is not stored and removes no other`(limit: Int) throws {
        var parts = PartialBodies(limit: limit)
        if limit > 0 { parts.store(try #require(part(2)), for: try key("/a")) }
        parts.store(try #require(part(3)), for: try key("/b"))
        #expect(parts.bytes == limit)
        #expect(parts.remove(try key("/b")) == nil)
    }

    @Test func `the number of parts is limited`() throws {
        var parts = PartialBodies(limit: 1_000_000)
        for number in 0...PartialBodies.countLimit { parts.store(try #require(part(1)), for: try key("/\(number)")) }
        #expect(parts.bytes == PartialBodies.countLimit)
        #expect(parts.remove(try key("/0")) == nil)
        #expect(parts.remove(try key("/1")) != nil)
    }

    @Test func `no part is left after all are removed`() throws {
        var parts = PartialBodies(limit: 100)
        parts.store(try #require(part()), for: try key())
        parts.removeAll()
        #expect(parts.bytes == 0)
        #expect(parts.remove(try key()) == nil)
    }

    @Test func `requests with other fields have another key`() throws {
        let user = HeaderField(name: "Authorization", value: "Bearer 1")
        #expect(try key("/a", [user]) == key("/a", [HeaderField(name: "authorization", value: "Bearer 1")]))
        #expect(try key("/a", [user]) != key("/a", [HeaderField(name: "Authorization", value: "Bearer 2")]))
        #expect(try key("/a", [user]) != key("/a"))
        #expect(try key("/a?b") != key("/a?c"))
    }

    @Test func `a request for the beginning of a body has no key`() {
        var request = DownloadRequest(url: url)
        request.firstBytes = 10
        #expect(PartialBodies.Key(request) == nil)
    }

    // MARK: - The parts

    @Test func `a part that cannot be resumed is not kept`() {
        #expect(part(0) == nil)
        #expect(part(etag: nil) == nil)
        #expect(part(3, total: 3) == nil)
        #expect(part(3, total: 2) == nil)
    }

    @Test func `the rest is requested with Range and If-Range`() throws {
        let tagged = try #require(part(total: nil))
        #expect(tagged.conditions.map(\.name) == ["range", "if-range"])
        #expect(tagged.conditions.map(\.value) == ["bytes=3-", "\"1\""])
        let dated = try #require(part(etag: nil, date: "then"))
        #expect(dated.conditions.map(\.value) == ["bytes=3-", "then"])
    }

    @Test func `the total length may come from either side but must agree`() throws {
        let known = try #require(part(total: 10))
        let unknown = try #require(part(total: nil))
        #expect(known.totalIfContinued(by: ContentRange("bytes 3-9/*"), of: nil) == 10)
        #expect(unknown.totalIfContinued(by: ContentRange("bytes 3-9/10"), of: nil) == 10)
        #expect(unknown.totalIfContinued(by: ContentRange("bytes 3-9/*"), of: nil) == nil)
        #expect(known.totalIfContinued(by: ContentRange("bytes 3-10/11"), of: nil) == nil)
    }

    @Test(arguments: [
        (nil, nil, true), (nil, "then", true), (nil, "later", false), ("\"1\"", "then", false),
        ("W/\"1\"", "then", false),
    ])
    func `a dated part continues only with its date`(etag: String?, date: String?, isSame: Bool) throws {
        let dated = try #require(part(etag: nil, date: "then"))
        let total = dated.totalIfContinued(
            by: ContentRange("bytes 3-9/10"), of: Validators(etag: etag, lastModified: date))
        #expect((total == 10) == isSame)
    }

    @Test func `a dated part continues only at the address that sent it`() throws {
        let other = try #require(URL(string: "http://h/b"))
        let (tagged, dated) = (try #require(part()), try #require(part(etag: nil, date: "then")))
        #expect(tagged.canContinue(at: other))
        #expect(dated.canContinue(at: url))
        #expect(!dated.canContinue(at: other))
    }

    // MARK: - The validators of a response

    private static let modified = "Wed, 01 Jan 2025 00:00:00 GMT"

    @Test(arguments: [
        ("Wed, 01 Jan 2025 00:01:00 GMT", true), ("Thu, 02 Jan 2025 00:00:00 GMT", true),
        ("Wed, 01 Jan 2025 00:00:59 GMT", false), ("Wed, 01 Jan 2025 00:00:00 GMT", false),
        ("Tue, 31 Dec 2024 00:00:00 GMT", false), ("today", false), (nil, false),
    ])
    func `a date is a validator only if the body was sent a minute later`(sent: String?, isStrong: Bool) {
        let dates = [("last-modified", Self.modified)] + (sent.map { [("date", $0)] } ?? [])
        let validators = head(200, [("accept-ranges", "bytes")] + dates).rangeValidators(now: 1_800_000_000)
        #expect(validators?.lastModified == (isStrong ? Self.modified : nil))
    }

    @Test(arguments: [("\"1\"", "\"1\""), ("W/\"1\"", nil), ("1", nil)])
    func `a date is not used beside an ETag`(etag: String, used: String?) {
        let fields = [
            ("accept-ranges", "bytes"), ("etag", etag), ("last-modified", Self.modified),
            ("date", "Thu, 02 Jan 2025 00:00:00 GMT"),
        ]
        let validators = head(200, fields).rangeValidators(now: 1_800_000_000)
        #expect(validators?.etag == used)
        #expect(validators?.lastModified == nil)
    }

    @Test(arguments: [
        (200, "bytes", true), (200, "Bytes", true), (200, "none", false), (200, nil, false), (206, nil, true),
        (203, "bytes", false), (404, "bytes", false),
    ])
    func `only servers that offer ranges are asked for the rest`(status: Int, ranges: String?, isOffered: Bool) {
        let fields = [("etag", "\"1\"")] + (ranges.map { [("accept-ranges", $0)] } ?? [])
        #expect((head(status, fields).rangeValidators(now: 0) != nil) == isOffered)
    }
}
