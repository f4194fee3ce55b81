import FaultServer
import Foundation
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct CacheCommandTests {
    @Test func `dir prints the folder, as text and as JSON`() async throws {
        let place = try Workplace()

        let text = try await place.run("cache", "dir")
        let json = try await place.run("cache", "dir", "--json")

        #expect(text.output == place.path("cache") + "\n")
        #expect(try json.objects().map { $0["folder"] } == [place.path("cache")])
    }

    @Test func `stats of an empty cache are zero`() async throws {
        let place = try Workplace()

        let text = try await place.run("cache", "stats")
        let json = try await place.run("cache", "stats", "--json")

        #expect(text.code == 0 && text.output.contains("entries    0"))
        let facts = try #require(try json.objects().first)
        #expect(facts.number("v") == 1 && facts.number("entries") == 0 && facts.number("bytes") == 0)
        #expect(facts.number("limit") == 5 << 30)
    }

    @Test func `stats count entries and bytes`() async throws {
        let place = try Workplace()
        try await place.fill()

        let facts = try #require(try await place.run("cache", "stats", "--json").objects().first)

        #expect(facts.number("entries") == 3)
        #expect(try facts.number("bytes") == Workplace.names.map { try Pictures.bytes($0).count }.reduce(0, +))
    }

    @Test func `several processors on a cached picture count as one hit`() async throws {
        let place = try Workplace()
        let picture = try Pictures.bytes()
        let server = try await FaultServer.start(["/a.webp": .picture(picture)])
        let address = server.url("/a.webp")
        _ = try await place.run("prefetch", address)
        _ = try await place.run("prefetch", address, "--process", "bw", "--process", "flip(horizontal)")
        await server.stop()

        let facts = try #require(try await place.run("cache", "stats", "--json").objects().first)

        #expect(facts.number("entries") == 3 && facts.number("diskHits") == 1 && facts.number("misses") == 1)
        #expect(facts.number("bytesSaved") == picture.count)
    }

    @Test func `ls lists every entry in columns`() async throws {
        let place = try Workplace()
        try await place.fill()

        let result = try await place.run("cache", "ls")

        #expect(result.code == 0)
        #expect(result.lines.count == 3)
        let starts = result.lines.map { $0.prefix { $0 != ":" }.count }
        #expect(Set(starts).count == 1, "the addresses are not below each other: \(result.lines)")
    }

    @Test(arguments: [
        (["type:WebP"], ["fjord.webp"]), (["kelp"], ["kelp.jpg"]), (["host:example.org"], []),
        (["size>100K", "type:JPEG"], ["kelp.jpg"]), (["size<30K"], ["fjord.webp"]),
        (["--sort", "size"], ["kelp.jpg", "volcano.jpg", "fjord.webp"]),
        (["--sort", "size", "--reverse"], ["fjord.webp", "volcano.jpg", "kelp.jpg"]),
        (["--sort", "size", "--top", "1"], ["kelp.jpg"]), (["--top", "0"], []),
    ])
    func `ls applies filter, order and limit`(arguments: [String], names: [String]) async throws {
        let place = try Workplace()
        try await place.fill()

        let result = try await place.start(["cache", "ls", "--json"] + arguments).end()

        #expect(result.code == 0)
        #expect(try result.objects().map { $0["url"]?.split(separator: "/").last.map(String.init) } == names)
    }

    @Test func `ls --json contains size, format, kind and digest of an entry`() async throws {
        let place = try Workplace()
        try await place.fill()

        let entry = try #require(try await place.run("cache", "ls", "--json", "fjord").objects().first)

        #expect(entry.number("width") == 1500 && entry.number("height") == 950)
        #expect(entry["format"] == "WebP" && entry["kind"] == "original")
        #expect(try entry.number("bytes") == Pictures.bytes("fjord.webp").count)
        #expect(entry["sha256"]?.count == 64)
    }

    @Test(arguments: [["cache", "rm", "fjord"], ["cache", "clear"]])
    func `without a terminal and without --yes nothing is removed`(arguments: [String]) async throws {
        let place = try Workplace()
        try await place.fill()

        let result = try await place.start(arguments, input: "y\n").end()
        let listing = try await place.run("cache", "ls")

        #expect(result.code == 2)
        #expect(result.errors.contains("--yes"))
        #expect(listing.lines.count == 3)
    }

    @Test func `a dry run prints what would be removed and removes nothing`() async throws {
        let place = try Workplace()
        try await place.fill()

        let result = try await place.run("cache", "rm", "type:JPEG", "--dry-run")
        let json = try await place.run("cache", "clear", "--dry-run", "--json")
        let listing = try await place.run("cache", "ls")

        #expect(result.code == 0 && result.output.hasPrefix("Would remove 2 entries"))
        #expect(try json.objects().first?.number("entries") == 3)
        #expect(listing.lines.count == 3)
    }

    @Test func `rm of an unknown key fails, of a filter without matches succeeds`() async throws {
        let place = try Workplace()
        try await place.fill()

        let named = try await place.run("cache", "rm", "key:https://nowhere.example/a.png", "--yes")
        let terms = try await place.run("cache", "rm", "host:nowhere.example", "--yes")

        #expect(named.code == 1 && named.output.hasPrefix("Removed 0 entries"))
        #expect(terms.code == 0)
    }

    @Test func `rm removes the entries that the filter selects and their files`() async throws {
        let place = try Workplace()
        try await place.fill()

        let result = try await place.run("cache", "rm", "type:JPEG", "--yes", "--json")
        let listing = try await place.run("cache", "ls", "--json")

        #expect(result.code == 0)
        #expect(try result.objects().first?.number("entries") == 2)
        #expect(try listing.objects().compactMap { $0["url"] }.allSatisfy { $0.hasSuffix("fjord.webp") })
        #expect(try listing.objects().count == 1)
        #expect(try place.blobs().count <= 1)
    }

    @Test func `clear removes files that a lost index does not know`() async throws {
        let place = try Workplace()
        try await place.fill()
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: place.path("cache/v3/index.sqlite" + suffix))
        }

        let result = try await place.run("cache", "clear", "--yes")

        #expect(result.code == 0)
        for folder in ["blobs"] {
            let left = FileManager.default.enumerator(atPath: place.path("cache/v3/\(folder)"))?.allObjects ?? []
            #expect(left.isEmpty)
        }
    }

    @Test func `clear removes everything`() async throws {
        let place = try Workplace()
        try await place.fill()

        let result = try await place.run("cache", "clear", "--yes")
        let listing = try await place.run("cache", "ls")

        #expect(result.code == 0 && result.output.hasPrefix("Removed 3 entries"))
        #expect(listing.code == 0 && listing.output.isEmpty)
        #expect(try place.contents().isEmpty)
    }

    @Test func `a damaged index is recreated and the cache stays usable`() async throws {
        let place = try Workplace()
        try await place.fill()
        try place.write("no database at all", to: "cache/v3/index.sqlite")

        let result = try await place.run("cache", "ls")

        #expect(result.code == 0)
        expectSafe(result.everything)
    }

    @Test func `a damaged blob is not shown as a picture`() async throws {
        let place = try Workplace()
        let addresses = try await place.fill()
        let kelp = try #require(addresses.first { $0.hasSuffix("kelp.jpg") })
        let whole = try await place.run("show", "--format", "ppm", "--size", "9x9", kelp)
        for file in try place.blobs() { try Data("overwritten".utf8).write(to: file) }

        let damaged = try await place.run("show", "--format", "ppm", "--size", "9x9", "--process", "bw", kelp)

        #expect(whole.code == 0)
        #expect(damaged.code == 4)
        #expect(damaged.output.isEmpty)
    }
}

extension Workplace {
    static let names = ["fjord.webp", "kelp.jpg", "volcano.jpg"]

    /// Prefetches three pictures from a server that is gone afterwards, and answers their addresses.
    @discardableResult
    func fill() async throws -> [String] {
        let server = try await FaultServer.start(
            Dictionary(uniqueKeysWithValues: try Self.names.map { ("/\($0)", .picture(try Pictures.bytes($0))) }))
        let addresses = Self.names.map { server.url("/\($0)") }
        let list = try write(addresses.joined(separator: "\n"), to: "fill.txt")
        _ = try await run("prefetch", list, "--quiet")
        await server.stop()
        return addresses
    }
}
