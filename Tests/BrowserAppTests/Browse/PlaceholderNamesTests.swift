import ImageLoading
import TerminalGraphics
import TestSupport
import Testing

@testable import BrowserApp

struct PlaceholderNamesTests {
    @Test(arguments: BrowserSettings.indicatorNames)
    func everyIndicatorWithANameIsKnown(name: String) async throws {
        var settings = BrowserSettings()
        try await settings.setIndicator(name)
    }

    @Test func aNameThatIsNoneOfThemIsAFile() async throws {
        var settings = BrowserSettings()
        await #expect(throws: ProgramProblem("cannot read rings")) { try await settings.setIndicator("rings") }
        await #expect(throws: ProgramProblem("cannot read cards")) { try await settings.setPlaceholder("cards") }
        await #expect(throws: ProgramProblem("cannot read none")) { try await settings.setFailure("none") }
    }

    @Test func theGlyphsAreASCIIWhereNothingElseMayBeShown() async throws {
        var settings = BrowserSettings()
        settings.isASCII = true
        try await settings.setIndicator("dots")
        let look = settings.indicator.indicator.frame(IndicatorContext(elapsed: .zero))
        #expect(look == .text(["|"]))
    }

    @Test func aFailureIsACardNothingOrAPicture() async throws {
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

    @Test func aPlaceholderIsTheCardUnlessItIsNamed() async throws {
        var settings = BrowserSettings()
        try await settings.setPlaceholder("blank")
        #expect(settings.placeholder is BlankPlaceholder)
        try await settings.setPlaceholder("name")
        #expect(settings.placeholder is TextPlaceholder)
        try await settings.setPlaceholder("card")
        #expect(settings.placeholder == nil)
    }
}
