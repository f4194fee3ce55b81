import FaultServer
import Foundation
import ImageTestSupport
import Raster
import Retrying
import TestSupport
import Testing

@testable import ImageLoading

/// What has expired is handed out where its server cannot be asked.
@Suite(.timeLimit(.minutes(1))) struct ExpiredPictureTests {
    private let place: TemporaryFolder
    private let date = ManualDate()
    private let picture: [UInt8]
    private let options: ImageOptions = [.diskCacheExpiration(.seconds(60)), .expiredGracePeriod(.seconds(600))]

    init() throws {
        place = try TemporaryFolder()
        picture = Array(try Pictures.png(width: 24, height: 18))
    }

    /// One whose server answers once with the picture and from then on as given, and which has that on disk, expired.
    private func expired(
        seconds: TimeInterval = 61, _ fields: [(String, String)] = [], then answers: [FaultScript],
        _ body: (ImagePipeline, Source, FaultServer) async throws -> Void
    ) async throws {
        let first = FaultScript.respond(headers: [("Content-Type", "image/png")] + fields, body: picture)
        let server = try await FaultServer.start(["/a.png": [first] + answers])
        let disk = try DiskStorage(folder: CacheFolder(path: place / UUID().uuidString), now: { [date] in date.now })
        let pipeline = ImagePipeline(cache: ImageCache(disk: disk))
        let source = Source.network(try #require(URL(string: server.url("/a.png"))))
        _ = try await pipeline.warm(source, options: options)
        date.advance(bySeconds: seconds)
        try await body(pipeline, source, server)
        await server.stop()
    }

    @Test(arguments: [[("ETag", "\"1\"")], []])
    func `an expired picture is returned with the reason and not renewed`(fields: [(String, String)]) async throws {
        try await expired(fields, then: [.status(503), .status(502), .respond(body: picture)]) {
            pipeline, source, server in
            // Given a server that is out of order twice
            for code in [503, 502] {
                let result = try await pipeline.image(for: source, options: options)
                #expect(result.cacheType == .disk && result.image.size == PixelSize(width: 24, height: 18))
                #expect(result.expiredBecause?.isInvalidResponseStatusCode(code) == true)
            }
            // Then it is asked each time, and once it answers what it has is shown
            let result = try await pipeline.image(for: source, options: options)
            #expect(result.cacheType == .none && result.expiredBecause == nil)
            #expect(await server.requests.count == 4)
        }
    }

    @Test func `each load counts as one miss`() async throws {
        try await expired(then: [.status(500)]) { pipeline, source, _ in
            let before = pipeline.cache.disk?.runTally.misses
            _ = try await pipeline.image(for: source, options: options)
            let after = pipeline.cache.disk?.runTally.misses
            #expect(after == before.map { $0 + 1 })
        }
    }

    @Test(
        arguments: [
            ("too long ago", 661, 503, []), ("an answer that is none of an outage", 61, 404, []),
            ("a reload", 61, 503, [.forceRefresh]),
        ] as [(String, TimeInterval, Int, [ImageOptionsItem])])
    func `an expired picture is not returned after the grace period, a 404 or a reload`(
        what: String, seconds: TimeInterval, code: Int, more: [ImageOptionsItem]
    ) async throws {
        try await expired(seconds: seconds, then: [.status(code)]) { pipeline, source, _ in
            await #expect(throws: ImageError.self, "\(what)") {
                try await pipeline.image(for: source, options: options.applying(more))
            }
        }
    }

    @Test func `an expired picture is an error without expiredGracePeriod`() async throws {
        try await expired(then: [.status(503)]) { pipeline, source, _ in
            let plain: ImageOptions = [.diskCacheExpiration(.seconds(60))]
            await #expect(throws: ImageError.self) { try await pipeline.image(for: source, options: plain) }
            await #expect(throws: ImageError.self) { try await pipeline.warm(source, options: plain) }
        }
    }

    @Test func `a prefetch returns the expired entry`() async throws {
        try await expired(then: [.status(503)]) { pipeline, source, _ in
            let result = try await pipeline.warm(source, options: options)
            #expect(result.isExpired && result.cacheType == .disk && result.byteCount == picture.count)
        }
    }

    @Test func `an expired picture takes one attempt and does not wait for a paused host`() async throws {
        // Given a host that asks for a pause, and retries that would wait for it
        let retrying = options.applying([.retryStrategy(withNoDelay())])
        try await expired(then: [.status(503, headers: [("Retry-After", "60")])]) {
            pipeline, source, server in
            for _ in 0..<2 {
                let result = try await pipeline.image(for: source, options: retrying)
                #expect(result.expiredBecause != nil)
            }
            // Then the host is asked once, and left alone after that
            #expect(await server.requests.count == 2)
        }
    }

    @Test func `a mirror without the picture does not prevent the expired picture`() async throws {
        try await expired(then: [.status(503)]) { pipeline, source, _ in
            let mirror = try await FaultServer.start([:])
            let other = Source.network(try #require(URL(string: mirror.url("/b.png"))))
            let result = try await pipeline.image(
                for: source, options: options.applying([.alternativeSources([other])]))
            #expect(result.expiredBecause != nil)
            await mirror.stop()
        }
    }

    @Test func `an alternative source is preferred to an expired picture`() async throws {
        try await expired(then: [.status(503)]) { pipeline, source, server in
            let mirror = try await FaultServer.start(["/b.png": [.respond(body: picture)]])
            let other = Source.network(try #require(URL(string: mirror.url("/b.png"))))
            let result = try await pipeline.image(
                for: source, options: options.applying([.alternativeSources([other])]))
            #expect(result.cacheType == .none && result.expiredBecause == nil)
            await mirror.stop()
        }
    }
}
