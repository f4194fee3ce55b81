import FaultServer
import Foundation
import ImageTestSupport
import Raster
import Retrying
import TestSupport
import Testing

@testable import ImageLoading

/// The hooks of a call's options reach the wire.
@Suite(.timeLimit(.minutes(1))) struct TransferHooksTests {
    private let pipeline = ImagePipeline(cache: ImageCache(disk: nil))

    private func url(_ server: FaultServer, _ path: String) throws -> Source {
        .network(try #require(URL(string: server.url(path))))
    }

    @Test func `a request modifier can add a header or stop the request`() async throws {
        let server = try await FaultServer.start(["/a.png": .picture(Array(try Pictures.png()))])
        let adds = AnyRequestModifier { request in
            var copy = request
            copy.headers.append(HeaderField(name: "x-test", value: "1"))
            return copy
        }
        _ = try await pipeline.warm(try url(server, "/a.png"), options: [.requestModifier(adds)])
        #expect(await server.requests.last?.values(of: "X-Test") == ["1"])
        await #expect(throws: ImageError.request(.emptyRequest)) {
            try await pipeline.warm(
                try url(server, "/a.png"), options: [.requestModifier(AnyRequestModifier { _ in nil })])
        }
        #expect(await server.requests.count == 1)
        await server.stop()
    }

    @Test func `a redirect handler stops a redirect`() async throws {
        let server = try await FaultServer.start([
            "/a.png": .redirect(to: "/b.png"), "/b.png": .picture(Array(try Pictures.png())),
        ])
        _ = try await pipeline.warm(try url(server, "/a.png"))
        await #expect(throws: ImageError.response(.redirect(.stopped))) {
            try await pipeline.warm(
                try url(server, "/a.png"), options: [.redirectHandler(AnyRedirectHandler { _ in nil })])
        }
        await server.stop()
    }

    @Test func `hooks can refuse a response`() async throws {
        struct Refusing: DownloadHooks {
            func didReceive(_ response: DownloadResponse) async -> ResponseDisposition { .cancel }
        }
        let server = try await FaultServer.start(["/a.png": .picture(Array(try Pictures.png()))])
        await #expect(throws: ImageError.response(.cancelledByDelegate)) {
            try await pipeline.warm(try url(server, "/a.png"), options: [.downloadHooks(Refusing())])
        }
        await server.stop()
    }

    @Test func `a broken transfer is resumed and the picture is complete`() async throws {
        let body = Array(try Pictures.png(width: 64, height: 64))
        let tag = [("ETag", "\"1\""), ("Accept-Ranges", "bytes")]
        let head = FaultScript.head(200, tag + [("Content-Length", "\(body.count)"), ("Content-Type", "image/png")])
        let first = FaultScript([.send(head), .send(Array(body[..<100])), .close])
        let rest = FaultScript.partial(
            Array(body[100...]), range: "bytes 100-\(body.count - 1)/\(body.count)", validator: "\"1\"")
        let server = try await FaultServer.start(["/a.png": [first, rest]])
        let retrier = withNoDelay().giveUpAfter(maxAttempts: 2)
        let result = try await pipeline.image(for: try url(server, "/a.png"), options: [.retryStrategy(retrier)])
        #expect(result.image.size.width == 64)
        #expect(await server.requests.last?.values(of: "Range") == ["bytes=100-"])
        await server.stop()
    }
}
