import AlcedoBrowserCore
import AlcedoScreen
import AlcedoTerminal
import Foundation
import ImageLoading
import ProgramTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools
@testable import BrowserApp

@MainActor @Suite(.timeLimit(.minutes(1))) struct CacheProgramTests {
    private let place: TemporaryFolder
    private let screen = FakeScreen()

    init() throws {
        place = try TemporaryFolder()
        screen.size = GridSize(columns: 120, rows: 24)
    }

    /// Runs the program on entries of so many bytes while `body` uses its screen; answers the exit code.
    private func run(_ sizes: [Int], _ body: (DiskStorage) async throws -> Void) async throws -> Int32 {
        let disk = try await Fixtures.disk(in: place, sizes: sizes)
        let program = CacheProgram(cache: ImageCache(disk: disk), isStandalone: true, environment: [:])
        let running = Task { await program.run(on: screen) }
        var problem: (any Error)?
        do { try await body(disk) } catch { problem = error }
        screen.type("q")
        let code = await running.value
        if let problem { throw problem }
        return code
    }

    @Test func `rows and totals are shown without secrets`() async throws {
        let code = try await run([10, 20]) { _ in
            await screen.shows("10.png")
            await screen.shows("2 entries")
        }
        #expect(code == 0 && screen.closings == 1)
        #expect(!screen.frames.contains { $0.text.contains("hush") })
    }

    @Test func `d asks before it deletes an entry and reports the deletion`() async throws {
        _ = try await run([10, 20]) { disk in
            // Given two entries
            await screen.shows("10.png")
            // When one is deleted, which takes a yes
            screen.type("d")
            await screen.shows(" B?")
            let before = try await disk.statistics()
            screen.type("y")
            // Then it is gone and said so
            #expect(await screen.shows("deleted 1 entry"))
            let after = try await disk.statistics()
            #expect(before.entries == 2 && after.entries == 1)
        }
    }

    @Test func `a filter hides the other rows`() async throws {
        _ = try await run([10, 2000]) { _ in
            await screen.shows("10.png")
            screen.type("/size>1K")
            #expect(await screen.comes { screen.frames.last.map { !$0.text.contains("10.png") } == true })
            screen.happen(.key(.enter))
        }
    }

    @Test func `an invalid filter is explained`() async throws {
        _ = try await run([10]) { _ in
            await screen.shows("10.png")
            screen.type("/size>x")
            #expect(await screen.shows("'size>x': expected"))
            screen.happen(.key(.escape))
        }
    }

    @Test func `p pins an entry and p again unpins it`() async throws {
        let pinned = try CacheFilter("state:pinned")
        _ = try await run([10]) { disk in
            await screen.shows("10.png")
            screen.type("p")
            #expect(await screen.shows("Pinned 1 entry."))
            let kept = try await disk.amount(pinned)
            #expect(kept.entries == 1)
            screen.type("p")
            #expect(await screen.shows("Unpinned 1 entry."))
            let left = try await disk.amount(pinned)
            #expect(left.entries == 0)
        }
    }

    @Test func `v reports damaged entries`() async throws {
        _ = try await run([10]) { disk in
            await screen.shows("10.png")
            screen.type("v")
            #expect(await screen.shows("checked 1 entry, 10 B: sound"))
            try FileManager.default.removeItem(atPath: disk.folder.path + "/v3/blobs")
            screen.type("v")
            #expect(await screen.shows("1 of 1 damaged"))
        }
    }

    @Test func `e writes an entry to a file and never overwrites one`() async throws {
        let file = place / "out.png"
        _ = try await run([10]) { _ in
            await screen.shows("10.png")
            for _ in 0..<2 {
                screen.type("e")
                screen.happen(.key(.control("u")))
                screen.happen(.paste(file))
                screen.happen(.key(.enter))
                await screen.shows("out.png")
            }
            #expect(await screen.shows("exists"))
        }
        #expect(try Data(contentsOf: URL(filePath: file)).count == 10)
    }

    @Test func `the details show the picture, its headers and its ETag`() async throws {
        screen.size = GridSize(columns: 120, rows: 50)
        _ = try await run([]) { disk in
            let facts = CacheEntryFacts(
                format: .png, url: "https://host/a.png", host: "host", etag: "\"tag\"", headers: ["Age: 7"])
            try await disk.store(
                Data(try Fixtures.png(width: 40, height: 30)), for: CacheEntryKey(source: "a"), facts: facts)
            screen.type("r")
            await screen.shows("a.png")
            screen.type("i")
            #expect(await screen.shows("Age: 7"))
            #expect(await screen.shows("\"tag\""))
            #expect(await screen.comes { !screen.pictures.isEmpty })
        }
    }

    @Test func `opening an entry ends the program and returns its key and address`() async throws {
        let disk = try await Fixtures.disk(in: place, sizes: [])
        try await disk.store(
            Data([1]), for: CacheEntryKey(source: "a"), facts: CacheEntryFacts(url: "https://host/a.png", host: "host"))
        let program = CacheProgram(cache: ImageCache(disk: disk), isStandalone: true, environment: [:])
        let running = Task { await program.run(on: screen) }
        await screen.shows("a.png")
        screen.type("o")
        #expect(await running.value == 0)
        #expect(program.opened.map(\.sourceName) == [CacheEntryKey(source: "a").name])
        #expect(program.openedAddresses == ["https://host/a.png"])
    }

    @Test func `an entry whose address has a secret can be opened from a list`() async throws {
        let disk = try await Fixtures.disk(in: place, sizes: [10])
        let program = CacheProgram(cache: ImageCache(disk: disk), hasList: true, environment: [:])
        let running = Task { await program.run(on: screen) }
        await screen.shows("10.png")
        screen.type("o")
        #expect(await running.value == 0)
        #expect(program.opened.count == 1 && program.openedAddresses.isEmpty)
    }

    @Test func `without a list an entry whose address has a secret cannot be opened`() async throws {
        let disk = try await Fixtures.disk(in: place, sizes: [10])
        let program = CacheProgram(cache: ImageCache(disk: disk), isStandalone: true, environment: [:])
        let running = Task { await program.run(on: screen) }
        await screen.shows("10.png")
        screen.type("o")
        #expect(await screen.shows("not stored"))
        screen.type("q")
        _ = await running.value
        #expect(program.openedAddresses.isEmpty)
    }

    @Test func `an entry stored by another process is shown`() async throws {
        _ = try await run([10]) { _ in
            await screen.shows("10.png")
            _ = try await Fixtures.disk(in: place, sizes: [20])
            #expect(await screen.shows("20.png"))
        }
    }

    @Test func `the screen can be suspended and redrawn`() async throws {
        _ = try await run([10]) { _ in
            await screen.shows("10.png")
            screen.happen(.key(.control("z")))
            await screen.comes { screen.suspensions == 1 }
            screen.happen(.signal(.continued))
            await screen.comes { screen.invalidations == 1 }
        }
        #expect(screen.suspensions == 1 && screen.invalidations == 1)
    }

    @Test func `a signal ends the program with its code`() async throws {
        let code = try await run([10]) { _ in
            await screen.shows("10.png")
            screen.happen(.signal(.hangup))
        }
        #expect(code == 129)
    }

    @Test func `without a terminal the program names the other commands`() async throws {
        let disk = try await Fixtures.disk(in: place, sizes: [])
        let problem = await #expect(throws: ProgramProblem.self) {
            try await CacheProgram(cache: ImageCache(disk: disk), isStandalone: true, environment: ["TERM": "dumb"])
                .run()
        }
        #expect(problem?.description.contains("try: alcedo cache ls") == true)
    }
}
