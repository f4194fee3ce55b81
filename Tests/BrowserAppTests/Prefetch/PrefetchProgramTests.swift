import DemoServer
import Foundation
import ImageLoading
import Lists
import TestSupport
import Testing

@testable import BrowserApp

@Suite(.timeLimit(.minutes(1))) struct PrefetchProgramTests {
    private let place: TemporaryFolder
    private let captured: CapturedConsole

    init() throws {
        place = try TemporaryFolder()
        captured = try CapturedConsole()
    }

    private func program(
        _ lists: [String], change: (inout PrefetchSettings) -> Void = { _ in }
    ) throws -> PrefetchProgram {
        var settings = PrefetchSettings()
        settings.lists = lists
        settings.library = Fixtures.library(in: place)
        settings.printsJSON = true
        change(&settings)
        return try PrefetchProgram(settings: settings, console: captured.console)
    }

    /// The objects of one type that were printed.
    private func objects(_ type: String) throws -> [[String: Any]] {
        try captured.objects.filter { $0["type"] as? String == type }
    }

    @Test func aSecondRunNeedsNoServer() async throws {
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

    @Test func everyItemIsReportedOnceBetweenStartAndSummary() async throws {
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

    @Test func aListInAListIsRejectedAndNotFetched() async throws {
        let server = try await FaultServer.start(["/more.xml": .status(404)])
        let index = "<sitemapindex><sitemap>\n<loc>\(server.url("/more.xml"))</loc></sitemap></sitemapindex>"
        let list = try place.write("index.xml", "<?xml version=\"1.0\"?>\n\(index)".utf8)
        let tally = try await program([list]).run()
        await server.stop()
        #expect(tally.items == 0 && tally.skipped == 1)
        let reason = try #require(try objects("rejected").first?["reason"] as? String)
        #expect(reason.contains("list in a list"))
    }

    @Test func relativeLocationsStartFromTheBase() async throws {
        let server = try await FaultServer.start(["/album/a.png": .picture(try Fixtures.png())])
        let list = try place.write("page.html", "<!doctype html><img src=\"a.png\">".utf8)
        let tally = try await program([list]) { $0.base = .web(server.url("/album/")) }.run()
        await server.stop()
        #expect(tally.fetched == 1 && tally.exitCode == 0)
    }

    @Test func theFailedListBringsBackWhatFailed() async throws {
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

    @Test func theFirstSignalLetsRunningTransfersEnd() async throws {
        // Given one transfer under way and one that waits for it
        let gate = FaultGate()
        let picture = try Fixtures.png()
        let server = try await FaultServer.start([
            "/a.png": .pauseInBody(picture, after: 10, until: gate), "/b.png": .picture(picture),
        ])
        let program = try program([server.url("/a.png"), server.url("/b.png")]) { $0.library.jobs = 1 }
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

    @Test func theSecondSignalStopsAtOnce() async throws {
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

    @Test func aRefreshFetchesWhatIsCached() async throws {
        let server = try await FaultServer.start(["/a.png": .picture(try Fixtures.png())])
        _ = try await program([server.url("/a.png")]).run()
        let tally = try await program([server.url("/a.png")]) { $0.refreshes = true }.run()
        #expect(tally.fetched == 1 && tally.hits == 0)
        #expect(await server.count(of: "/a.png") == 2)
        await server.stop()
    }

    @Test func aLoneListThatIsMissingEndsTheRun() async throws {
        let program = try program(["/nowhere/list.txt"])
        let problem = await #expect(throws: ProgramProblem.self) { try await program.run() }
        #expect(problem?.description.contains("/nowhere/list.txt") == true)
        #expect(try objects("summary").isEmpty)
    }

    @Test func oneOfSeveralThatIsMissingIsSaidAndTheRestGoesOn() async throws {
        let file = try place.write("a.png", try Fixtures.png())
        let tally = try await program(["/nowhere/list.txt", file]).run()
        #expect(tally.skipped == 1 && tally.fetched + tally.hits == 1)
        #expect(try objects("rejected").count == 1)
    }

    @Test func withoutACacheThereIsNothingToDo() {
        #expect(throws: ProgramProblem.self) {
            try program([]) { $0.library.environment = ["ALCEDO_CACHE_DIR": "relative/path"] }
        }
    }

    @Test func aFailedListThatCannotBeWrittenIsSaidBeforeAnythingIsFetched() {
        #expect(throws: ProgramProblem.self) { try program([]) { $0.failedFile = "/nowhere/failed.txt" } }
    }
}
