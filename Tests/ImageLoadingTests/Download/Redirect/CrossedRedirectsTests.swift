import DemoServer
import Foundation
import TestSupport
import Testing

@testable import ImageLoading

/// Two hosts that redirect to each other, and take one transfer each.
@Suite(.timeLimit(.minutes(1))) struct CrossedRedirectsTests {
    @Test(arguments: [0, 2]) func whoWaitsForTheOtherHostKeepsNoConnectionOfThisOne(ready: Int) async throws {
        // Given redirects whose bodies do not end
        let picture = Array(try Pictures.png())
        let server = try await FaultServer.start { request, _ in
            guard request.path == "/crossed" else { return .picture(picture) }
            let host = request.values(of: "host").first ?? ""
            let names = ["127.0.0.1", "localhost"]
            let other =
                host.hasPrefix(names[0])
                ? host.replacing(names[0], with: names[1]) : host.replacing(names[1], with: names[0])
            let head = FaultScript.head(302, [("Location", "http://\(other)/x"), ("Content-Length", "10")])
            return FaultScript([.send(head + Array("12345".utf8)), .stall])
        }
        var limits = DownloadLimits()
        (limits.concurrentPerHost, limits.readyPerHost) = (1, ready)
        let downloader = ImageDownloader(limits: limits)

        // When both are asked many times at once
        let urls = try ["127.0.0.1", "localhost"].map {
            try #require(URL(string: "http://\($0):\(server.port)/crossed"))
        }
        let transfers = (0..<40).map { number in
            Task { try await downloader.download(DownloadRequest(url: urls[number % 2])) { _ in } }
        }

        // Then all arrive
        for transfer in transfers { #expect(try await transfer.value.data == Data(picture)) }
        downloader.shutdown()
        await server.stop()
    }
}
