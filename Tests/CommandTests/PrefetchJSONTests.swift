import FaultServer
import Foundation
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct PrefetchJSONTests {
    @Test func `every line is an object of version 1, from start to summary`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start([
            "/a.webp": [.picture(try Pictures.bytes())],
            "/busy.webp": [.unavailable(retryAfter: "0"), .picture(try Pictures.bytes())],
        ])
        let addresses = ["/a.webp", "/a.webp", "/busy.webp", "/gone.webp"].map(server.url)
        let list = try place.write((addresses + ["http://[broken"]).joined(separator: "\n"), to: "list.txt")

        let result = try await place.run("prefetch", list, "--json")
        await server.stop()

        let objects = try result.objects()
        #expect(objects.allSatisfy { $0.number("v") == 1 })
        let types = objects.compactMap { $0["type"] }
        #expect(types.first == "start" && types.last == "summary")
        #expect(types.filter { ["start", "summary"].contains($0) }.count == 2)
        #expect(Set(types.dropFirst().dropLast()) == ["item", "retry", "rejected"])
        #expect(types.count == objects.count)
        #expect(result.errors.isEmpty)
        expectSafe(result.output)
    }

    @Test func `a failure after a response contains its HTTP status`() async throws {
        let place = try Workplace()
        let picture = try Pictures.bytes()
        let server = try await FaultServer.start([
            "/page": [.page()], "/short.webp": [.shortBody(picture, sent: 1000)], "/other.webp": [.picture(picture)],
            "/cut.webp": [.picture(Array(picture.dropLast(100)))], "/dropped.webp": [.status(503), .hangUp],
        ])
        let names = ["/page", "/short.webp", "/other.webp", "/cut.webp", "/gone.webp", "/dropped.webp"]
        let digest = String(repeating: "0", count: 64)
        let lines = names.map { server.url($0) + ($0 == "/other.webp" ? "\n  sha256=\(digest)" : "") }
        let list = try place.write(lines.joined(separator: "\n"), to: "list.txt")

        let result = try await place.run("prefetch", list, "--json", "--retries", "1", "--retry-delay", "1ms")
        await server.stop()

        let items = try result.objects("item").sorted { $0.number("line") ?? 0 < $1.number("line") ?? 0 }
        #expect(items.allSatisfy { $0["status"] == "failed" })
        #expect(items.map { $0.number("http") } == [200, 200, 200, 200, 404, nil])
    }

    @Test func `the counts of the summary match the items`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start([
            "/a.webp": .picture(try Pictures.bytes()), "/b.webp": .picture(try Pictures.bytes("kelp.jpg")),
        ])
        let addresses = ["/a.webp", "/b.webp", "/a.webp", "/gone.webp"].map(server.url)
        let list = try place.write(addresses.joined(separator: "\n"), to: "list.txt")

        let result = try await place.run("prefetch", list, "--json")
        await server.stop()

        let items = try result.objects("item")
        let summary = try #require(try result.objects("summary").first)
        for (status, name) in [("fetched", "fetched"), ("duplicate", "duplicates"), ("failed", "failed")] {
            #expect(items.filter { $0["status"] == status }.count == summary.number(name), "\(status)")
        }
        let bytes = items.filter { $0["status"] == "fetched" }.compactMap { $0.number("bytes") }.reduce(0, +)
        #expect(bytes == summary.number("bytesFetched"))
        #expect(Set(items.compactMap { $0.number("line") }) == [1, 2, 3, 4])
    }
}
