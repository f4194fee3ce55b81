import FaultServer
import Foundation
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct PrefetchFailureTests {
    static let body = Array(repeating: UInt8(7), count: 4096)

    @Test(arguments: [
        ("404", FaultScript.status(404), "404"),
        ("410", .status(410), "410"),
        ("busy", .unavailable(retryAfter: "0"), "503"),
        ("page", .page(), "HTML"),
        ("page said to be a picture", .page(type: "image/png"), "HTML"),
        ("short body", .shortBody(body, sent: 100), ""),
        ("chunks without an end", .chunkedWithoutEnd(body), ""),
        ("redirect loop", .redirect(to: "/picture"), "redirect"),
        ("redirect to a file", .redirect(to: "file:///etc/passwd"), "redirect"),
        ("no picture", .respond(body: body), ""),
        ("empty", .respond(), ""),
        ("too large", .contentLengths(["99999999999"], body: body), ""),
        ("reset", .reset, ""),
    ])
    func `each failure is reported with its reason and nothing is stored`(
        name: String, script: FaultScript, reason: String
    ) async throws {
        let place = try Workplace()
        let server = try await FaultServer.start(["/picture": script])

        let result = try await place.run("prefetch", server.url("/picture"), "--json", "--retries", "1")
        let listing = try await place.run("cache", "ls", "--json")
        await server.stop()

        #expect(result.code == 4)
        let item = try #require(try result.objects("item").first)
        #expect(item["status"] == "failed")
        let text = try #require(item.object("error")?["text"])
        #expect(!text.isEmpty && text.localizedCaseInsensitiveContains(reason) || reason.isEmpty, "\(name): \(text)")
        #expect(listing.code == 0 && listing.output.isEmpty)
        #expect(try place.contents().isEmpty)
    }

    @Test func `a busy server is retried after its Retry-After time`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start([
            "/a.webp": [.unavailable(retryAfter: "1"), .picture(try Pictures.bytes())]
        ])

        let result = try await place.run("prefetch", server.url("/a.webp"), "--json")
        await server.stop()

        #expect(result.code == 0)
        #expect(
            try result.objects().compactMap { $0["type"] } == ["start", "host", "retry", "host", "item", "summary"])
        let retry = try #require(try result.objects("retry").first)
        #expect(try #require(retry.number("delayMs")) >= 1000)
        #expect(retry.object("error")?["text"]?.contains("503") == true)
        #expect(try result.objects("item").first?.number("attempts") == 2)
    }

    @Test func `a body larger than allowed fails and is not kept`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start(["/a.webp": .picture(try Pictures.bytes())])

        let result = try await place.run("prefetch", server.url("/a.webp"), "--json", "--max-size", "1K")
        await server.stop()

        #expect(result.code == 4)
        #expect(try place.contents().isEmpty)
    }

    @Test func `a refused connection is a failure with a reason`() async throws {
        let port = try FaultServer.closedPort()

        let result = try await Workplace().run("prefetch", "http://127.0.0.1:\(port)/a.png", "--json", "--retries", "0")

        #expect(result.code == 4)
        #expect(try result.objects("item").first?.object("error")?["text"]?.isEmpty == false)
    }

    @Test func `failed items are written to a list that can be prefetched`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start([
            "/a.webp": [.picture(try Pictures.bytes())],
            "/b.webp": [.status(404), .picture(try Pictures.bytes("kelp.jpg"))],
        ])
        let list = try place.write("\(server.url("/a.webp"))\n\(server.url("/b.webp"))\n", to: "list.txt")

        let first = try await place.run("prefetch", list, "--failed", place.path("failed.txt"))
        let failed = try place.read("failed.txt")
        let second = try await place.run("prefetch", place.path("failed.txt"), "--json")
        await server.stop()

        #expect(first.code == 3)
        #expect(failed == "# 404 Not Found\n\(server.url("/b.webp"))\n")
        #expect(second.code == 0)
        #expect(try second.objects("item").map { $0["url"] } == [server.url("/b.webp")])
    }

    @Test func `an unusable line is a failure only when strict`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start(["/a.webp": .picture(try Pictures.bytes())])
        let list = try place.write("\(server.url("/a.webp"))\nhttp://[broken\n", to: "list.txt")

        let lenient = try await place.run("prefetch", list, "--json")
        let strict = try await place.run("prefetch", list, "--strict", "--json")
        await server.stop()

        #expect(lenient.code == 0)
        #expect(try lenient.objects("rejected").first?.number("line") == 2)
        #expect(strict.code == 3)
        #expect(try strict.objects("summary").first?.number("exit") == 3)
    }
}

extension Workplace {
    /// The files in the cache that hold contents, temporary ones included.
    func blobs() throws -> [URL] { try files(in: "cache/v3/blobs") }

    /// The files that hold contents, the packs of small ones too.
    func contents() throws -> [URL] { try blobs() }

    private func files(in name: String) throws -> [URL] {
        let files = FileManager.default.enumerator(
            at: folder.appending(path: name), includingPropertiesForKeys: [.isRegularFileKey])
        return try (files?.compactMap { $0 as? URL } ?? [])
            .filter { try $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true }
    }
}
