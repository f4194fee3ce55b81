import AlcedoScreen
import Raster
import Testing

@testable import AlcedoTerminal

@Suite("Styles in palettes", .timeLimit(.minutes(1)))
struct ThemeStylesTests {
    private static let themes = [
        Theme.dark, .light, .paintedDark, .paintedLight, .highContrastOnDark, .highContrastOnLight,
    ]

    @Test(arguments: [8, 16])
    func `with few colours every coloured text is readable on the selection and on marked rows`(count: Int) throws {
        for theme in Self.themes {
            for token in [ThemeToken.accent, .ok, .warn, .error] {
                for role in [ThemeToken.selection, .mark] {
                    let (text, ground) = theme.numbers(of: Style(token, background: role), among: count)
                    guard let text = UInt8(exactly: text), let ground = UInt8(exactly: ground) else { continue }
                    let difference = XtermPalette.color(text).luma - XtermPalette.color(ground).luma
                    #expect(abs(difference) >= 60_000, "\(token) on \(role): \(text) on \(ground)")
                }
            }
        }
    }

    @Test(arguments: [(8, 7), (16, 15)])
    func `a failure is white on the blue of the selection, and red elsewhere`(count: Int, white: Int) {
        #expect(Theme.dark.numbers(of: Style(.error, background: .selection), among: count) == (white, 4))
        #expect(Theme.dark.numbers(of: Style(.error), among: count) == (1, -1))
        #expect(Theme.dark.numbers(of: Style(.accent, background: .selection), among: count) == (6, 4))
    }

    @Test func `with 256 colours a theme's colours stay, and plain text is black or white on its backgrounds`() {
        #expect(Theme.dark.numbers(of: Style(.error, background: .selection), among: 256) == (203, 235))
        #expect(Theme.dark.numbers(of: Style(.text, background: .selection), among: 256) == (231, 235))
        #expect(Theme.light.numbers(of: Style(.text, background: .mark), among: 256) == (16, 255))
        #expect(Theme.paintedDark.numbers(of: Style(.text), among: 256) == (252, 233))
    }

    @Test(arguments: [Theme.dark, .light, .highContrastOnDark])
    func `marked rows never look like selected ones`(theme: Theme) {
        #expect(theme.distinguishesMarks(among: 256) && !theme.distinguishesMarks(among: 16))
        let (marked, selected) = (Style(background: .mark), Style(background: .selection))
        for count in [8, 16, 256] {
            #expect(
                theme.numbers(of: marked, among: count).background
                    != theme.numbers(of: selected, among: count).background)
        }
        #expect(!Theme.monochrome.distinguishesMarks(among: 256))
    }
}
