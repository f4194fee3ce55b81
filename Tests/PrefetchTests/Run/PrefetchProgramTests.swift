import AlcedoLists
import FaultServer
import Foundation
import ImageLoading
import ProgramTestSupport
import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch

@Suite(.timeLimit(.minutes(1))) struct PrefetchProgramTests {
    let place: TemporaryFolder
    private let captured: CapturedConsole
    private let clock = ManualClock()

    init() throws {
        place = try TemporaryFolder()
        captured = try CapturedConsole()
    }

    func program(
        _ lists: [String], change: (inout PrefetchSettings) -> Void = { _ in }
    ) throws -> PrefetchProgram {
        var settings = PrefetchSettings()
        settings.lists = lists
        settings.library = Fixtures.library(in: place)
        settings.printsJSON = true
        change(&settings)
        return try PrefetchProgram(settings: settings, console: captured.console, clock: clock)
    }

    /// The objects of one type that were printed.
    private func objects(_ type: String) throws -> [[String: Any]] {
        try captured.objects.filter { $0["type"] as? String == type }
    }

    /// Waits until so many items have been reported: while one is stored, the next is on its way.
    func reports(_ count: Int) async throws {
        try await until { try captured.output.components(separatedBy: #""type":"item""#).count > count }
    }

    @Test func `a second run finds the picture in the cache without the server`() async throws {
        // Given a list of one picture and one address that is lost
        let server = try await FaultServer.start([
            "/a.png": .picture(try Fixtures.png()), "/lost.png": .status(404),
        ])
        let urls = [server.url("/a.png"), server.url("/lost.png"), server.url("/a.png")]
        // When it is prefetched, then again without the server
        let first = try await program(urls).run()
        await server.stop()
        let second = try await program([urls[0]]).run()
        // Then the first run fetched what there was, once, and the second found it
        #expect(first.fetched == 1 && first.failed == 1 && first.duplicates == 1 && first.exitCode == 3)
        #expect(second.hits == 1 && second.failed == 0 && second.exitCode == 0)
    }

    @Test func `every item is reported once between start and summary`() async throws {
        let server = try await FaultServer.start(["/a.png": .picture(try Fixtures.png())])
        let address = server.url("/a.png?token=hush")
        let list = try place.write("list.txt", "\(address)\nftp://host/b.png\n\(address)\n".utf8)
        _ = try await program([list]).run()
        await server.stop()
        let types = try captured.objects.compactMap { $0["type"] as? String }
        #expect(types.first == "start" && types.last == "summary")
        #expect(try objects("item").compactMap { $0["line"] as? Int }.sorted() == [1, 3])
        #expect(try objects("rejected").compactMap { $0["line"] as? Int } == [2])
        #expect(try !captured.output.contains("hush"))
    }

    @Test func `relative locations are resolved against the base`() async throws {
        let server = try await FaultServer.start(["/album/a.png": .picture(try Fixtures.png())])
        let list = try place.write("page.html", "<!doctype html><img src=\"a.png\">".utf8)
        let tally = try await program([list]) { $0.base = .web(server.url("/album/")) }.run()
        await server.stop()
        #expect(tally.fetched == 1 && tally.exitCode == 0)
    }

    @Test func `the list of failures can be prefetched again`() async throws {
        // Given a run with a picture that fails at first, and a list of failures
        let server = try await FaultServer.start([
            "/a.png": [.picture(try Fixtures.png())], "/b.png": [.status(404), .picture(try Fixtures.png())],
        ])
        let failed = place / "failed.txt"
        let first = try await program([server.url("/a.png"), server.url("/b.png")]) { $0.failedFile = failed }.run()
        // When that list is prefetched
        let second = try await program([failed]).run()
        await server.stop()
        // Then it holds the failed one alone, which is fetched now
        #expect(first.failed == 1 && first.exitCode == 3)
        #expect(second.items == 1 && second.fetched == 1 && second.exitCode == 0)
    }

    @Test func `the first signal lets running transfers finish`() async throws {
        // Given one transfer under way and one that waits for it
        let gate = FaultGate()
        let picture = try Fixtures.png()
        let server = try await FaultServer.start([
            "/a.png": .pauseInBody(picture, after: 10, until: gate), "/b.png": .picture(picture),
        ])
        let program = try program([server.url("/a.png"), server.url("/b.png")]) { $0[.jobs] = 1 }
        let running = Task { try await program.run() }
        await server.arrival(of: "/a.png")
        // When the user interrupts, and the transfer goes on
        await program.interrupt(signal: 2)
        gate.open()
        let tally = try await running.value
        // Then it is kept, and the other never asked for
        #expect(tally.fetched == 1 && tally.exitCode == 130)
        #expect(await server.count(of: "/b.png") == 0)
        await server.stop()
    }

    @Test func `the first signal prints a message at once`() async throws {
        let server = try await FaultServer.start(["/a.png": .stall])
        let program = try program([server.url("/a.png")]) { $0.printsJSON = false }
        let running = Task { try await program.run() }
        await server.arrival(of: "/a.png")
        await program.interrupt(signal: 2)
        #expect(try captured.messages.contains("press ctrl-c again to stop now"))
        await program.interrupt(signal: 2)
        _ = try await running.value
        await server.stop()
    }

    @Test func `the second signal cancels running transfers at once`() async throws {
        let server = try await FaultServer.start(["/a.png": .stall])
        let program = try program([server.url("/a.png")])
        let running = Task { try await program.run() }
        await server.arrival(of: "/a.png")
        await program.interrupt(signal: 15)
        await program.interrupt(signal: 15)
        let tally = try await running.value
        await server.stop()
        #expect(tally.cancelled == 1 && tally.failed == 0 && tally.exitCode == 143)
    }

    @Test func `a forced run fetches cached pictures again`() async throws {
        let server = try await FaultServer.start(["/a.png": .picture(try Fixtures.png())])
        _ = try await program([server.url("/a.png")]).run()
        let tally = try await program([server.url("/a.png")]) { $0.freshness = .force }.run()
        #expect(tally.fetched == 1 && tally.hits == 0)
        #expect(await server.count(of: "/a.png") == 2)
        await server.stop()
    }

    @Test func `a missing list ends the run if it is the only one`() async throws {
        let program = try program(["/nowhere/list.txt"])
        let problem = await #expect(throws: ProgramProblem.self) { try await program.run() }
        #expect(problem?.description.contains("/nowhere/list.txt") == true)
        #expect(try objects("summary").first?["exit"] as? Int == 1)
    }

    @Test func `a missing list among several is reported and the others are read`() async throws {
        let file = try place.write("a.png", try Fixtures.png())
        let tally = try await program(["/nowhere/list.txt", file]).run()
        #expect(tally.unreadLists == 1 && tally.rejected == 0 && tally.fetched + tally.hits == 1)
        #expect(try objects("rejected").count == 1)
    }

    @Test func `an unusable cache folder is refused at the start`() {
        #expect(throws: ProgramProblem.self) {
            try program([]) { $0.library.environment = ["ALCEDO_CACHE_DIR": "relative/path"] }
        }
    }

    @Test func `a failed list that cannot be written is refused at the start`() {
        #expect(throws: ProgramProblem.self) { try program([]) { $0.failedFile = "/nowhere/failed.txt" } }
    }

    // MARK: - Lists in lists

    private static func index(_ addresses: String...) -> String {
        let maps = addresses.map { "<sitemap>\n<loc>\($0)</loc></sitemap>" }.joined()
        return "<?xml version=\"1.0\"?>\n<sitemapindex>\(maps)</sitemapindex>"
    }

    private static func map(_ addresses: String...) -> String {
        let urls = addresses.map { "<url><image:image><image:loc>\($0)</image:loc></image:image></url>" }.joined()
        return "<?xml version=\"1.0\"?><urlset xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">"
            + "\(urls)</urlset>"
    }

    private static func document(_ text: String) -> FaultScript {
        .respond(headers: [("Content-Type", "application/xml")], body: Array(text.utf8))
    }

    @Test func `each list of a sitemap index is read once`() async throws {
        // Given an index of two maps, one of which names the other's list and itself again
        let server = try await FaultServer.start { request, _ in
            let here = "http://\(request.values(of: "host").first ?? "")"
            return switch request.path {
            case "/a.xml": Self.document(Self.map("\(here)/1.png", "\(here)/2.png"))
            case "/b.xml": Self.document(Self.index("\(here)/a.xml", "\(here)/b.xml", "\(here)/c.xml"))
            case "/c.xml": Self.document(Self.map("\(here)/2.png", "\(here)/3.png"))
            default: (try? Fixtures.png()).map { .picture($0) } ?? .status(500)
            }
        }
        let list = try place.write("index.xml", Self.index(server.url("/a.xml"), server.url("/b.xml")).utf8)
        // When it is prefetched
        let tally = try await program([list]).run()
        await server.stop()
        // Then every picture is fetched once, and so is every list
        #expect(tally.fetched == 3 && tally.duplicates == 1 && tally.failed == 0)
        #expect(await server.requests.count == 6)
        #expect(try objects("rejected").count == 2)
        #expect(tally.exitCode == 0)
    }

    @Test func `a page is resolved against its final address and may not name local files`() async throws {
        // Given an address that leads to a page elsewhere, which names a picture there and a file of the user's
        let file = try place.write("own.png", try Fixtures.png())
        let page = "<!doctype html><img src=\"a.png\"><img src=\"file://\(file)\"><img src=\"/index.html\">"
        let server = try await FaultServer.start([
            "/index.html": .redirect(to: "/deep/index.html"), "/deep/a.png": .picture(try Fixtures.png()),
            "/deep/index.html": .respond(headers: [("Content-Type", "text/html")], body: Array(page.utf8)),
        ])
        // When it is prefetched
        let tally = try await program([server.url("/index.html")]).run()
        await server.stop()
        // Then the picture is found beside the page, and the file is left alone
        #expect(tally.fetched == 1 && tally.failed == 1)
        #expect(try objects("rejected").map { $0["reason"] as? String } == [ListFollowing.fileReason])
    }

    @Test func `one picture may be prefetched with several processors`() async throws {
        let file = try place.write("a.png", try Fixtures.png())
        let lines = ["bw", "flip(horizontal)", "bw"].map { "{\"url\":\"\(file)\",\"process\":\"\($0)\"}\n" }.joined()
        let tally = try await program([try place.write("list.jsonl", lines.utf8)]).run()
        #expect(tally.duplicates == 1 && tally.usable == 2)
    }

    @Test func `a rerun after too many failures does not repeat them`() async throws {
        // Given more lost pictures than are borne, and one behind them
        let server = try await FaultServer.start(["/a.png": .picture(try Fixtures.png())])
        let urls = (0..<5).map { server.url("/\($0).png") } + [server.url("/a.png")]
        let list = try place.write("list.txt", urls.joined(separator: "\n").utf8)
        let run = {
            try await program([list]) { settings in
                settings.failureLimit = .count(2)
                settings.library.environment["XDG_STATE_HOME"] = place / "state"
                (settings[.jobs], settings[.perHost]) = (1, 1)
            }.run()
        }
        // When it is prefetched twice
        let first = try await run()
        let second = try await run()
        await server.stop()
        // Then the second run goes on behind the first
        #expect(first.failedTooOften && first.fetched == 0)
        #expect(!second.failedTooOften && second.fetched == 1)
    }

    @Test(arguments: ["/map.xml", "/map.xml?page=2", "/list.TXT", "/list.txt.gz"])
    func `an address with a list extension is read as a list`(path: String) async throws {
        let server = try await FaultServer.start { request, _ in
            let picture = "http://\(request.values(of: "host").first ?? "")/1.png"
            return switch request.path {
            case let path where path.hasPrefix("/map.xml"): Self.document(Self.map(picture))
            case "/list.TXT", "/list.txt.gz": Self.document(picture)
            default: (try? Fixtures.png()).map { .picture($0) } ?? .status(500)
            }
        }
        let tally = try await program([server.url(path)]).run()
        await server.stop()
        #expect(tally.fetched == 1 && tally.items == 1 && tally.exitCode == 0)
    }

    @Test func `a list address that fails ends the run with its reason`() async throws {
        let server = try await FaultServer.start([:])
        let program = try program([server.url("/lost.txt?token=hush")])
        let problem = await #expect(throws: ProgramProblem.self) { _ = try await program.run() }
        await server.stop()
        #expect(problem?.description.contains("404 Not Found") == true)
        #expect(problem?.description.contains("hush") == false)
    }

    @Test func `a nested list that cannot be fetched is reported and the exit code is 3`() async throws {
        let server = try await FaultServer.start(["/a.png": .picture(try Fixtures.png())])
        let list = try place.write("index.xml", Self.index(server.url("/lost.xml?token=hush")).utf8)
        let tally = try await program([list, server.url("/a.png")]).run()
        await server.stop()
        #expect(tally.fetched == 1 && tally.unreadLists == 1 && tally.exitCode == 3)
        #expect((try objects("rejected").first?["reason"] as? String)?.contains("404 Not Found") == true)
        #expect(try !captured.output.contains("hush"))
    }

    @Test func `an endless chain of lists is cut at the depth limit`() async throws {
        let server = try await FaultServer.start { request, _ in
            Self.document(Self.index("http://\(request.values(of: "host").first ?? "")\(request.path)x"))
        }
        let list = try place.write("index.xml", Self.index(server.url("/a")).utf8)
        let tally = try await program([list]).run()
        await server.stop()
        #expect(await server.requests.count == ListFollowing.depthLimit)
        #expect(tally.rejected == 1 && tally.items == 0 && tally.exitCode == 4)
    }

    // MARK: - Choices

    @Test func `a dry run makes no request and writes no file`() async throws {
        let server = try await FaultServer.start(["/a.png": .picture(try Fixtures.png())])
        _ = try await program([server.url("/a.png")]).run()
        let failed = place / "failed.txt"
        let tally = try await program([server.url("/a.png"), server.url("/b.png"), server.url("/b.png")]) {
            $0.isDryRun = true
            $0.failedFile = failed
        }.run()
        await server.stop()
        #expect(tally.hits == 1 && tally.planned == 1 && tally.duplicates == 1 && tally.exitCode == 0)
        #expect(await server.requests.count == 1)
        #expect(!FileManager.default.fileExists(atPath: failed))
    }

    @Test func `a refresh revalidates cached pictures`() async throws {
        let picture = try Fixtures.png()
        let server = try await FaultServer.start([
            "/a.png": [.respond(headers: [("ETag", "\"1\"")], body: picture), .notModified()],
            "/b.png": [.picture(picture)],
        ])
        let urls = [server.url("/a.png"), server.url("/b.png")]
        _ = try await program(urls).run()
        let tally = try await program(urls) { $0.freshness = .refresh }.run()
        #expect(tally.revalidated == 1 && tally.fetched == 1 && tally.hits == 0)
        let items = try objects("item")
        #expect(items.contains { $0["status"] as? String == "revalidated" && $0["from"] as? String == "disk" })
        #expect(await server.requests.filter { $0.path == "/a.png" }.last?.values(of: "if-none-match") == ["\"1\""])
        await server.stop()
    }

    @Test func `the shards of a list cover it exactly once`() async throws {
        let picture = try Fixtures.png()
        let server = try await FaultServer.start { _, _ in .picture(picture) }
        let urls = (0..<20).map { server.url("/\($0).png") }
        var tallies: [PrefetchTally] = []
        for part in 1...3 { tallies.append(try await program(urls) { $0.shard = Shard("\(part)/3") }.run()) }
        #expect(tallies.map(\.fetched).reduce(0, +) == 20 && tallies.allSatisfy { $0.fetched + $0.elsewhere == 20 })
        #expect(await server.requests.count == 20)
        await server.stop()
    }

    @Test func `a picture with the wrong digest fails and is not stored`() async throws {
        let server = try await FaultServer.start(["/a.png": .picture(try Fixtures.png())])
        let entry = "{\"url\": \"\(server.url("/a.png"))\", \"sha256\": \"\(String(repeating: "0", count: 64))\"}"
        let list = try place.write("list.jsonl", entry.utf8)
        let tally = try await program([list]).run()
        let plain = try await program([server.url("/a.png")]).run()
        let again = try await program([list]).run()
        await server.stop()
        #expect(tally.failed == 1 && tally.exitCode == 4)
        #expect((try objects("item").first?["error"] as? [String: Any])?["code"] as? Int == 2108)
        // Nothing was kept of it, and what is kept now is not taken for it.
        #expect(plain.fetched == 1 && again.failed == 1)
    }

    @Test func `every variant is stored`() async throws {
        let server = try await FaultServer.start(["/a.png": .picture(try Fixtures.png(width: 40, height: 30))])
        let chain = try ProcessorChain("downsample(20x20)")
        let entry = "{\"url\": \"\(server.url("/a.png"))\", \"process\": \"bw\"}"
        let list = try place.write("list.jsonl", entry.utf8)
        let first = try await program([list]) { $0.variants = [chain] }.run()
        let again = try await program([list]) { $0.variants = [chain] }.run()
        await server.stop()
        #expect(first.fetched == 1 && again.hits == 1)
        let disk = try DiskStorage(folder: CacheFolder(path: place / "cache"))
        let keys = [chain.processor.identifier, try ProcessorGrammar.parse("bw").identifier].map {
            CacheEntryKey(source: server.url("/a.png"), processor: $0, kind: .processed)
        }
        for key in keys { #expect(await disk.isCached(key), "\(key.processor)") }
    }

    @Test func `too many failures stop the run`() async throws {
        let server = try await FaultServer.start([String: FaultScript]())
        let tally = try await program((0..<50).map { server.url("/\($0).png") }) {
            $0.failureLimit = .count(3)
            $0[.jobs] = 1
        }.run()
        await server.stop()
        #expect(tally.failed >= 4 && tally.failed < 10 && tally.failedTooOften && tally.exitCode == 4)
        #expect(try objects("summary").first?["stopped"] as? String == "failures")
    }

    @Test func `the failed list may not be one of the lists that are read`() throws {
        let list = try place.write("list.txt", "".utf8)
        #expect(throws: ProgramProblem.self) { try program([list]) { $0.failedFile = list } }
        #expect(try place.read("list.txt").isEmpty)
    }

    // MARK: - Interruptions

    @Test func `running transfers are cancelled after the grace period`() async throws {
        let server = try await FaultServer.start(["/a.png": .stall])
        let program = try program([server.url("/a.png")])
        let running = Task { try await program.run() }
        await server.arrival(of: "/a.png")
        await program.interrupt(signal: 15)
        await clock.untilSleepers()
        clock.advance(by: PrefetchProgram.grace(after: SIGINT))
        let tally = try await running.value
        await server.stop()
        #expect(tally.cancelled == 1 && tally.exitCode == 143)
    }

    @Test func `an item that waits for its host is cancelled by the first signal`() async throws {
        let server = try await FaultServer.start(["/a.png": .status(503, headers: [("Retry-After", "30")])])
        let program = try program([server.url("/a.png")]) { $0[.retries] = 3 }
        let running = Task { try await program.run() }
        try await until { try captured.output.contains(#""type":"host""#) }
        // The clock stands: nobody waits for the grace.
        await program.interrupt(signal: 2)
        let tally = try await running.value
        await server.stop()
        #expect(tally.cancelled == 1 && tally.exitCode == 130)
    }
}
