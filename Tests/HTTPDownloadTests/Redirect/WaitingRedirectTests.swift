import FaultServer
import Foundation
import ImageTestSupport
import TestSupport
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

/// A redirect to another host that has no place free.
@Suite(.timeLimit(.minutes(1))) struct WaitingRedirectTests {
    @Test func `a redirect that waits for another host keeps no connection to the first`() async throws {
        // Given two hosts that take one transfer each: the other is at work, and this one redirects there with a body that
        // does not end
        let picture = Array(try Pictures.png())
        let gate = FaultGate()
        let server = try await FaultServer.start { request, _ in
            let port = request.values(of: "host").first?.split(separator: ":").last ?? ""
            let head = FaultScript.head(302, [("Location", "http://localhost:\(port)/x"), ("Content-Length", "10")])
            return switch request.path {
            case "/there": FaultScript([.send(head + Array("12345".utf8)), .stall])
            case "/slow": .pauseInBody(picture, after: 20, until: gate)
            default: .picture(picture)
            }
        }
        var limits = DownloadLimits()
        (limits.concurrentPerHost, limits.connect) = (1, .seconds(5))
        let downloader = ImageDownloader(limits: limits)
        let start = { (host: String, path: String) throws in
            let url = try #require(URL(string: "http://\(host):\(server.port)\(path)"))
            return Task { try await downloader.download(DownloadRequest.picture(url)) { _ in } }
        }
        let slow = try start("localhost", "/slow")
        await server.arrival(of: "/slow")
        let redirected = try start("127.0.0.1", "/there")
        await server.arrival(of: "/there")

        // When somebody else wants something of this one
        let other = try start("127.0.0.1", "/y")

        // Then there is a connection, and the redirected one goes on in its turn
        #expect(try await other.value.data == Data(picture))
        gate.open()
        #expect(try await slow.value.data == Data(picture))
        #expect(try await redirected.value.data == Data(picture))
        downloader.shutdown()
        await server.stop()
    }
}
