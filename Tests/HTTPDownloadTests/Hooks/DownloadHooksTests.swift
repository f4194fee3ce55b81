import FaultServer
import Foundation
import ImageTestSupport
import TestSupport
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

@Suite(.timeLimit(.minutes(1))) struct DownloadHooksTests {
    private let picture: [UInt8]

    init() throws { picture = Array(try Pictures.png()) }

    private struct Wrong: Error {}

    private func outcome(
        _ scripts: [FaultScript], _ hooks: AnyHooks
    ) async throws -> Result<Download, DownloadError> {
        try await DownloadStage.play(["/x": scripts, "/y": [.picture(picture)]], configure: { $0.hooks = hooks }) {
            await $0.download()
        }
    }

    @Test func `the hooks are called once each and in order`() async throws {
        let seen = Recorder<String>()
        let hooks = AnyHooks(
            onWill: { seen.add("will \($0.url.lastPathComponent)") },
            onResponse: { response in
                seen.add("response \(response.statusCode) \(response.version) \(response.value(of: "etag") ?? "")")
                return .allow
            },
            onFinish: { seen.add("finish \((try? $0.get().data.count) ?? 0)") })
        _ = try await outcome([.redirect(to: "/y")], hooks)
        #expect(seen.all == ["will x", "response 200 HTTP/1.1 ", "finish \(picture.count)"])
    }

    @Test func `the finish hook is called after a failure too`() async throws {
        let seen = Recorder<DownloadError?>()
        _ = try await outcome([.status(404)], AnyHooks(onFinish: { seen.add($0.error) }))
        #expect(seen.all == [.response(.invalidHTTPStatusCode(404, retryAfter: nil))])
    }

    @Test func `a response hook can refuse by the head`() async throws {
        let hooks = AnyHooks(onResponse: { $0.value(of: "Content-Type") == "image/png" ? .cancel : .allow })
        let script = FaultScript([.send(FaultScript.head(200, [("Content-Type", "image/png")])), .stall])
        #expect(try await outcome([script], hooks).error == .response(.cancelledByDelegate))
    }

    @Test func `a status hook decides which status is accepted`() async throws {
        let lenient = AnyHooks(onStatus: { $0 == 404 })
        #expect(try await outcome([.respond(404, body: picture)], lenient).get().data == Data(picture))
        #expect(try await outcome([.picture(picture)], lenient).error?.isInvalidResponseStatusCode(200) == true)
    }

    @Test func `a modifier hook can decrypt the body`() async throws {
        let hooks = AnyHooks(modifier: { Data($0.map { $0 ^ 0x5A }) })
        #expect(try await outcome([.respond(body: picture.map { $0 ^ 0x5A })], hooks).get().data == Data(picture))
    }

    @Test func `a modifier hook that throws makes the transfer fail`() async throws {
        let error = try await outcome([.picture(picture)], AnyHooks(modifier: { _ in throw Wrong() })).error
        #expect(error == .response(.dataModifyingFailed("Wrong()")))
        #expect(error?.isRetryable == false)
    }

    @Test func `a modified body must be a picture`() async throws {
        let hooks = AnyHooks(modifier: { _ in Data("<html>".utf8) })
        #expect(try await outcome([.picture(picture)], hooks).error == .response(.notAnImage("HTML")))
    }

    @Test func `hooks of a transfer replace those of the downloader`() async throws {
        let seen = Recorder<String>()
        try await DownloadStage.play(
            ["/x": [.picture(picture)]], configure: { $0.hooks = AnyHooks(onWill: { _ in seen.add("downloader") }) }
        ) { stage in
            _ = try await stage.download { $0.hooks = AnyHooks(onWill: { _ in seen.add("transfer") }) }.get()
        }
        #expect(seen.all == ["transfer"])
    }
}
