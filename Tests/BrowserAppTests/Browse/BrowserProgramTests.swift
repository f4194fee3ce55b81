import AlcedoBrowserCore
import AlcedoScreen
import AlcedoTerminal
import Foundation
import ImageLoading
import ProgramTestSupport
import Raster
import TerminalGraphics
import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools
@testable import BrowserApp

@MainActor @Suite(.timeLimit(.minutes(1))) struct BrowserProgramTests {
    private let place: TemporaryFolder
    private let screen = FakeScreen()

    init() throws {
        place = try TemporaryFolder()
        for name in ["a.png", "b.png"] { try place.write("pictures/\(name)", try Fixtures.png(width: 20, height: 20)) }
    }

    private func program(_ lists: [String]? = nil, environment: [String: String]? = nil) -> BrowserProgram {
        var settings = BrowserSettings()
        settings.lists = lists ?? [place / "pictures"]
        settings.title = "https://user:hush@host/list"
        settings[.transitions] = false
        settings.environment = environment ?? ["ALCEDO_CACHE_DIR": place / "cache"]
        return BrowserProgram(settings: settings)
    }

    /// Runs a program while `body` uses its screen, and to its end.
    private func run(_ program: BrowserProgram, _ body: () async throws -> Void) async rethrows -> Int32 {
        let running = Task { await program.run(on: screen) }
        do { try await body() } catch {
            screen.happen(.signal(.terminate))
            _ = await running.value
            throw error
        }
        return await running.value
    }

    @Test func `the browser shows list and picture, and closes the screen once`() async {
        let program = program()
        // When the browser is opened, looked at and left
        let code = await run(program) {
            await screen.shows("b.png")
            #expect(await screen.comes { !screen.pictures.isEmpty })
            screen.type("q")
        }
        // Then all was well
        #expect(code == 0)
        #expect(screen.closings == 1)
        #expect(program.selectedLocations == [place / "pictures/a.png"])
    }

    @Test func `a folder is entered and left, and its row is selected again`() async throws {
        for name in ["x.png", "y.png"] { try place.write("pictures/lake/\(name)", try Fixtures.png()) }
        let program = program()
        let code = await run(program) {
            // When the folder in the first row is opened
            #expect(await screen.shows("lake/"))
            #expect(await screen.shows("2 pictures"))
            screen.type("l")
            // Then its pictures are listed, and its path is the title
            #expect(await screen.shows("y.png"))
            #expect(screen.frames.last?.row(0).contains("lake ") == true)
            // When it is left
            screen.type("jh")
            // Then the row it was opened from is selected, also after a picture
            #expect(await screen.shows("lake/"))
            #expect(await screen.shows("b.png"))
            screen.type("jjq")
        }
        #expect(code == 0 && screen.closings == 1)
        #expect(program.selectedLocations == [place / "pictures/b.png"])
    }

    @Test func `marks are there again after F, and after a folder was entered and left`() async throws {
        try place.write("pictures/lake/x.png", try Fixtures.png())
        var settings = BrowserSettings()
        settings[.session] = true
        settings.lists = [place / "pictures/"]
        settings[.transitions] = false
        settings.environment = ["ALCEDO_CACHE_DIR": place / "cache", "XDG_STATE_HOME": place / "state"]
        let program = BrowserProgram(settings: settings)
        let code = await run(program) {
            #expect(await screen.shows("b.png"))
            screen.type("G ")
            #expect(await screen.shows("+ 1"))
            screen.type("F")
            #expect(await screen.shows("x.png"))
            #expect(await screen.shows("+ 1"))
            screen.type("F")
            #expect(await screen.shows("lake/"))
            #expect(await screen.shows("+ 1"))
            screen.type("ggl")
            #expect(await screen.comes { screen.frames.last?.row(0).contains("lake ") == true })
            screen.type("h")
            #expect(await screen.shows("+ 1"))
            screen.type("q")
        }
        #expect(code == 0 && program.selectedLocations == [place / "pictures/b.png"])
    }

    @Test func `why there are no pixels is said once, if the user can change that`() async {
        screen.capabilities.graphics = GraphicsDecision(method: .blocks, reason: "none", remedy: "do this")
        let program = program()
        let code = await run(program) {
            #expect(await screen.shows("blocks, not pixels: do this"))
            screen.type("j")
            #expect(await screen.shows("2/2"))
            screen.type("q")
        }
        #expect(code == 0)
        let told = screen.frames.map { $0.text.contains("blocks, not pixels") }
        #expect(zip(told, told.dropFirst()).count { !$0 && $1 } == 1)
    }

    @Test func `a place that was listed before is gone to by its number, and stays in front once pinned`() async throws
    {
        for name in ["one/x.png", "two/y.png", "three/z.png"] { try place.write(name, try Fixtures.png()) }
        var settings = BrowserSettings()
        settings[.session] = true
        settings[.transitions] = false
        settings.environment = ["ALCEDO_CACHE_DIR": place / "cache", "XDG_STATE_HOME": place / "state"]
        let seconds = [("three", 3), ("two", 2), ("gone", 1)]
        try place.write(
            "state/alcedo/places",
            Array(seconds.map { "\($0.1) \(place / $0.0)\n" }.joined().utf8) + Array("damaged\n".utf8))
        settings.lists = [place / "one"]
        let program = BrowserProgram(settings: settings)
        let code = await run(program) {
            #expect(await screen.shows("x.png"))
            // When the second place is pinned
            screen.type("~")
            #expect(await screen.shows("not there now"))
            #expect(
                screen.frames.last?.text.split(separator: "\n").dropFirst().contains { $0.contains("/one ") } == false)
            screen.type("jp")
            // Then it comes first
            #expect(await screen.comes { screen.frames.last?.text.contains("⚲ 1") == true })
            screen.type("1")
            #expect(await screen.shows("y.png"))
            screen.type("~")
            #expect(await screen.shows("/one"))
            // What is gone says so, and the list stays
            screen.type("3")
            #expect(await screen.shows("cannot be read"))
            screen.type("q")
        }
        #expect(code == 0 && program.selectedLocations == [place / "two/y.png"])
        let stored = try place.read("state/alcedo/places").split(separator: "\n").map { $0.split(separator: "/").last }
        #expect(stored.map { $0.map(String.init) } == ["two", "one", "three", "gone"])
    }

    @Test func `keys after the one that leaves a folder do not act on it`() async throws {
        try place.write("pictures/lake/x.png", try Fixtures.png())
        let program = program([place / "pictures/lake"])
        let code = await run(program) {
            #expect(await screen.shows("x.png"))
            // When the folder is left and a file is deleted in one go
            for key in [Key.character("h"), .delete] { screen.happen(.key(key)) }
            #expect(await screen.shows("b.png"))
            screen.type("q")
        }
        // Then the file of the folder that was left is still there
        #expect(code == 0 && FileManager.default.fileExists(atPath: place / "pictures/lake/x.png"))
    }

    @Test func `q after the key that opens a folder quits`() async throws {
        try place.write("pictures/lake/x.png", try Fixtures.png())
        let program = program()
        let code = await run(program) {
            #expect(await screen.shows("1 picture"))
            screen.type("lq")
        }
        #expect(code == 0 && screen.closings == 1)
    }

    @Test func `the row of a folder appears and leaves with the folder`() async throws {
        let program = program()
        let code = try await run(program) {
            await screen.shows("b.png")
            try place.write("pictures/lake/x.png", try Fixtures.png())
            #expect(await screen.shows("lake/"))
            try FileManager.default.removeItem(atPath: place / "pictures/lake")
            #expect(await screen.comes { screen.frames.last?.text.contains("lake/") == false })
            screen.type("q")
        }
        #expect(code == 0)
    }

    @Test func `a folder that cannot be read stays closed`() async throws {
        try place.write("pictures/lake/x.png", try Fixtures.png())
        let program = program()
        let code = await run(program) {
            #expect(await screen.shows("1 picture"))
            try? FileManager.default.removeItem(atPath: place / "pictures/lake")
            screen.type("l")
            #expect(
                await screen.comes {
                    screen.frames.last?.text.contains("cannot be read") == true
                        || screen.frames.last?.text.contains("lake/") == false
                })
            screen.type("q")
        }
        #expect(code == 0)
    }

    @Test func `unusable lines are counted until the program ends`() async throws {
        let list = try place.write("list.txt", "https://host/a.png\nftp://host/b.png\n\u{1}\n".utf8)
        let program = program([list])
        let code = await run(program) {
            await screen.shows("2 skipped")
            screen.type("q")
        }
        #expect(code == 0 && program.skippedLines == 2)
    }

    @Test func `the first frame comes before the list and hides secrets`() async throws {
        screen.size = GridSize(columns: 160, rows: 24)
        let code = await run(program()) {
            await screen.comes { !screen.frames.isEmpty }
            screen.type("q")
        }
        let first = try #require(screen.frames.first)
        #expect(code == 0)
        #expect(first.size == screen.size && first.text.contains("host/list"))
        #expect(!screen.frames.contains { $0.text.contains("hush") || $0.text.contains("user") })
    }

    @Test func `the cache screen opens with gc and closes with q`() async {
        let code = await run(program()) {
            await screen.shows("b.png")
            // When the cache is looked into
            screen.type("gc")
            #expect(await screen.shows("entries"))
            #expect(screen.frames.last?.text.contains("b.png") == false)
            // And left
            screen.type("q")
            // Then the browser is there again, and takes the keys
            #expect(await screen.shows("b.png"))
            screen.type("q")
        }
        #expect(code == 0 && screen.closings == 1)
    }

    @Test(arguments: [true, false])
    func `the entry opened in the cache screen becomes the selection of the list`(isInList: Bool) async throws {
        let address = "http://127.0.0.1:9/kept.png"
        let second = isInList ? address : "http://127.0.0.1:9/b.png"
        try place.write("list.txt", "http://127.0.0.1:9/a.png\n\(second)\n".utf8)
        let disk = try DiskStorage(folder: CacheFolder(path: place / "cache"))
        try await disk.store(Data([1]), for: CacheEntryKey(source: address), facts: CacheEntryFacts(url: address))
        let program = program([place / "list.txt"])
        _ = await run(program) {
            await screen.shows("a.png")
            screen.type("gc")
            await screen.shows("original")
            screen.type("o")
            if isInList { await screen.comes { screen.frames.last?.text.contains("2/2") == true } }
            // The notice disappears after some seconds, so that a slow machine may never see it in the latest frame.
            if !isInList {
                #expect(await screen.comes { screen.frames.contains { $0.text.contains("does not contain it") } })
            }
            screen.type("q")
        }
        #expect(program.selectedLocations == [isInList ? address : "http://127.0.0.1:9/a.png"])
    }

    @Test func `a signal closes the browser and the cache screen`() async {
        let code = await run(program()) {
            await screen.shows("b.png")
            screen.type("gc")
            await screen.shows("entries")
            screen.happen(.signal(.terminate))
        }
        #expect(code == 143 && screen.closings == 1)
    }

    @Test func `marked pictures are the selected locations at the end`() async {
        let program = program()
        _ = await run(program) {
            await screen.shows("b.png")
            screen.type("  q")
        }
        #expect(program.selectedLocations == [place / "pictures/a.png", place / "pictures/b.png"])
    }

    @Test func `a signal ends the program with its code`() async {
        let code = await run(program()) {
            await screen.shows("b.png")
            screen.happen(.signal(.terminate))
        }
        #expect(code == 143)
        #expect(screen.closings == 1)
    }

    @Test func `Control-C ends the program while a filter is typed`() async {
        let code = await run(program()) {
            await screen.shows("b.png")
            screen.type("/b")
            screen.happen(.key(.control("c")))
        }
        #expect(code == 130)
    }

    @Test func `Control-Z suspends the screen and a continue signal redraws it`() async {
        _ = await run(program()) {
            await screen.shows("b.png")
            screen.happen(.key(.control("z")))
            await screen.comes { screen.suspensions == 1 }
            screen.happen(.signal(.continued))
            await screen.comes { screen.invalidations == 1 }
            screen.type("q")
        }
        #expect(screen.suspensions == 1 && screen.invalidations == 1)
    }

    @Test func `a change of terminal capabilities encodes the picture anew`() async throws {
        _ = await run(program()) {
            // Given a picture of blocks, as long as nothing is known
            await screen.comes { !screen.pictures.isEmpty }
            let blocks = screen.pictures
            // When the terminal says that it knows sixel
            screen.capabilities.sixel = true
            screen.capabilities.graphics = GraphicsDecision(method: .sixel, reason: "test")
            screen.happen(.capabilitiesChanged(screen.capabilities))
            // Then the picture comes anew
            await screen.comes { !screen.pictures.isEmpty && screen.pictures != blocks }
            screen.type("q")
        }
        let bytes = try #require(screen.pictures.first?.bytes)
        #expect(String(decoding: bytes, as: UTF8.self).contains("\u{1B}P"))
    }

    @Test func `without a cache the program says so and goes on`() async {
        let program = program(environment: [:])
        let code = await run(program) {
            #expect(await screen.shows("cache"))
            await screen.shows("b.png")
            screen.type("q")
        }
        #expect(code == 0)
    }

    @Test(arguments: ["", "dumb"])
    func `without a terminal the program names the other commands`(terminal: String) async {
        let program = program(environment: ["TERM": terminal])
        let problem = await #expect(throws: ProgramProblem.self) { try await program.run() }
        #expect(problem?.description.contains("try: alcedo prefetch") == true)
    }
}
