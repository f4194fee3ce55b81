import FaultServer
import Foundation
import ImageTestSupport
import TestSupport
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

/// Asking whether what is known still holds.
@Suite(.timeLimit(.minutes(1))) struct ValidationTests {
    private let picture: [UInt8]

    init() throws { picture = Array(try Pictures.png()) }

    @Test func `a 304 renews the validators without a body`() async throws {
        let script = FaultScript.respond(304, headers: [("ETag", "\"1\""), ("Last-Modified", "now")])
        try await DownloadStage.play(["/x": [script]]) { stage in
            let download = try await stage.download {
                $0.validators = Validators(etag: "\"1\"", lastModified: "then")
            }.get()
            #expect(download.isNotModified)
            #expect(download.data.isEmpty)
            #expect(download.lastModified == "now")
            let sent = try #require(await stage.server.requests.first)
            #expect(sent.values(of: "if-none-match") == ["\"1\""])
            #expect(sent.values(of: "if-modified-since") == ["then"])
        }
    }

    @Test func `validators missing in a 304 are kept`() async throws {
        try await DownloadStage.play(["/x": [.respond(304)]]) { stage in
            let download = try await stage.download {
                $0.validators = Validators(etag: "\"1\"", lastModified: "then")
            }.get()
            #expect(download.etag == "\"1\"")
            #expect(download.lastModified == "then")
        }
    }

    @Test func `a changed picture is returned with its body`() async throws {
        try await DownloadStage.play(["/x": [.respond(headers: [("ETag", "\"2\"")], body: picture)]]) { stage in
            let download = try await stage.download { $0.validators = Validators(etag: "\"1\"", lastModified: nil) }
                .get()
            #expect(!download.isNotModified)
            #expect(download.data == Data(picture))
            #expect(download.etag == "\"2\"")
        }
    }

    @Test func `a validated 304 with a target is not a redirect`() async throws {
        try await DownloadStage.play(["/x": [.notModified(location: "/y")], "/y": [.picture(picture)]]) { stage in
            let download = try await stage.download { $0.validators = Validators(etag: "\"1\"", lastModified: nil) }
                .get()
            #expect(download.isNotModified)
            #expect(await stage.server.count(of: "/y") == 0)
        }
    }

    @Test func `an unrequested 304 is an error`() async throws {
        try await DownloadStage.play(["/x": [.notModified()]]) { stage in
            #expect(await stage.download().error?.isInvalidResponseStatusCode(304) == true)
        }
    }
}
