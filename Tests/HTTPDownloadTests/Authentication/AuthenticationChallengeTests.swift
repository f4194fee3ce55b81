import FaultServer
import Foundation
import ImageTestSupport
import TestSupport
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

/// What becomes of 401, with and without someone to answer it.
@Suite(.timeLimit(.minutes(1))) struct AuthenticationChallengeTests {
    private let picture: [UInt8]

    init() throws { picture = Array(try Pictures.png()) }

    private var challenge: FaultScript { .status(401, headers: [("WWW-Authenticate", "Basic realm=\"pictures\"")]) }

    private func play(
        _ scripts: [String: [FaultScript]], _ responder: ScriptedResponder,
        _ act: (DownloadStage) async throws -> Void
    ) async throws {
        try await DownloadStage.play(scripts, configure: { $0.challengeResponder = responder }, act)
    }

    @Test func `a challenge is answered and the transfer continues`() async throws {
        let responder = ScriptedResponder { _ in .credential(.basic(user: "ann", password: "pw")) }
        try await play(["/x": [challenge, .picture(picture)]], responder) { stage in
            let result = await stage.download()
            #expect(try result.get().data == Data(picture))
            let requests = await stage.server.requests
            #expect(requests.map { $0.values(of: "authorization") } == [[], ["Basic YW5uOnB3"]])
            let seen = try #require(responder.seen.all.first)
            #expect(seen.url.absoluteString == stage.server.url("/x"))
            #expect(seen.schemes.map(\.realm) == ["pictures"])
            #expect(!seen.isProxy)
        }
    }

    @Test func `without a responder a 401 is the error`() async throws {
        try await DownloadStage.play(["/x": [challenge]]) { stage in
            #expect(await stage.download().error?.isInvalidResponseStatusCode(401) == true)
            #expect(await stage.server.count(of: "/x") == 1)
        }
    }

    @Test func `performDefault keeps the 401`() async throws {
        let responder = ScriptedResponder { _ in .performDefault }
        try await play(["/x": [challenge]], responder) { stage in
            #expect(await stage.download().error?.isInvalidResponseStatusCode(401) == true)
        }
    }

    @Test func `cancel from the responder ends the transfer`() async throws {
        let responder = ScriptedResponder { _ in .cancel }
        try await play(["/x": [challenge]], responder) { stage in
            #expect(await stage.download().error == .response(.cancelledByDelegate))
        }
    }

    @Test func `a rejected credential is reported and the responder is asked three times at most`() async throws {
        let responder = ScriptedResponder { _ in .credential(.bearer(token: "wrong")) }
        try await play(["/x": [challenge]], responder) { stage in
            #expect(await stage.download().error?.isInvalidResponseStatusCode(401) == true)
            #expect(responder.seen.all.map(\.previousFailures) == [0, 1, 2])
            #expect(await stage.server.count(of: "/x") == 4)
        }
    }

    @Test func `a learned credential stays with its origin`() async throws {
        let other = try await FaultServer.start(["/y": .picture(picture)])
        let responder = ScriptedResponder { _ in .credential(.bearer(token: "t")) }
        try await play(["/x": [challenge, .redirect(to: other.url("/y"))]], responder) { stage in
            _ = try await stage.download().get()
            #expect(await other.requests.map { $0.values(of: "authorization") } == [[]])
        }
        await other.stop()
    }

    @Test func `a 407 from a server that is not a proxy is not answered`() async throws {
        let responder = ScriptedResponder { _ in .credential(.bearer(token: "t")) }
        try await play(["/x": [.status(407)]], responder) { stage in
            #expect(await stage.download().error?.isInvalidResponseStatusCode(407) == true)
            #expect(responder.seen.all.isEmpty)
        }
    }

    @Test func `credentials of a host are sent without a challenge and to that host only`() async throws {
        let other = try await FaultServer.start(["/y": .picture(picture)])
        let server = try await FaultServer.start(["/x": .redirect(to: other.url("/y"))])
        var configuration = DownloaderConfiguration()
        configuration.credentials["127.0.0.1:\(server.port)"] = .bearer(token: "t")
        configuration.credentials.netrc = try NetrcFile("default login u password p")
        configuration.setHeaders([HeaderField(name: "X-Key", value: "k")], forHost: "127.0.0.1:\(server.port)")
        let downloader = ImageDownloader(configuration: configuration)
        let url = try #require(URL(string: server.url("/x")))
        _ = try await downloader.download(DownloadRequest.picture(url)) { _ in }
        let sent = try #require(await server.requests.first)
        #expect(sent.values(of: "authorization") == ["Bearer t"])
        #expect(sent.values(of: "x-key") == ["k"])
        let crossed = try #require(await other.requests.first)
        #expect(crossed.values(of: "authorization") == [])
        #expect(crossed.values(of: "x-key") == [])
        downloader.shutdown()
        await server.stop()
        await other.stop()
    }
}
