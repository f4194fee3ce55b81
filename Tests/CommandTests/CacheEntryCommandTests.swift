import FaultServer
import Foundation
import TestSupport
import Testing

/// The cache commands that are about single entries, and what prunes and checks.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CacheEntryCommandTests {
    @Test func `show prints an entry by its address and by its key prefix`() async throws {
        let place = try Workplace()
        let kelp = try #require(try await place.fill().first { $0.hasSuffix("kelp.jpg") })

        let byAddress = try await place.run("cache", "show", kelp)
        let facts = try #require(try await place.run("cache", "show", kelp, "--json").objects().first)
        let key = try #require(facts["key"])
        let byKey = try await place.run("cache", "show", String(key.prefix(8)))

        #expect(byAddress.code == 0 && byAddress.output.contains(kelp))
        #expect(byKey.code == 0 && byKey.output.contains(kelp))
        #expect(facts.number("v") == 1 && facts["state"] == "live" && facts["eviction"]?.isEmpty == false)
    }

    @Test(arguments: [["show", "https://nowhere/x"], ["get", "abcdef12", "-o", "x"], ["pin", "nothing"]])
    func `an unknown entry is an error with its name`(arguments: [String]) async throws {
        let result = try await Workplace().start(["cache"] + arguments).end()

        #expect(result.code == 1 && result.output.isEmpty)
        #expect(result.errors.contains(arguments[1]))
    }

    @Test func `get writes the bytes and overwrites only with --force`() async throws {
        let place = try Workplace()
        let kelp = try #require(try await place.fill().first { $0.hasSuffix("kelp.jpg") })
        let file = place.path("kelp.jpg")

        let first = try await place.run("cache", "get", kelp, "-o", file)
        let again = try await place.run("cache", "get", kelp, "-o", file)
        let forced = try await place.run("cache", "get", kelp, "-o", file, "--force")
        let output = try await place.run("cache", "get", kelp, "-o", "-")

        #expect(first.code == 0 && forced.code == 0)
        #expect(again.code == 1 && again.errors.contains("--force"))
        #expect(try Data(contentsOf: URL(filePath: file)) == Data(Pictures.bytes("kelp.jpg")))
        #expect(output.bytes == Data(try Pictures.bytes("kelp.jpg")))
    }

    @Test func `export writes the selected entries into a folder and overwrites nothing`() async throws {
        let place = try Workplace()
        let addresses = try await place.fill()
        let folder = place.path("new/pictures")

        let one = try await place.run("cache", "export", "kelp", "-o", folder)
        let all = try await place.run("cache", "export", "-o", folder)
        let none = try await place.run("cache", "export", "nothing-like-it", "-o", folder)

        #expect(one.code == 0 && one.errors == "exported 1 picture to \(folder)\n")
        #expect(try Data(contentsOf: URL(filePath: folder + "/kelp.jpg")) == Data(Pictures.bytes("kelp.jpg")))
        #expect(all.code == 1 && all.errors.contains("exported \(addresses.count - 1) of \(addresses.count); 1 failed"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == addresses.count)
        #expect(none.code == 0 && none.errors == "nothing matches\n")
    }

    @Test func `exported files have the extension of their format and names that fit`() async throws {
        let (long, body) = (String(repeating: "y", count: 300), try Pictures.bytes())
        let paths = ["/download", "/weird%2Fname%20x.png", "/\(long).jpg", "/\(long).webp"]
        let server = try await FaultServer.start(Dictionary(uniqueKeysWithValues: paths.map { ($0, .picture(body)) }))
        let place = try Workplace()
        let list = try place.write(paths.map { server.url($0) + "\n" }.joined(), to: "list.txt")
        let fetched = try await place.run("prefetch", list)
        let exported = try await place.run("cache", "export", "-o", place.path("out"))
        await server.stop()
        #expect(fetched.code == 0 && exported.code == 0, "\(exported.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: place.path("out")).sorted()
        let cut = String(repeating: "y", count: 160)
        #expect(names == ["download.webp", "weird_name x.webp", "\(cut)-2.webp", "\(cut).webp"])
    }

    @Test func `pin and unpin accept a filter instead of names`() async throws {
        let place = try Workplace()
        let addresses = try await place.fill()

        let pinned = try await place.run("cache", "pin", "--where", "!kelp")
        let left = try await place.run("cache", "ls", "!state:pinned", "--json")
        let released = try await place.run("cache", "unpin", "--where", "state:pinned")

        #expect(pinned.code == 0 && pinned.output == "Pinned \(addresses.count - 1) entries.\n")
        #expect(try left.objects().map { $0["url"]?.hasSuffix("kelp.jpg") } == [true])
        #expect(released.code == 0 && released.output == "Unpinned \(addresses.count - 1) entries.\n")
        #expect(try await place.run("cache", "pin").code == 2)
        #expect(try await place.run("cache", "pin", "x", "--where", "y").code == 2)
        #expect(try await place.run("cache", "pin", "--where", "w>").errors.contains("in the filter"))
    }

    @Test func `prune keeps pinned entries, and a filter finds them`() async throws {
        let place = try Workplace()
        let kelp = try #require(try await place.fill().first { $0.hasSuffix("kelp.jpg") })

        let pinned = try await place.run("cache", "pin", kelp)
        let pruned = try await place.run("cache", "prune", "--max-size", "0", "--yes", "--json")
        let left = try await place.run("cache", "ls", "state:pinned", "--json")
        let released = try await place.run("cache", "unpin", kelp, "--json")
        let none = try await place.run("cache", "ls", "state:pinned")

        #expect(pinned.code == 0 && pinned.output == "Pinned 1 entry.\n")
        #expect(try pruned.objects().first?.number("entries") == 2)
        #expect(pruned.errors.contains("more than 0 B: 1 pinned; unpin them with 'alcedo cache unpin'"))
        #expect(try left.objects().map { $0["url"] } == [kelp])
        #expect(try released.objects().first?.number("entries") == 1)
        #expect(none.output.isEmpty && none.errors == "no entry matches\n")
    }

    @Test func `prune prints what it would remove and removes only with --yes`() async throws {
        let place = try Workplace()
        try await place.fill()

        let dry = try await place.run("cache", "prune", "--max-size", "100K", "--dry-run", "--json")
        let unasked = try await place.run("cache", "prune", "--max-size", "100K")
        let nothing = try await place.run("cache", "prune", "--yes", "--max-size", "1G")
        let listing = try await place.run("cache", "ls")

        #expect(try dry.objects().first?.number("entries") ?? 0 > 0)
        #expect(unasked.code == 2 && unasked.errors.contains("--yes"))
        #expect(nothing.code == 0 && nothing.output == "Removed 0 entries, 0 B.\n" && nothing.errors.isEmpty)
        #expect(listing.lines.count == 3)
    }

    @Test(arguments: [["--older-than", "9"], ["--unused", "x"], ["--max-size", "-1"], ["--max-size", "1X"]])
    func `an invalid prune value is a usage error with its option`(arguments: [String]) async throws {
        let result = try await Workplace().start(["cache", "prune"] + arguments).end()

        #expect(result.code == 2)
        #expect(result.errors.contains(arguments[0]))
    }

    @Test func `verify finds, reports and repairs damage`() async throws {
        let place = try Workplace()
        try await place.fill()
        let sound = try await place.run("cache", "verify", "--full")
        for file in try place.blobs() {
            var bytes = try Data(contentsOf: file)
            bytes[100] ^= 1
            try bytes.write(to: file)
        }

        let quick = try await place.run("cache", "verify")
        let full = try await place.run("cache", "verify", "--full", "--json")
        let damaged = try await place.run("cache", "ls", "state:damaged")
        let repaired = try await place.run("cache", "verify", "--full", "--repair")
        let after = try await place.run("cache", "verify", "--full")

        #expect(sound.code == 0 && quick.code == 0)
        let found = try #require(try full.objects().first).number("damaged") ?? 0
        #expect(full.code == 1 && found > 0 && damaged.lines.count == found)
        #expect(repaired.code == 0 && after.code == 0)
    }

    @Test func `rm needs a filter and accepts a glob`() async throws {
        let place = try Workplace()
        try await place.fill()

        let blank = try await place.run("cache", "rm", " ", "--yes")
        let removed = try await place.run("cache", "rm", "/*.jpg", "--yes", "--json")

        #expect(blank.code == 2)
        #expect(try removed.objects().first?.number("entries") == 2)
        #expect(try await place.run("cache", "ls").lines.count == 1)
    }

    @Test func `the secret of an address is not written to the cache folder`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start(["/a.webp?token=sup3rs3cr3t": .picture(try Pictures.bytes())])
        let list = try place.write(server.url("/a.webp?token=sup3rs3cr3t"), to: "list.txt")

        let run = try await place.run("prefetch", list, "--quiet")
        let listing = try await place.run("cache", "ls")
        await server.stop()

        #expect(run.code == 0 && listing.output.contains("token=…"))
        let files = FileManager.default.enumerator(
            at: URL(filePath: place.path("cache")), includingPropertiesForKeys: nil)
        for case let file as URL in try #require(files) {
            guard let bytes = try? Data(contentsOf: file) else { continue }
            #expect(bytes.range(of: Data("sup3rs3cr3t".utf8)) == nil, "\(file.lastPathComponent)")
        }
    }
}
