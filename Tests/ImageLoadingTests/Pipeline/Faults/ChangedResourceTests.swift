import FaultServer
import Foundation
import ImageTestSupport
import TestSupport
import Testing

@testable import ImageLoading

/// A picture that changes between a broken transfer and its next attempt is never put together of both: row H30.
@Suite(.timeLimit(.minutes(1))) struct ChangedResourceTests {
    private let old: [UInt8]
    private let new: [UInt8]
    private let cut = 200

    init() throws {
        new = Array(try Pictures.png(width: 40, height: 30))
        // As long as the new one, and other in what is sent of it.
        old = new.enumerated().map { $0.offset == 150 ? ~$0.element : $0.element }
    }

    private func broken(etag: String?) -> FaultScript {
        let tag = etag.map { [("ETag", $0)] } ?? []
        let head = FaultScript.head(200, [("Content-Length", "\(old.count)"), ("Accept-Ranges", "bytes")] + tag)
        return FaultScript([.send(head), .send(Array(old.prefix(cut))), .close])
    }

    private func rest(etag: String?) -> FaultScript {
        .partial(
            Array(new.dropFirst(cut)), range: "bytes \(cut)-\(new.count - 1)/\(new.count)", validator: etag)
    }

    private func whole(etag: String?) -> FaultScript {
        .respond(headers: etag.map { [("ETag", $0)] } ?? [], body: new)
    }

    @Test(arguments: ["\"1\"", "W/\"1\"", nil], ["\"2\"", "W/\"1\"", "W/\"2\"", nil])
    func `a server that sends the whole new picture replaces the part`(before: String?, after: String?) async throws {
        try await PipelineStage.play(["/x": [broken(etag: before), whole(etag: after)]]) { stage in
            #expect(await stage.load().error == nil)
            #expect(await stage.stored() == Data(new))
            let isStrong = before == "\"1\""
            #expect(await stage.server.requests.last?.values(of: "If-Range") == (isStrong ? ["\"1\""] : []))
            #expect(await stage.server.requests.last?.values(of: "Range") == (isStrong ? ["bytes=\(cut)-"] : []))
        }
    }

    @Test(arguments: ["\"2\"", "W/\"1\"", "W/\"2\""])
    func `a server that sends the rest of another picture is asked for the whole`(after: String) async throws {
        try await PipelineStage.play(["/x": [broken(etag: "\"1\""), rest(etag: after), whole(etag: after)]]) { stage in
            #expect(await stage.load().error == nil)
            #expect(await stage.stored() == Data(new))
            #expect(await stage.server.requests.map { $0.values(of: "Range").isEmpty } == [true, false, true])
        }
    }

    @Test func `a rest with wrong bytes under the same tag causes one request for the whole`() async throws {
        let wrong = FaultScript.partial(
            [UInt8](repeating: 0, count: old.count - cut), range: "bytes \(cut)-\(old.count - 1)/\(old.count)",
            validator: "\"1\"")
        try await PipelineStage.play(["/x": [broken(etag: "\"1\""), wrong, whole(etag: "\"1\"")]]) { stage in
            #expect(await stage.load().error == nil)
            #expect(await stage.stored() == Data(new))
            #expect(await stage.server.requests.map { $0.values(of: "Range").isEmpty } == [true, false, true])
        }
    }

    @Test(arguments: ["W/\"1\"", nil])
    func `an unrequested part without a strong tag is an error`(
        before: String?
    ) async throws {
        try await PipelineStage.play(["/x": [broken(etag: before), rest(etag: nil)]]) { stage in
            #expect(await stage.load().error?.isInvalidResponseStatusCode(206) == true)
            #expect(stage.contents == [])
        }
    }
}
