import FaultServer
import Foundation
import ImageLoading
import ProgramTestSupport
import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch

/// What lists have pinned.
@Suite(.timeLimit(.minutes(1))) struct PrefetchPinTests {
    private let place: TemporaryFolder
    private let captured: CapturedConsole

    init() throws {
        place = try TemporaryFolder()
        captured = try CapturedConsole()
    }

    private func run(
        _ list: String, change: (inout PrefetchSettings) -> Void = { _ in }
    ) async throws -> PrefetchTally {
        var settings = PrefetchSettings()
        settings.lists = [list]
        settings.library = Fixtures.library(in: place)
        change(&settings)
        return try await PrefetchProgram(settings: settings, console: captured.console).run()
    }

    @Test func `the list pins and unpins a picture`() async throws {
        let server = try await FaultServer.start(["/a.png": .picture(try Fixtures.png())])
        let list = { (pin: Bool) in "{\"url\": \"\(server.url("/a.png"))\", \"pin\": \(pin)}" }
        let disk = try DiskStorage(folder: CacheFolder(path: place / "cache"))
        var pins: [Bool?] = []
        for pin in [true, false] {
            _ = try await run(try place.write("list.jsonl", list(pin).utf8))
            pins.append(await disk.entry(for: CacheEntryKey(source: server.url("/a.png")))?.isPinned)
        }
        await server.stop()
        #expect(pins == [true, false])
    }

    @Test func `a ttl in the list shortens the life of a cached picture and never prolongs it`() async throws {
        let server = try await FaultServer.start(["/a.png": .picture(try Fixtures.png())])
        let disk = try DiskStorage(folder: CacheFolder(path: place / "cache"))
        var lives: [TimeInterval] = []
        for life in ["9d", "1h", "5d", "2h"] {
            let list = try place.write(
                "list.jsonl", "{\"url\": \"\(server.url("/a.png"))\", \"ttl\": \"\(life)\"}".utf8)
            _ = try await run(list)
            let entry = try #require(await disk.entry(for: CacheEntryKey(source: server.url("/a.png"))))
            lives.append(try #require(entry.expires).timeIntervalSince(entry.stored))
        }
        await server.stop()
        // Never longer than when it was asked for, and shorter at once; the runs take some of it.
        let hour = 3_600.0
        #expect(lives[0] == 9 * 24 * hour && lives[1] >= hour && lives[1] < 2 * hour)
        #expect(lives[2] == lives[1] && lives[3] == lives[1])
    }

    @Test func `processed variants of a pinned picture are pinned too`() async throws {
        let server = try await FaultServer.start(["/a.png": .picture(try Fixtures.png(width: 40, height: 30))])
        let list = try place.write("list.jsonl", "{\"url\": \"\(server.url("/a.png"))\", \"pin\": true}".utf8)
        let chain = try ProcessorChain("downsample(20x20)")
        _ = try await run(list) { $0.variants = [chain] }
        await server.stop()
        let disk = try DiskStorage(folder: CacheFolder(path: place / "cache"))
        #expect(try await disk.amount(CacheFilter("state:pinned")).entries == 2)
    }

    @Test func `with low data the small version of a picture is pinned`() async throws {
        let server = try await FaultServer.start(["/a.png": .picture(try Fixtures.png())])
        let small = server.url("/a.png")
        let line = "{\"url\": \"\(server.url("/large.png"))\", \"low_data\": \"\(small)\", \"pin\": true}"
        let tally = try await run(try place.write("list.jsonl", line.utf8)) { $0.usesLowData = true }
        await server.stop()
        let disk = try DiskStorage(folder: CacheFolder(path: place / "cache"))
        let pinned = try await disk.entries(CacheEntryQuery(filter: CacheFilter("state:pinned"))).entries
        #expect(tally.fetched == 1 && pinned.map(\.facts.url) == [small])
    }

    @Test func `a picture that no longer fits into the pinned share fails`() async throws {
        // Given eight pictures to be pinned, and a cache with room for half of them
        let pictures = try (0..<8).map {
            ("/\($0).png", FaultScript.picture(try Fixtures.png(width: 8 + $0, height: 9)))
        }
        let server = try await FaultServer.start(Dictionary(uniqueKeysWithValues: pictures))
        let lines = pictures.map { "{\"url\": \"\(server.url($0.0))\", \"pin\": true}" }
        let list = try place.write("list.jsonl", lines.joined(separator: "\n").utf8)
        let tally = try await run(list) { $0[.cacheBytes] = 4 << 12 }
        await server.stop()
        // Then those that are told to be there are there, and pinned
        let disk = try DiskStorage(folder: CacheFolder(path: place / "cache"))
        #expect(try await disk.amount(CacheFilter("state:pinned")).entries == tally.fetched)
        #expect(tally.fetched > 0 && tally.failed > 0 && tally.fetched + tally.failed == 8 && tally.exitCode == 3)
    }
}
