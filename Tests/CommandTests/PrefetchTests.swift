import AlcedoDemoServer
import FaultServer
import Foundation
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct PrefetchTests {
    @Test func `a list is fetched once and then found in the cache, even without the server`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start([
            "/a.webp": .picture(try Pictures.bytes()), "/b.png": .picture(try Pictures.bytes("sunrise-poster.png")),
        ])
        let list = try place.write("\(server.url("/a.webp"))\n# a comment\n\n\(server.url("/b.png"))\n", to: "list.txt")

        let first = try await place.run("prefetch", list, "--json")
        let second = try await place.run("prefetch", list, "--json")
        await server.stop()
        let third = try await place.run("prefetch", list, "--json")

        #expect([first.code, second.code, third.code] == [0, 0, 0])
        #expect(try first.objects("item").map { $0["status"] } == ["fetched", "fetched"])
        #expect(try second.objects("item").map { $0["status"] } == ["hit", "hit"])
        #expect(try third.objects("summary").first?.number("hits") == 2)
        #expect(try third.objects("summary").first?.number("fetched") == 0)
        #expect(await server.requests.count == 2)
    }

    @Test func `the list of the demo server is fetched except for its missing address`() async throws {
        let place = try Workplace()
        let server = try await DemoServer.start(pictures: BuiltProgram.picture(""), rate: nil)
        let list = try place.write(server.urls.joined(separator: "\n"), to: "demo.txt")

        let result = try await place.run("prefetch", list, "--json")
        await server.stop()

        #expect(result.code == 3)
        let summary = try #require(try result.objects("summary").first)
        #expect(summary.number("failed") == 1)
        #expect(summary.number("fetched") == server.urls.count - 1)
    }

    @Test func `a list on standard input is fetched`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start(["/a.webp": .picture(try Pictures.bytes())])

        let result = try await place.run("prefetch", "-", "--json", input: server.url("/a.webp"))
        await server.stop()

        #expect(result.code == 0)
        #expect(try result.objects("item").map { $0["status"] } == ["fetched"])
    }

    @Test(arguments: ["--jobs", "--per-host"])
    func `with one transfer at a time the requests are in list order`(flag: String) async throws {
        let place = try Workplace()
        let picture = try Pictures.bytes()
        let server = try await FaultServer.start { _, _ in .picture(picture) }
        let paths = (0..<30).map { "/\($0).webp" }
        let list = try place.write(paths.map(server.url).joined(separator: "\n"), to: "list.txt")

        let result = try await place.run("prefetch", list, flag, "1")
        let asked = await server.requests.map(\.path)
        await server.stop()

        #expect(result.code == 0)
        #expect(asked == paths)
    }

    @Test func `the same address twice is fetched once`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start(["/a.webp": .picture(try Pictures.bytes())])
        let list = try place.write("\(server.url("/a.webp"))\n\(server.url("/a.webp"))\n", to: "list.txt")

        let result = try await place.run("prefetch", list, "--json")
        let count = await server.count(of: "/a.webp")
        await server.stop()

        #expect(result.code == 0)
        #expect(Set(try result.objects("item").compactMap { $0["status"] }) == ["fetched", "duplicate"])
        #expect(count == 1)
    }

    @Test func `refresh fetches again what is cached`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start(["/a.webp": .picture(try Pictures.bytes())])
        let list = try place.write(server.url("/a.webp"), to: "list.txt")

        _ = try await place.run("prefetch", list)
        let result = try await place.run("prefetch", list, "--refresh", "--json")
        let count = await server.count(of: "/a.webp")
        await server.stop()

        #expect(try result.objects("item").map { $0["status"] } == ["fetched"])
        #expect(count == 2)
    }

    @Test func `plain output ends with what was fetched and what failed`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start(["/a.webp": .picture(try Pictures.bytes())])
        let list = try place.write("\(server.url("/a.webp"))\n\(server.url("/gone.png"))\n", to: "list.txt")

        let result = try await place.run("prefetch", list)
        await server.stop()

        #expect(result.code == 3)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("fetched 1"))
        #expect(result.errors.contains("failed  line 2  \(server.url("/gone.png"))  404 Not Found"))
    }

    @Test func `a dry run prints the addresses to fetch and fetches nothing`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start(["/a.webp": .picture(try Pictures.bytes())])
        #expect(try await place.run("prefetch", server.url("/a.webp")).code == 0)
        let long = "/" + String(repeating: "c", count: 900) + ".webp"
        let addresses = ["/a.webp", "/b.webp?token=hush", "/b.webp?token=hush", long].map(server.url)
        let list = try place.write(addresses.joined(separator: "\n"), to: "list.txt")

        let result = try await place.run("prefetch", list, "--dry-run")
        await server.stop()

        #expect(result.code == 0)
        #expect(result.output == "\(server.url("/b.webp?token=…"))\n\(server.url(long))\n")
        #expect(result.errors.contains("hits 1   duplicates 1   to fetch 2"))
        #expect(await server.requests.count == 1)
    }

    @Test func `a dry run creates no cache folder`() async throws {
        let place = try Workplace()
        let folder = place.path("no-cache")
        let address = "http://127.0.0.1:1/a.webp"
        let result = try await place.run(
            "prefetch", address, "--dry-run", environment: ["ALCEDO_CACHE_DIR": folder])
        #expect(result.code == 0 && result.output == "\(address)\n")
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test func `a list without pictures is reported`() async throws {
        let place = try Workplace()
        let list = try place.write("# nothing yet\n\n", to: "list.txt")
        let result = try await place.run("prefetch", list)
        #expect(result.code == 0 && result.errors.contains("the lists name no pictures"))
    }

    @Test(
        arguments: [
            ("www.example.com/a.png", "a URL begins with https://"), ("shw", "alcedo --help lists the commands"),
            ("photos.2024/a.png", "no such file or folder\n"), ("a.png", "no such file or folder\n"),
        ])
    func `a missing file is reported with a hint at an address or a command`(name: String, hint: String) async throws {
        let place = try Workplace()
        #expect(try await place.run("prefetch", name).errors.contains(hint))
    }

    @Test func `--verbose names the responding address where it differs`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start([
            "/a.webp": .redirect(to: "/b.webp"), "/b.webp": .picture(try Pictures.bytes()), "/gone.webp": .status(404),
            "/mirror.webp": .picture(try Pictures.bytes("bubbles.webp")),
        ])
        // A mirror of its own: one that another line has stored already is a hit, which no server answers.
        let mirrors = "\(server.url("/gone.webp"))\t\(server.url("/mirror.webp"))\n"
        let list = try place.write("\(server.url("/a.webp"))\n\(server.url("/b.webp#x"))\n\(mirrors)", to: "list.txt")

        let result = try await place.run("prefetch", list, "--verbose", "--jobs", "1")
        await server.stop()

        // The pictures are decoded side by side, so that their lines come in any order, and the progress between them.
        let lines = result.errors.split(separator: "\n").filter { $0.contains("  line ") }
        let own = lines.filter { line in
            !["/b.webp", "/mirror.webp"].contains { line.hasSuffix("  by \(server.url($0))") }
        }
        #expect(lines.count == 3 && own.count == 1)
        #expect(own.allSatisfy { $0.contains("/b.webp") && !$0.contains("  by ") })
    }

    @Test func `--quiet prints nothing after success`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start(["/a.webp": .picture(try Pictures.bytes())])

        let result = try await place.run("prefetch", server.url("/a.webp"), "--quiet")
        await server.stop()

        #expect(result.code == 0)
        #expect(result.everything.isEmpty)
    }
}
