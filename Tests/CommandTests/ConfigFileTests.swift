import FaultServer
import Foundation
import TestSupport
import Testing

/// What the config file does to the other commands.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ConfigFileTests {
    private let place: Workplace

    init() throws { place = try Workplace() }

    private func configure(_ text: String) throws { try place.write(text, to: "home/.config/alcedo/config.toml") }

    /// How often a picture that fails was asked for.
    private func attempts(_ arguments: String...) async throws -> Int? {
        let server = try await FaultServer.start(["/a.webp": .reset])
        let words = ["prefetch", server.url("/a.webp"), "--json", "--retry-delay", "1ms"] + arguments
        let result = try await place.start(words).end()
        await server.stop()
        return try result.objects("item").first?.number("attempts")
    }

    @Test func `options override the file, the file overrides the default`() async throws {
        try configure("[retrying]\nretries = 1\n")

        #expect(try await attempts() == 2)
        #expect(try await attempts("--retries", "0") == 1)
        #expect(try await attempts("--no-config") == 4)
    }

    @Test func `--no-quiet overrides the flag in the file`() async throws {
        try configure("[prefetch]\nquiet = true\n")
        let list = try place.write("", to: "list.txt")

        let quiet = try await place.run("prefetch", list)
        let loud = try await place.run("prefetch", list, "--no-quiet")
        let without = try await place.run("prefetch", list, "--no-config")

        #expect(quiet.everything.isEmpty && quiet.code == 0)
        // The summary tells the time it took, so only its counts compare.
        for result in [loud, without] { #expect(result.everything.contains("fetched 0")) }
    }

    @Test func `the environment overrides the file`() async throws {
        try configure("[cache]\nfolder = \"/somewhere\"\nmax-size = \"3G\"\n")

        let named = try await place.run("cache", "dir")
        let unnamed = try await place.run("cache", "dir", environment: ["ALCEDO_CACHE_DIR": nil])
        let without = try await place.run("cache", "dir", "--no-config", environment: ["ALCEDO_CACHE_DIR": nil])
        let statistics = try await place.run("cache", "stats")

        #expect(named.output == place.path("cache") + "\n")
        #expect(unnamed.output == "/somewhere\n")
        #expect(without.output == place.path("home/.cache/alcedo") + "\n")
        #expect(statistics.output.contains("3.0 GiB"))
    }

    @Test func `ALCEDO_CONFIG selects another file`() async throws {
        try configure("broken")
        let other = try place.write("[cache]\nfolder = \"/other\"\n", to: "other.toml")

        let environment: [String: String?] = ["ALCEDO_CONFIG": other, "ALCEDO_CACHE_DIR": nil]
        let result = try await place.run("cache", "dir", environment: environment)

        #expect(result.code == 0 && result.output == "/other\n")
    }

    @Test(arguments: [
        ["prefetch", "list.txt"], ["check", "list.txt"], ["show", "a.png"], ["export", "a.png", "-o", "b.png"],
        ["cache", "dir"], ["cache", "stats"], ["cache", "ls"], ["cache", "rm", "x"], ["cache", "clear"], ["demo"],
        ["config"],
    ])
    func `an invalid config file ends every command that reads it with exit code 2`(arguments: [String]) async throws {
        try configure("[transfers]\njobs = 0\n")

        let result = try await place.start(arguments).end()

        #expect(result.code == 2)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("/home/.config/alcedo/config.toml:2:8: jobs takes "))
        #expect(result.errors.contains("--no-config"))
    }

    @Test func `all faults are printed, one a line, without lists of names`() async throws {
        try configure("[transfers]\njobs = 0\n[keys]\nexprt = 'e'\nnosuch = 'x'\nmark = 'spac'\n[browser\n[cahce]\n")

        let result = try await place.run("cache", "dir", environment: ["ALCEDO_CACHE_DIR": "relative"])

        let lines = result.errors.split(separator: "\n").map { $0.replacing("alcedo: ", with: "") }
        let file = place.path("home/.config/alcedo/config.toml")
        #expect(
            lines == [
                "\(file):2:8: jobs takes a number from 1 to 1024, not 0",
                "\(file):4:1: there is no action 'exprt'; did you mean export?",
                "\(file):5:1: there is no action 'nosuch'",
                "\(file):6:8: mark takes 'spac', which is no key; did you mean space?",
                "\(file):7:9: invalid TOML: expected ], not the end of the line",
                "\(file):8:1: there is no section [cahce]; did you mean cache?",
                "$ALCEDO_CACHE_DIR: takes an absolute path, not 'relative'",
                "alcedo config --default has every name; --no-config ignores the file",
            ])
        #expect(result.code == 2)
    }

    @Test func `an invalid config file does not keep the browser from starting`() async throws {
        try configure("[transfers]\njobs = 0\n")

        let result = try await place.run("browse", try place.write("", to: "list.txt"))

        #expect(!result.errors.contains("config.toml") && result.errors.contains("terminal"))
    }

    @Test func `doctor reports an invalid config file and continues`() async throws {
        try configure("[transfers]\njobs = 0\n")

        let result = try await place.run("doctor")

        #expect(result.code == 0)
        #expect(result.output.contains("config.toml:2:8: jobs takes "))
    }

    @Test(arguments: ["/dev/zero", "/etc", "/nowhere/config.toml"])
    func `a path that is not a config file is refused with its name`(file: String) async throws {
        let result = try await place.run("cache", "dir", environment: ["ALCEDO_CONFIG": file])

        #expect(result.code == 2)
        #expect(result.errors.contains(file))
    }

    @Test func `relative addresses of a page are resolved against --base`() async throws {
        let server = try await FaultServer.start(["/album/a.webp": .picture(try Pictures.bytes())])
        let page = try place.write("<!doctype html><img src=\"a.webp\">", to: "page.html")

        let result = try await place.run("prefetch", page, "--base", server.url("/album/"), "--json")
        let bad = try await place.run("prefetch", page, "--base", "ftp://host/")
        await server.stop()

        #expect(result.code == 0)
        #expect(try result.objects("item").map { $0["url"] } == [server.url("/album/a.webp")])
        #expect(bad.code == 2 && bad.errors.contains("--base"))
    }

    @Test func `a list linked twice fails only in strict mode`() async throws {
        let server = try await FaultServer.start([
            "/list.txt": .respond(body: Array("a.webp\n".utf8)), "/a.webp": .picture(try Pictures.bytes()),
        ])
        let name = "<sitemap><loc>\(server.url("/list.txt"))</loc></sitemap>"
        let list = try place.write(
            "<?xml version=\"1.0\"?><sitemapindex>\(name)\(name)</sitemapindex>", to: "index.xml")

        let lenient = try await place.run("prefetch", list, "--json")
        let strict = try await place.run("prefetch", list, "--json", "--strict")
        await server.stop()

        #expect(lenient.code == 0 && strict.code == 3)
        #expect(try lenient.objects("item").map { $0["url"] } == [server.url("/a.webp")])
        #expect(try strict.objects("rejected").first?["reason"]?.contains("named before") == true)
    }
}
