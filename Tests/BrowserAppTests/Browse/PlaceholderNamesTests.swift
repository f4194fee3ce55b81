import ImageLoading
import ProgramTestSupport
import TerminalGraphics
import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools
@testable import BrowserApp

@Suite(.timeLimit(.minutes(1)))
struct PlaceholderNamesTests {
    @Test(arguments: BuiltInNames.indicators)
    func `every indicator name is accepted`(name: String) async throws {
        var settings = BrowserSettings()
        try await settings.setIndicator(name)
    }

    @Test func `an unknown name is read as a file path`() async throws {
        var settings = BrowserSettings()
        await #expect(throws: ProgramProblem("cannot read rings")) { try await settings.setIndicator("rings") }
        await #expect(throws: ProgramProblem("cannot read cards")) { try await settings.setPlaceholder("cards") }
        await #expect(throws: ProgramProblem("cannot read none")) { try await settings.setFailure("none") }
    }

    @Test func `indicator glyphs are ASCII if the settings require it`() async throws {
        var settings = BrowserSettings()
        settings.isASCII = true
        try await settings.setIndicator("dots")
        let look = settings.indicator.indicator.frame(IndicatorContext(elapsed: .zero))
        #expect(look == .text(["|"]))
    }

    @Test func `the failure setting accepts card, nothing or a file`() async throws {
        let place = try TemporaryFolder()
        let file = try place.write("a.png", try Fixtures.png())
        var settings = BrowserSettings()
        try await settings.setFailure("card")
        #expect(settings.display.onFailureImage == .unset)
        try await settings.setFailure("nothing")
        #expect(settings.display.onFailureImage == .none)
        try await settings.setFailure(file)
        guard case .image(let image) = settings.display.onFailureImage else {
            Issue.record("no picture")
            return
        }
        #expect(image.format == .png)
    }

    @Test func `the placeholder setting accepts blank, name and card`() async throws {
        var settings = BrowserSettings()
        try await settings.setPlaceholder("blank")
        #expect(settings.placeholder is BlankPlaceholder)
        try await settings.setPlaceholder("name")
        #expect(settings.placeholder is TextPlaceholder)
        try await settings.setPlaceholder("card")
        #expect(settings.placeholder == nil)
    }
}
