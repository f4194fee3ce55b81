import DemoServer
import Foundation
import ImageLoading
import Raster
import Testing

@testable import BrowserApp

@Suite(.timeLimit(.minutes(1))) struct PrefetchProgramTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "alcedo-test-\(UUID().uuidString)")

    private func settings(_ lists: [String]) -> PrefetchSettings {
        var settings = PrefetchSettings()
        settings.lists = lists
        settings.progress = .never
        settings.library.retry.retries = 0
        settings.library.environment = ["ALCEDO_CACHE_DIR": folder.path(percentEncoded: false)]
        return settings
    }

    private func picture() throws -> Data {
        try PixelBuffer(size: PixelSize(width: 4, height: 4), filledWith: .white).pngData()
    }

    @Test func aSecondRunNeedsNoServer() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        // Given a list of one picture and one address that is lost
        let server = try await FaultServer.start([
            "/a.png": .picture(Array(try picture())), "/lost.png": .status(404),
        ])
        let urls = [server.url("/a.png"), server.url("/lost.png"), server.url("/a.png")]
        // When it is prefetched, then again without the server
        let first = try await PrefetchProgram(settings: settings(urls)).run()
        await server.stop()
        let second = try await PrefetchProgram(settings: settings([urls[0]])).run()
        // Then the first run fetched what there was, once, and the second found it
        #expect(first.fetched == 1 && first.failed == 1 && first.duplicates == 1 && first.exitCode == 3)
        #expect(second.hits == 1 && second.failed == 0 && second.exitCode == 0)
    }

    @Test func aListThatIsMissingIsSaid() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = try PrefetchProgram(settings: settings(["/nowhere/list.txt"]))
        await #expect(throws: ProgramProblem.self) { try await program.run() }
    }

    @Test func withoutACacheThereIsNothingToDo() throws {
        var broken = settings([])
        broken.library.environment = ["ALCEDO_CACHE_DIR": "relative/path"]
        #expect(throws: ProgramProblem.self) { try PrefetchProgram(settings: broken) }
    }
}
