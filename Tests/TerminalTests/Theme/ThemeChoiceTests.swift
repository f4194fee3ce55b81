import AlcedoBrowserCore
import AlcedoScreen
import Raster
import Testing

@testable import AlcedoTerminal

@Suite(.timeLimit(.minutes(1)))
struct ThemeChoiceTests {
    private static let grey = Color(red: 140, green: 140, blue: 140)
    private static let blue = Color(red: 0, green: 0, blue: 255)

    @Test(
        arguments: [(nil, Theme.dark), (.black, .dark), (.white, .light), (grey, .light), (blue, .dark)]
            as [(Color?, Theme)])
    func `auto follows the background and takes an unknown one for dark`(background: Color?, theme: Theme) {
        #expect(ThemeChoice.auto.theme(onBackground: background) == theme)
    }

    @Test
    func `high contrast follows the background; dark, light and monochrome do not`() throws {
        let themes = Dictionary(uniqueKeysWithValues: ThemeChoice.named.map { ($0.name, $0.choice) })
        #expect(Set(themes.keys) == ["auto", "dark", "light", "high-contrast", "monochrome"])
        #expect(themes["high-contrast"]?.theme(onBackground: .black) == .highContrastOnDark)
        #expect(themes["high-contrast"]?.theme(onBackground: .white) == .highContrastOnLight)
        for (name, theme) in [("dark", Theme.paintedDark), ("light", .paintedLight), ("monochrome", .monochrome)] {
            #expect(
                themes[name]?.theme(onBackground: .black) == theme && themes[name]?.theme(onBackground: .white) == theme
            )
        }
    }

    @Test
    func `named themes paint their own background; auto and monochrome keep the terminal's`() {
        #expect(ThemeChoice.auto.onDark.background == nil && ThemeChoice.auto.onLight.background == nil)
        #expect(Theme.monochrome.background == nil)
        #expect(Theme.paintedLight.background == .white && Theme.highContrastOnLight.background == .white)
        #expect(Theme.highContrastOnDark.background == .black)
        for count in [8, 16, 256] {
            #expect(Theme.paintedDark.number(of: .background, among: count) >= 0)
            #expect(Theme.paintedLight.number(of: .background, among: count) >= 0)
        }
        #expect(
            Theme.paintedLight.number(of: .text, among: 16) != Theme.paintedLight.number(of: .background, among: 16))
    }

    @Test
    func `with(_:) overrides roles on every background`() {
        let red = ThemeColor(number: 1)
        let choice = ThemeChoice.auto.with([.accent: red])
        for (theme, base) in [(choice.onDark, Theme.dark), (choice.onLight, .light)] {
            #expect(theme.colors[.accent] == red && theme.colors[.error] == base.colors[.error])
        }
    }
}
