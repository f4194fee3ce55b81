import FaultServer
import Foundation
import ImageTestSupport
import TestSupport
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

/// A broken transfer goes on where it stopped, or begins again; never is anything put together that does not belong.
@Suite(.timeLimit(.minutes(1))) struct ResumeTests {
    private let picture: [UInt8]
    private let cut = 100

    init() throws { picture = Array(try Pictures.png(width: 40, height: 30)) }

    /// The head of the whole, with this tag, and a part of the body.
    private func broken(etag: String?) -> FaultScript {
        let tag = etag.map { [("ETag", $0)] } ?? []
        let head = FaultScript.head(200, [("Content-Length", "\(picture.count)"), ("Accept-Ranges", "bytes")] + tag)
        return FaultScript([.send(head), .send(Array(picture.prefix(cut))), .close])
    }

    private func rest(etag: String? = "\"1\"") -> FaultScript {
        .partial(
            Array(picture.dropFirst(cut)), range: "bytes \(cut)-\(picture.count - 1)/\(picture.count)", validator: etag)
    }

    private func whole(etag: String = "\"1\"") -> FaultScript { .respond(headers: [("ETag", etag)], body: picture) }

    /// Two attempts at one transfer, the first of which breaks; the second's result and all requests.
    private func secondAttempt(
        _ scripts: FaultScript...
    ) async throws -> (result: Result<Download, DownloadError>, requests: [RecordedRequest]) {
        try await DownloadStage.play(["/x": scripts]) { stage in
            let request = try stage.request()
            let first = await stage.download(request)
            #expect(first.error == .response(.truncated(received: cut, expected: picture.count)))
            let second = await stage.download(request)
            let requests = await stage.server.requests
            try #require(requests.count == scripts.count)
            return (second, requests)
        }
    }

    @Test func `a broken transfer is resumed and the picture is complete`() async throws {
        let (result, requests) = try await secondAttempt(broken(etag: "\"1\""), rest())
        let download = try result.get()
        #expect(download.data == Data(picture))
        #expect(download.isProvenWhole)
        #expect(download.etag == "\"1\"")
        #expect(download.metrics.resumedBytes == cut)
        #expect(download.metrics.bytes == picture.count)
        #expect(requests[0].values(of: "range") == [])
        #expect(requests[1].values(of: "range") == ["bytes=\(cut)-"])
        #expect(requests[1].values(of: "if-range") == ["\"1\""])
    }

    @Test func `progress continues from the part`() async throws {
        let seen = Recorder<DownloadProgress>()
        try await DownloadStage.play(["/x": [broken(etag: "\"1\""), rest()]]) { stage in
            let request = try stage.request()
            _ = await stage.download(request)
            _ = await stage.download(request, onProgress: seen.add)
        }
        #expect(seen.all.allSatisfy { $0.received > cut && $0.total == picture.count })
        #expect(seen.all.last?.received == picture.count)
    }

    @Test(arguments: ["W/\"1\"", nil])
    func `without a strong ETag the transfer starts again`(etag: String?) async throws {
        let (result, requests) = try await secondAttempt(broken(etag: etag), whole())
        #expect(try result.get().data == Data(picture))
        #expect(requests[1].values(of: "range") == [])
    }

    @Test func `a changed picture is transferred completely`() async throws {
        let (result, _) = try await secondAttempt(broken(etag: "\"1\""), whole(etag: "\"2\""))
        let download = try result.get()
        #expect(download.data == Data(picture))
        #expect(download.etag == "\"2\"")
        #expect(download.metrics.resumedBytes == 0)
    }

    @Test(arguments: ["other tag", "weak tag", "other begin", "other total", "no range", "416"])
    func `a mismatched part is discarded and the whole is requested at once`(kind: String) async throws {
        let scripts: [String: FaultScript] = [
            "other tag": rest(etag: "\"2\""), "weak tag": rest(etag: "W/\"1\""),
            "other begin": .partial(picture, range: "bytes 0-\(picture.count - 1)/\(picture.count)"),
            "other total": .partial(
                Array(picture.dropFirst(cut)), range: "bytes \(cut)-\(picture.count - 1)/\(picture.count + 1)"),
            "no range": .respond(206, body: Array(picture.dropFirst(cut))),
            "416": .respond(416, headers: [("Content-Range", "bytes */50")]),
        ]
        let wrong = try #require(scripts[kind])
        let (result, requests) = try await secondAttempt(broken(etag: "\"1\""), wrong, whole())
        #expect(try result.get().data == Data(picture))
        #expect(requests[2].values(of: "range") == [])
    }

    @Test func `a third attempt resumes after the second`() async throws {
        let further = cut + 50
        let middle = Array(picture[cut..<further])
        let head = FaultScript.head(
            206,
            [
                ("Content-Range", "bytes \(cut)-\(picture.count - 1)/\(picture.count)"),
                ("Content-Length", "\(picture.count - cut)"), ("ETag", "\"1\""),
            ])
        let last = FaultScript.partial(
            Array(picture.dropFirst(further)), range: "bytes \(further)-\(picture.count - 1)/\(picture.count)",
            validator: "\"1\"")
        try await DownloadStage.play([
            "/x": [broken(etag: "\"1\""), FaultScript([.send(head), .send(middle), .close]), .status(503), last]
        ]) { stage in
            let request = try stage.request()
            for _ in 0..<3 { #expect(await stage.download(request).error?.isRetryable == true) }
            #expect(stage.keptBytes == further)
            #expect(await stage.download(request).map(\.data) == .success(Data(picture)))
        }
    }

    @Test func `an unrequested part is refused`() async throws {
        try await DownloadStage.play(["/x": [rest()]]) { stage in
            #expect(await stage.download().error?.isInvalidResponseStatusCode(206) == true)
        }
    }

    @Test func `a body without a length is not resumed`() async throws {
        let head = FaultScript.head(200, [("Connection", "close"), ("Accept-Ranges", "bytes"), ("ETag", "\"1\"")])
        let script = FaultScript([.send(head), .send(Array(picture.prefix(cut))), .reset])
        try await DownloadStage.play(["/x": [script]]) { stage in
            let request = try stage.request()
            _ = await stage.download(request)
            #expect(stage.keptBytes == 0)
        }
    }

    @Test func `a body that is not a picture is not resumed`() async throws {
        let page = Array("<!DOCTYPE html><title>no</title>".utf8)
        let script = FaultScript.respond(headers: [("Accept-Ranges", "bytes"), ("ETag", "\"1\"")], body: page)
        try await DownloadStage.play(["/x": [script]]) { stage in
            let request = try stage.request()
            #expect(await stage.download(request).error == .response(.notAnImage("HTML")))
            #expect(stage.keptBytes == 0)
        }
    }
}
