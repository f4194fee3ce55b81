import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools
@testable import BrowserApp

@Suite(.timeLimit(.minutes(1)))
struct PathCompletionTests {
    @Test func `completions are the visible paths with the typed prefix`() async throws {
        // Given a folder with a folder, files, a hidden one and one with a control character
        let place = try TemporaryFolder()
        for name in ["pictures/x", "pier.png", "other.png", ".hidden", "p\u{1B}[2J.png"] {
            _ = try place.write(name, "".utf8)
        }
        let folder = place / ""

        // Then what begins as typed is told, folders with their slash
        #expect(await PathCompletion.paths(beginning: folder + "p") == ["pictures/", "pier.png"].map { folder + $0 })
        #expect(await PathCompletion.paths(beginning: folder + ".h") == [folder + ".hidden"])
        #expect(await PathCompletion.paths(beginning: folder + "none") == [])
        #expect(await PathCompletion.paths(beginning: "/nowhere/x") == [])
    }
}
