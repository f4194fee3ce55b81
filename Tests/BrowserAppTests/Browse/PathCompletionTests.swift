import AlcedoBrowserCore
import Foundation
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

    @Test func `a path without a beginning starts from the folder that is shown`() async throws {
        let place = try TemporaryFolder()
        _ = try place.write("best/x", "".utf8)
        #expect(await PathCompletion.paths(beginning: "be", from: place.path) == ["best/"])
        #expect(await PathCompletion.paths(beginning: "best/", from: place.path) == ["best/x"])
        #expect(await PathCompletion.kind(of: "best", from: place.path) == .folder)
        #expect(PathCompletion.whole("best", from: place.path) == place / "best")
        #expect(PathCompletion.whole("/best", from: place.path) == "/best")
    }

    @Test func `a path that goes up leads where the system leads it, also through a link`() throws {
        let place = try TemporaryFolder()
        _ = try place.write("best/x", "".utf8)
        _ = try place.write("far/deep/x", "".utf8)
        try FileManager.default.createSymbolicLink(atPath: place / "link", withDestinationPath: place / "far/deep")
        let real = try #require(realpath(place.path, nil).map { String(cString: $0) })
        #expect(PathCompletion.whole("../best", from: place / "far") == real + "/best")
        #expect(PathCompletion.whole("../best/", from: place / "far") == real + "/best/")
        #expect(PathCompletion.whole("link/..", from: place.path) == real + "/far")
        #expect(PathCompletion.whole("../new/deep", from: place / "link") == real + "/far/new/deep")
        // One that is not there stays as it is typed
        #expect(PathCompletion.whole("none/../best", from: place.path) == place / "none/../best")
    }

    @Test func `a path in the home folder keeps its tilde`() async {
        let paths = await PathCompletion.paths(beginning: "~", from: "/nowhere")
        #expect(paths.allSatisfy { $0.hasPrefix("~/") })
        #expect(await PathCompletion.paths(beginning: "~/", from: "/nowhere") == paths)
    }
}
