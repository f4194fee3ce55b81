import AlcedoLists
import FaultServer
import Foundation
import ImageLoading
import ProgramTestSupport
import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch

/// Runs that take up an interrupted one.
extension PrefetchProgramTests {
    @Test func `an interrupted run is resumed`() async throws {
        // Given a run that was interrupted when it had done one picture, one lost one, and was at a third
        let picture = try Fixtures.png()
        let gate = FaultGate()
        let server = try await FaultServer.start([
            "/a.png": [.picture(picture)], "/lost.png": [.status(404)],
            "/c.png": [.pauseInBody(picture, after: 10, until: gate), .picture(picture)],
        ])
        let list = try place.write(
            "list.txt", ["/a.png", "/lost.png", "/c.png"].map(server.url).joined(separator: "\n").utf8)
        let change: (inout PrefetchSettings) -> Void = { [place] settings in
            settings[.jobs] = 1
            // One after the other: what is asked for has no request ready behind it.
            settings[.requestRate] = 1000
            settings.freshness = .force
            settings.library.environment["XDG_STATE_HOME"] = place / "state"
        }
        let first = try program([list], change: change)
        let running = Task { try await first.run() }
        await server.arrival(of: "/c.png")
        try await reports(2)
        await first.interrupt(signal: 2)
        await first.interrupt(signal: 2)
        _ = try await running.value
        // When the same command is given again, and once more
        let second = try await program([list], change: change).run()
        let third = try await program([list], change: change).run()
        // Then the second run does what was left, and the third begins anew
        #expect([second.doneBefore, second.failed, second.fetched] == [1, 1, 1] && second.exitCode == 3)
        #expect(third.doneBefore == 0 && third.fetched == 2)
        #expect(
            await [server.count(of: "/a.png"), server.count(of: "/lost.png"), server.count(of: "/c.png")] == [2, 2, 3])
        await server.stop()
    }

    @Test(arguments: [nil, Inspection.whole])
    func `the report of a resumed run contains the facts of the interrupted one`(inspection: Inspection?) async throws {
        let picture = try Fixtures.png()
        let server = try await FaultServer.start([
            "/a.png": [.picture(picture)], "/lost.png": [.status(404)], "/b.png": [.stall, .picture(picture)],
        ])
        let urls = ["/a.png", "/lost.png", "/b.png"].map(server.url)
        let change: (inout PrefetchSettings) -> Void = { [place] settings in
            settings[.jobs] = 1
            settings.library.environment["XDG_STATE_HOME"] = place / "state"
            settings.inspection = inspection
            settings.reportFile = place / "report.jsonl"
        }
        let first = try program(urls, change: change)
        let running = Task { try await first.run() }
        await server.arrival(of: "/b.png")
        try await reports(2)
        for _ in 0..<2 { await first.interrupt(signal: 2) }
        _ = try await running.value
        _ = try await program(urls, change: change).run()
        await server.stop()
        let rows = try place.read("report.jsonl").split(separator: "\n").map { line in
            try #require(ReportConversion.item(Data(line.utf8)))
        }
        #expect(rows.count == 3)
        #expect(rows.compactMap { $0["http"]?.whole }.sorted() == [200, 200, 404])
        #expect(rows.compactMap { $0["format"]?.text } == ["PNG", "PNG"])
        #expect(rows.compactMap { $0["sha256"]?.text }.count == 2)
        #expect(!place.files().contains("report.jsonl.part"))
        #expect(await server.count(of: "/a.png") == 1)
    }

    @Test func `a picture that was evicted since is fetched again`() async throws {
        let picture = try Fixtures.png()
        let server = try await FaultServer.start([
            "/a.png": [.picture(picture)], "/b.png": [.stall, .picture(picture)],
        ])
        let urls = ["/a.png", "/b.png"].map(server.url)
        let change: (inout PrefetchSettings) -> Void = { [place] settings in
            settings[.jobs] = 1
            settings.library.environment["XDG_STATE_HOME"] = place / "state"
        }
        let first = try program(urls, change: change)
        let running = Task { try await first.run() }
        await server.arrival(of: "/b.png")
        try await reports(1)
        for _ in 0..<2 { await first.interrupt(signal: 2) }
        _ = try await running.value
        try await DiskStorage(folder: CacheFolder(path: place / "cache")).removeAll()
        let second = try await program(urls, change: change).run()
        await server.stop()
        #expect(second.doneBefore == 0 && second.fetched == 2)
    }

    @Test func `the outcome of one processor does not apply to another`() async throws {
        // Given a picture that two processors work on, whose run was interrupted between them
        let picture = try Fixtures.png()
        let server = try await FaultServer.start([
            "/a.png": [.picture(picture)], "/b.png": [.stall, .picture(picture)],
        ])
        let work = [("/a.png", "tint(#ff0000)"), ("/b.png", "bw"), ("/a.png", "tint(#00ff00)")]
        let lines = work.map { #"{"url":"\#(server.url($0))","process":"\#($1)"}"# + "\n" }
        let list = try place.write("list.jsonl", lines.joined().utf8)
        let change: (inout PrefetchSettings) -> Void = { [place] settings in
            settings[.jobs] = 1
            settings.library.environment["XDG_STATE_HOME"] = place / "state"
        }
        let first = try program([list], change: change)
        let running = Task { try await first.run() }
        await server.arrival(of: "/b.png")
        try await reports(1)
        for _ in 0..<2 { await first.interrupt(signal: 2) }
        _ = try await running.value
        // When it is taken up again
        let second = try await program([list], change: change).run()
        await server.stop()
        // Then the one is done, and the other makes its own
        #expect(second.doneBefore == 1 && second.duplicates == 0 && second.usable == 3)
        let disk = try DiskStorage(folder: CacheFolder(path: place / "cache"))
        #expect(try await disk.entries(CacheEntryQuery(filter: CacheFilter("kind:processed"))).count == 3)
    }
}
