import AlcedoBrowserCore
import AlcedoScreen
import Foundation
import Raster
import Testing

@testable import AlcedoTerminal

/// The contrast of our themes by WCAG 2, in xterm's 256 colours.
@Suite(.timeLimit(.minutes(1)))
struct ThemeContrastTests {
    private static let readable: [ThemeToken] = [.text, .dim, .accent, .ok, .warn, .error]

    /// A theme, the background it is for, and the least contrast its texts have.
    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let theme: Theme
        let background: Color
        let least: Double
    }

    private static let cases = [
        Case(testDescription: "dark", theme: .dark, background: .black, least: 4.5),
        Case(testDescription: "light", theme: .light, background: .white, least: 4.5),
        Case(
            testDescription: "painted dark", theme: .paintedDark, background: XtermPalette.color(233), least: 4.5),
        Case(testDescription: "painted light", theme: .paintedLight, background: .white, least: 4.5),
        Case(
            testDescription: "high contrast on dark", theme: .highContrastOnDark, background: .black, least: 7),
        Case(
            testDescription: "high contrast on light", theme: .highContrastOnLight, background: .white, least: 7),
    ]

    /// WCAG 2: relative luminance, and the ratio of two of them.
    private static func contrast(_ one: Color, _ other: Color) -> Double {
        func channel(_ value: UInt8) -> Double {
            let share = Double(value) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        func luminance(_ color: Color) -> Double {
            0.2126 * channel(color.red) + 0.7152 * channel(color.green) + 0.0722 * channel(color.blue)
        }
        let values = [luminance(one), luminance(other)].sorted()
        return (values[1] + 0.05) / (values[0] + 0.05)
    }

    /// A role's colour; the terminal's own text is taken for the contrary of its background.
    private static func color(_ token: ThemeToken, _ item: Case, isExact: Bool = false) -> Color {
        if isExact, let color = item.theme.colors[token]?.exact { return color }
        let number = item.theme.number(of: token, among: 256)
        guard number >= 0 else { return item.background == .black ? .white : .black }
        return XtermPalette.color(UInt8(number))
    }

    @Test
    func `the contrast follows WCAG: 21 for black on white, 4.54 for #767676`() {
        #expect(abs(Self.contrast(.black, .white) - 21) < 0.001)
        #expect(abs(Self.contrast(Color(red: 0x76, green: 0x76, blue: 0x76), .white) - 4.54) < 0.005)
    }

    @Test(arguments: cases)
    func `every text is readable on the background, on the selection and on marked rows`(item: Case) {
        for token in Self.readable {
            let grounds = [ThemeToken.selection, .mark].flatMap { role in
                [false, true].map { Self.color(role, item, isExact: $0) }
            }
            for ground in [item.background] + grounds {
                let contrast = Self.contrast(Self.color(token, item), ground)
                #expect(contrast >= item.least, "\(token) on \(ground): \(contrast)")
            }
        }
    }

    @Test(arguments: cases)
    func `a bar contrasts with its track, a selection with the background`(item: Case) {
        #expect(Self.contrast(Self.color(.bar, item), Self.color(.barTrack, item)) >= 3)
        #expect(Self.color(.selection, item) != item.background)
    }

    @Test(arguments: cases)
    func `themes use only colours that are equal in every terminal`(item: Case) {
        for (token, color) in item.theme.colors { #expect((color.number(among: 256) ?? 0) >= 16, "\(token)") }
    }

    @Test
    func `monochrome has no colours at all`() {
        for token in ThemeToken.allCases {
            for count in [0, 8, 16, 256] { #expect(Theme.monochrome.number(of: token, among: count) == -1) }
        }
    }
}
