import FaultServer
import Foundation
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import ImageLoading

/// What has expired is asked about before it is fetched anew.
@Suite(.timeLimit(.minutes(1))) struct RevalidationTests {
    private let place: TemporaryFolder
    private let date = ManualDate()
    private let picture: [UInt8]
    private let expiring: ImageOptions = [.diskCacheExpiration(.seconds(60))]

    init() throws {
        place = try TemporaryFolder()
        picture = Array(try Pictures.png(width: 24, height: 18))
    }

    private func pipeline() throws -> ImagePipeline {
        let disk = try DiskStorage(folder: CacheFolder(path: place / "cache"), now: { [date] in date.now })
        return ImagePipeline(cache: ImageCache(disk: disk))
    }

    private func tagged(_ tag: String) -> FaultScript {
        .respond(headers: [("Content-Type", "image/png"), ("ETag", tag)], body: picture)
    }

    private func source(_ server: FaultServer) throws -> Source {
        .network(try #require(URL(string: server.url("/a.png"))))
    }

    @Test func `an expired picture is renewed by a 304 without a body`() async throws {
        let server = try await FaultServer.start(["/a.png": [tagged("\"1\""), .notModified(), .status(500)]])
        let (pipeline, source) = (try pipeline(), try source(server))
        #expect(try await !pipeline.warm(source, options: expiring).isRevalidated)
        date.advance(bySeconds: 61)

        let renewed = try await pipeline.warm(source, options: expiring)

        #expect(renewed.isRevalidated)
        #expect(renewed.byteCount == picture.count)
        #expect(await server.requests.last?.values(of: "If-None-Match") == ["\"1\""])
        date.advance(bySeconds: 59)
        #expect(try await pipeline.warm(source, options: expiring).cacheType == .disk)
        #expect(await server.requests.count == 2)
        await server.stop()
    }

    @Test func `the ETag is kept when a 304 does not repeat it`() async throws {
        let server = try await FaultServer.start(["/a.png": [tagged("\"1\""), .notModified()]])
        let (pipeline, source) = (try pipeline(), try source(server))
        for _ in 0..<3 {
            _ = try await pipeline.warm(source, options: expiring)
            date.advance(bySeconds: 61)
        }
        #expect(await server.requests.map { $0.values(of: "If-None-Match") } == [[], ["\"1\""], ["\"1\""]])
        await server.stop()
    }

    @Test func `a changed picture is fetched when the expired one is revalidated`() async throws {
        let other = Array(try Pictures.png(width: 5, height: 5))
        let server = try await FaultServer.start([
            "/a.png": [tagged("\"1\""), .respond(headers: [("ETag", "\"2\"")], body: other)]
        ])
        let (pipeline, source) = (try pipeline(), try source(server))
        _ = try await pipeline.warm(source, options: expiring)
        date.advance(bySeconds: 61)
        let fetched = try await pipeline.warm(source, options: expiring)
        #expect(!fetched.isRevalidated)
        #expect(fetched.byteCount == other.count)
        await server.stop()
    }

    @Test func `forceRefresh sends no validators`() async throws {
        let server = try await FaultServer.start(["/a.png": [tagged("\"1\"")]])
        let (pipeline, source) = (try pipeline(), try source(server))
        _ = try await pipeline.warm(source, options: expiring)
        date.advance(bySeconds: 61)
        _ = try await pipeline.warm(source, options: expiring.applying([.forceRefresh]))
        #expect(await server.requests.last?.values(of: "If-None-Match") == [])
        await server.stop()
    }

    @Test func `a revalidated live entry counts once as a miss and as saved bytes`() async throws {
        let server = try await FaultServer.start(["/a.png": [tagged("\"1\""), .notModified()]])
        let (pipeline, source) = (try pipeline(), try source(server))
        var asking = expiring
        asking.cache.policy = .revalidate
        _ = try await pipeline.warm(source, options: expiring)
        let renewed = try await pipeline.warm(source, options: asking)
        #expect(renewed.isRevalidated)
        await pipeline.cache.flush()
        let life = try #require(await pipeline.cache.statistics()).life
        #expect(life.misses == 2 && life.revalidated == 1 && life.diskHits == 0)
        #expect(life.bytesSaved == picture.count)
        await server.stop()
    }

    @Test func `a load revalidates an expired picture too`() async throws {
        let server = try await FaultServer.start(["/a.png": [tagged("\"1\""), .notModified()]])
        let source = try source(server)
        _ = try await pipeline().image(for: source, options: expiring)
        date.advance(bySeconds: 61)
        let result = try await pipeline().image(for: source, options: expiring)
        #expect(result.image.size.width == 24)
        await server.stop()
    }

    @Test func `a load with cacheMemoryOnly renews an expired original`() async throws {
        let server = try await FaultServer.start(["/a.png": [tagged("\"1\""), .notModified(), .status(500)]])
        let (pipeline, source) = (try pipeline(), try source(server))
        let memoryOnly = expiring.applying([.cacheMemoryOnly])
        _ = try await pipeline.warm(source, options: expiring)
        date.advance(bySeconds: 61)

        _ = try await pipeline.image(for: source, options: memoryOnly)
        pipeline.cache.clearMemoryCache()
        let again = try await pipeline.image(for: source, options: memoryOnly)

        #expect(again.cacheType == .disk)
        #expect(await server.requests.count == 2)
        await pipeline.cache.flush()
        let life = try #require(await pipeline.cache.statistics()).life
        #expect(life.misses == 2 && life.revalidated == 1 && life.diskHits == 1)
        #expect(life.bytesSaved == 2 * picture.count)
        await server.stop()
    }

    @Test func `a renewal keeps hits, pin and content`() async throws {
        let server = try await FaultServer.start(["/a.png": [tagged("\"1\""), .notModified()]])
        let (pipeline, source) = (try pipeline(), try source(server))
        let disk = try #require(pipeline.cache.disk)
        for _ in 0..<3 { _ = try await pipeline.warm(source, options: expiring) }
        await disk.flush()
        let before = try #require(await disk.entry(for: CacheEntryKey(source: source.cacheKey)))
        date.advance(bySeconds: 61)
        _ = try await pipeline.warm(source, options: expiring)
        await disk.flush()
        let after = try #require(await disk.entry(for: CacheEntryKey(source: source.cacheKey)))
        #expect(after.id == before.id && after.hits == before.hits + 1 && after.contentName == before.contentName)
        #expect(after.facts.headers.contains("Content-Type: image/png"))
        await server.stop()
    }

    @Test func `an expired original without validators is fetched again`() async throws {
        let plain = FaultScript.respond(headers: [("Content-Type", "image/png")], body: picture)
        let server = try await FaultServer.start(["/a.png": [plain]])
        let (pipeline, source) = (try pipeline(), try source(server))
        _ = try await pipeline.warm(source, options: expiring)
        date.advance(bySeconds: 61)
        let result = try await pipeline.image(for: source, options: expiring.applying([.cacheMemoryOnly]))
        #expect(result.cacheType == .none)
        #expect(await server.requests.last?.values(of: "If-None-Match") == [])
        await server.stop()
    }
}
