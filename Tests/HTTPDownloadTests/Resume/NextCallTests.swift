import FaultServer
import Foundation
import ImageTestSupport
import TestSupport
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

/// A transfer that broke or was cancelled is resumed by the next call for an equal request, and by no other.
@Suite(.timeLimit(.minutes(1))) struct NextCallTests {
    private static let date = ("Date", "Thu, 02 Jan 2025 00:00:00 GMT")
    private static let modified = ("Last-Modified", "Wed, 01 Jan 2025 00:00:00 GMT")
    private static let tag = ("ETag", "\"1\"")
    private static let ranges = ("Accept-Ranges", "bytes")

    private let picture: [UInt8]
    private let cut = 100

    init() throws { picture = Array(try Pictures.png(width: 40, height: 30)) }

    /// Sends a part of the body and then ends.
    private func beginning(_ fields: [(String, String)], end: FaultStep = .close) -> FaultScript {
        let head = FaultScript.head(200, [("Content-Length", "\(picture.count)")] + fields)
        return FaultScript([.send(head), .send(Array(picture.prefix(cut))), end])
    }

    private func rest(_ fields: [(String, String)] = []) -> FaultScript {
        let range = ("Content-Range", "bytes \(cut)-\(picture.count - 1)/\(picture.count)")
        return .respond(206, headers: [range] + fields, body: Array(picture.dropFirst(cut)))
    }

    private var whole: FaultScript { .respond(headers: [Self.tag, Self.ranges], body: picture) }

    /// Cancels a transfer once it has received the part.
    private func cancel(_ stage: DownloadStage) async throws {
        let arrived = Gate()
        await arrived.open()
        var request = try stage.request()
        request.onBytes = { [cut] bytes, offset in
            if offset + bytes.count == cut { Task { await arrived.pass() } }
        }
        let task = Task { [request] in await stage.download(request) }
        await arrived.untilArrived()
        task.cancel()
        #expect(await task.value.error == .cancelled)
    }

    /// Plays a first call that breaks and a second one; returns the ranges and conditions of the second one.
    private func second(
        after first: FaultScript, _ answer: FaultScript, _ before: [HeaderField] = [], _ after: [HeaderField] = []
    ) async throws -> [String] {
        try await DownloadStage.play(["/x": [first, answer]]) { stage in
            #expect(await stage.download("/x") { $0.headers = before }.error?.isRetryable == true)
            let download = try await stage.download("/x") { $0.headers = after }.get()
            #expect(download.data == Data(picture))
            let sent = try #require(await stage.server.requests.last)
            let fields = sent.values(of: "range") + sent.values(of: "if-range")
            #expect(download.metrics.resumedBytes == (fields.isEmpty ? 0 : cut))
            #expect(stage.keptBytes == 0 || fields.isEmpty)
            return fields
        }
    }

    @Test func `a cancelled transfer is resumed by the next call`() async throws {
        let first = beginning([Self.tag, Self.ranges], end: .stall)
        try await DownloadStage.play(["/x": [first, rest([Self.tag])]]) { stage in
            try await cancel(stage)
            #expect(stage.keptBytes == cut)
            let download = try await stage.download().get()
            #expect(download.data == Data(picture))
            #expect(download.isProvenWhole)
            #expect(download.metrics.resumedBytes == cut)
            #expect(await stage.server.requests.last?.values(of: "if-range") == ["\"1\""])
            #expect(stage.keptBytes == 0)
        }
    }

    @Test func `a broken transfer is resumed by the next call`() async throws {
        let fields = try await second(after: beginning([Self.tag, Self.ranges]), rest([Self.tag]))
        #expect(fields == ["bytes=\(cut)-", "\"1\""])
    }

    @Test func `a body without an ETag is resumed by its date`() async throws {
        let first = beginning([Self.date, Self.modified, Self.ranges])
        let fields = try await second(after: first, rest([Self.modified]))
        #expect(fields == ["bytes=\(cut)-", Self.modified.1])
    }

    @Test(arguments: ["no Accept-Ranges", "weak ETag", "new date"])
    func `a body whose version is not certain is transferred anew`(kind: String) async throws {
        let fields: [String: [(String, String)]] = [
            "no Accept-Ranges": [Self.tag], "weak ETag": [("ETag", "W/\"1\""), Self.date, Self.modified, Self.ranges],
            "new date": [("Date", Self.modified.1), Self.modified, Self.ranges],
        ]
        let first = beginning(try #require(fields[kind]))
        #expect(try await second(after: first, whole) == [])
    }

    @Test(arguments: [("Last-Modified", "Thu, 02 Jan 2025 00:00:00 GMT"), ("ETag", "\"1\"")])
    func `a rest with another validator is discarded`(name: String, value: String) async throws {
        let first = beginning([Self.date, Self.modified, Self.ranges])
        try await DownloadStage.play(["/x": [first, rest([(name, value)]), whole]]) { stage in
            _ = await stage.download()
            let download = try await stage.download().get()
            #expect(download.data == Data(picture))
            #expect(await stage.server.requests.map { $0.values(of: "range").isEmpty } == [true, false, true])
        }
    }

    @Test(
        arguments: [
            ("Accept", "image/png", "image/webp"), ("Authorization", "Bearer 1", "Bearer 2"),
            ("Authorization", "Bearer 1", nil), ("Authorization", nil, "Bearer 1"),
        ] as [(String, String?, String?)])
    func `other fields do not get the part`(name: String, before: String?, after: String?) async throws {
        func fields(_ value: String?) -> [HeaderField] { value.map { [HeaderField(name: name, value: $0)] } ?? [] }
        let sent = try await second(after: beginning([Self.tag, Self.ranges]), whole, fields(before), fields(after))
        #expect(sent == [])
    }

    @Test func `a request with the same login is resumed`() async throws {
        let login = [HeaderField(name: "Authorization", value: "Bearer 1")]
        let sent = try await second(after: beginning([Self.tag, Self.ranges]), rest([Self.tag]), login, login)
        #expect(sent == ["bytes=\(cut)-", "\"1\""])
    }

    @Test func `a call during a resumed transfer begins with nothing`() async throws {
        let first = beginning([Self.tag, Self.ranges])
        try await DownloadStage.play(["/x": [first, .stall, whole]]) { stage in
            _ = await stage.download()
            let request = try stage.request()
            let resuming = Task { await stage.download(request) }
            await stage.server.arrival(of: "/x", count: 2)
            let download = try await stage.download().get()
            #expect(download.metrics.resumedBytes == 0)
            resuming.cancel()
            #expect(await resuming.value.error == .cancelled)
            // The cancelled transfer returns the part that it had taken.
            #expect(stage.keptBytes == cut)
        }
    }

    @Test(arguments: [(150, ["/y"]), (200, ["/x", "/y"]), (0, [])] as [(Int, [String])])
    func `the oldest part gives way to the limit`(limit: Int, resumed: [String]) async throws {
        let scripts = [beginning([Self.tag, Self.ranges]), whole]
        let answers = ["/x": scripts, "/y": scripts]
        try await DownloadStage.play(answers, configure: { $0.resumableBytes = limit }) { stage in
            for path in ["/x", "/y", "/x", "/y"] { _ = await stage.download(path) }
            let requests = await stage.server.requests
            #expect(requests.filter { !$0.values(of: "range").isEmpty }.map(\.path) == resumed)
        }
    }

    @Test func `removed parts are not resumed`() async throws {
        try await DownloadStage.play(["/x": [beginning([Self.tag, Self.ranges]), whole]]) { stage in
            _ = await stage.download()
            #expect(stage.keptBytes == cut)
            stage.downloader.removePartialBodies()
            let download = try await stage.download().get()
            #expect(download.metrics.resumedBytes == 0)
        }
    }

    @Test(arguments: [[tag, ranges], [date, modified, ranges]])
    func `a date resumes only at the target that sent the part`(fields: [(String, String)]) async throws {
        let scripts = [
            "/x": [FaultScript.redirect(to: "/a"), .redirect(to: "/b")], "/a": [beginning(fields)],
            "/b": [fields.count == 2 ? rest([Self.tag]) : whole],
        ]
        try await DownloadStage.play(scripts) { stage in
            _ = await stage.download()
            let download = try await stage.download().get()
            #expect(download.data == Data(picture))
            let sent = await stage.server.requests.filter { !$0.values(of: "range").isEmpty }.map(\.path)
            #expect(sent == (fields.count == 2 ? ["/x", "/b"] : []))
        }
    }
}
