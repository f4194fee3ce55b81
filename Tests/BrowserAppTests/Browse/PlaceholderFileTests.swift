import Foundation
import ProgramTestSupport
import Raster
import TerminalGraphics
import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools
@testable import BrowserApp

@Suite(.timeLimit(.minutes(1)))
struct PlaceholderFileTests {
    private let place: TemporaryFolder
    private let box = PixelSize(width: 20, height: 20)

    init() throws { place = try TemporaryFolder() }

    private func gif() throws -> String {
        let bytes = MovingPicture.gif(
            [.white, .black, Color(red: 255, green: 0, blue: 0)], size: PixelSize(width: 8, height: 8), delay: 5)
        return try place.write("spin.gif", Array(bytes))
    }

    private func look(_ indicator: any Indicator, at milliseconds: Int) -> PlaceholderContent {
        indicator.frame(IndicatorContext(elapsed: .milliseconds(milliseconds)))
    }

    @Test func `an animated file makes an animated indicator`() async throws {
        let indicator = try await PlaceholderFile(try gif(), within: box, moves: true).indicator
        #expect(indicator.interval == .milliseconds(50))
        #expect(look(indicator, at: 0) != look(indicator, at: 50))
        #expect(look(indicator, at: 0) == look(indicator, at: 150))
    }

    @Test func `a still file makes a still indicator`() async throws {
        let path = try place.write("still.png", try Fixtures.png(width: 40, height: 20))
        let indicator = try await PlaceholderFile(path, within: box, moves: true).indicator
        #expect(indicator.interval == nil)
        let white = PixelBuffer(size: PixelSize(width: 20, height: 10), filledWith: .white)
        #expect(look(indicator, at: 700) == .picture(white))
    }

    @Test func `a placeholder shows the first frame of an animation`() async throws {
        let placeholder = try await PlaceholderFile(try gif(), within: box).placeholder
        let room = PlaceholderContext(name: "a", grid: GridSize(columns: 9, rows: 9))
        #expect(
            placeholder.content(for: room)
                == .picture(PixelBuffer(size: PixelSize(width: 8, height: 8), filledWith: .white)))
    }

    @Test func `a missing file is an error with its path`() async {
        await #expect(throws: ProgramProblem("cannot read /nowhere.png")) {
            _ = try await PlaceholderFile("/nowhere.png", within: box)
        }
    }

    @Test func `a file that is not a picture is an error with its path`() async throws {
        let path = try place.write("words.txt", Array("no picture".utf8))
        let problem = await #expect(throws: ProgramProblem.self) { _ = try await PlaceholderFile(path, within: box) }
        #expect(problem?.description.hasPrefix(path + ": ") == true)
    }
}
