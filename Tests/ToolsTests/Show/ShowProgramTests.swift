import FaultServer
import Foundation
import ImageLoading
import ProgramTestSupport
import TerminalGraphics
import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools

@Suite(.timeLimit(.minutes(1))) struct ShowProgramTests {
    private let place: TemporaryFolder
    private let captured: CapturedConsole

    init() throws {
        place = try TemporaryFolder()
        captured = try CapturedConsole()
        try place.write("a.png", try Fixtures.png())
    }

    private func show(_ sources: [String], change: (inout ShowProgram) -> Void = { _ in }) async throws -> Int32 {
        var program = ShowProgram(console: captured.console)
        program.library = Fixtures.library(in: place)
        program.sources = sources
        program.format = .ppm
        change(&program)
        return try await program.run()
    }

    /// The white picture as PPM.
    private let white = Array("P6\n4 4\n255\n".utf8) + Array(repeating: 255, count: 48)

    @Test func `pictures are written one after the other`() async throws {
        #expect(try await show([place / "a.png", place / "a.png"]) == 0)
        #expect(try captured.bytes == white + white)
        #expect(try captured.messages.isEmpty)
    }

    @Test func `the exit code tells whether some or all pictures failed`() async throws {
        #expect(try await show([place / "lost.png", place / "a.png"]) == 3)
        #expect(try captured.bytes == white)
        #expect(try await show([place / "lost.png", "ftp://host/a.png"]) == 4)
    }

    @Test func `a failure is reported without secrets and control characters`() async throws {
        let server = try await FaultServer.start(["/a.png?token=hush": .status(404)])
        let address = server.url("/a.png?token=hush").replacing("http://", with: "http://user:hush@")
        _ = try await show([address, "/nowhere/\u{1B}[2J.png"])
        await server.stop()
        let messages = try captured.messages
        #expect(messages.contains("/a.png?token=…: 404 Not Found"))
        #expect(!messages.contains("hush") && !messages.contains("\u{1B}"))
        #expect(messages.split(separator: "\n").count == 2)
    }

    @Test func `only downloaded pictures are stored on disk`() async throws {
        let server = try await FaultServer.start(["/a.png": .picture(try Fixtures.png())])
        _ = try await show([place / "a.png"])
        _ = try await show([server.url("/a.png")]) { $0.isUncached = true }
        #expect(!FileManager.default.fileExists(atPath: place / "cache"))
        _ = try await show([server.url("/a.png")])
        _ = try await show([server.url("/a.png")])
        #expect(FileManager.default.fileExists(atPath: place / "cache"))
        #expect(await server.count(of: "/a.png") == 2)
        await server.stop()
    }

    @Test func `without a usable cache the program warns and continues`() async throws {
        let server = try await FaultServer.start(["/a.png": .picture(try Fixtures.png())])
        let code = try await show([server.url("/a.png")]) { $0.library.environment = ["ALCEDO_CACHE_DIR": "relative"] }
        await server.stop()
        #expect(code == 0)
        #expect(try captured.bytes == white)
        #expect(try captured.messages.hasSuffix("; continuing without it\n"))
    }

    @Test func `an expired picture is shown with a notice if its server is unreachable`() async throws {
        let address = "http://127.0.0.1:1/a.png?token=hush"
        let then = Date().addingTimeInterval(-8 * 86_400)
        let disk = try DiskStorage(folder: CacheFolder(path: place / "cache"), now: { then })
        try await disk.store(Data(try Fixtures.png()), for: CacheEntryKey(source: address), facts: CacheEntryFacts())
        await disk.flush()
        #expect(try await show([address]) == 0)
        #expect(try captured.bytes == white)
        let messages = try captured.messages
        #expect(messages.contains("token=…") && messages.contains("this is the expired picture from the cache"))
    }

    @Test func `without a terminal or size the automatic format is refused`() async {
        await #expect(throws: ProgramProblem.self) {
            try await show([place / "a.png"]) { $0.format = .terminal(.auto) }
        }
    }
}
