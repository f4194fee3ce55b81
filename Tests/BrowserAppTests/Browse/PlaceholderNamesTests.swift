import ImageLoading
import TerminalGraphics
import TestSupport
import Testing

@testable import BrowserApp

@Suite(.timeLimit(.minutes(1)))
struct PlaceholderNamesTests {
    @Test(arguments: BrowserSettings.indicatorNames)
    func `every indicator with a name is known`(name: String) async throws {
        var settings = BrowserSettings()
        try await settings.setIndicator(name)
    }

    @Test func `any other name is a file`() async throws {
        var settings = BrowserSettings()
        await #expect(throws: ProgramProblem("cannot read rings")) { try await settings.setIndicator("rings") }
        await #expect(throws: ProgramProblem("cannot read cards")) { try await settings.setPlaceholder("cards") }
        await #expect(throws: ProgramProblem("cannot read none")) { try await settings.setFailure("none") }
    }

    @Test func `the glyphs are ASCII where nothing else may be shown`() async throws {
        var settings = BrowserSettings()
        settings.isASCII = true
        try await settings.setIndicator("dots")
        let look = settings.indicator.indicator.frame(IndicatorContext(elapsed: .zero))
        #expect(look == .text(["|"]))
    }

    @Test func `a failure is a card, nothing or a picture`() async throws {
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

    @Test func `a placeholder is the card unless it is named`() async throws {
        var settings = BrowserSettings()
        try await settings.setPlaceholder("blank")
        #expect(settings.placeholder is BlankPlaceholder)
        try await settings.setPlaceholder("name")
        #expect(settings.placeholder is TextPlaceholder)
        try await settings.setPlaceholder("card")
        #expect(settings.placeholder == nil)
    }
}
