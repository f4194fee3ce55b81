import Foundation
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

@Suite(.timeLimit(.minutes(1)))
struct PartialBodyTests {
    private let bytes = Data([1, 2, 3])

    @Test func `a part can be taken once`() {
        let partial = PartialBody()
        #expect(partial.removeAll() == nil)
        partial.keep(BodyPart(data: bytes, etag: "\"1\"", total: 10))
        #expect(partial.count == 3)
        #expect(partial.removeAll()?.data == bytes)
        #expect(partial.removeAll() == nil)
        #expect(partial.count == 0)
    }

    @Test(
        arguments: [
            (Data(), "\"1\"", 10), (Data([1, 2, 3]), "W/\"1\"", 10), (Data([1, 2, 3]), nil, 10),
            (Data([1, 2, 3]), "\"1\"", 3), (Data([1, 2, 3]), "\"1\"", 2),
        ] as [(Data, String?, Int)])
    func `a part that cannot be resumed is not kept`(data: Data, etag: String?, total: Int) {
        #expect(BodyPart(data: data, etag: etag, total: total) == nil)
    }

    @Test func `the rest is requested with Range and If-Range`() throws {
        let part = try #require(BodyPart(data: bytes, etag: "\"1\"", total: nil))
        #expect(part.conditions.map(\.name) == ["range", "if-range"])
        #expect(part.conditions.map(\.value) == ["bytes=3-", "\"1\""])
    }

    @Test func `the total length may come from either side but must agree`() throws {
        let known = try #require(BodyPart(data: bytes, etag: "\"1\"", total: 10))
        let unknown = try #require(BodyPart(data: bytes, etag: "\"1\"", total: nil))
        #expect(known.totalIfContinued(by: ContentRange("bytes 3-9/*"), etag: nil) == 10)
        #expect(unknown.totalIfContinued(by: ContentRange("bytes 3-9/10"), etag: nil) == 10)
        #expect(unknown.totalIfContinued(by: ContentRange("bytes 3-9/*"), etag: nil) == nil)
        #expect(known.totalIfContinued(by: ContentRange("bytes 3-10/11"), etag: nil) == nil)
    }
}
