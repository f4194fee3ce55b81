import BrowserCore
import Raster

/// Colours for the roles of text.
///
/// A role without a colour has the terminal's own, and is marked by attributes: subdued text is faint, emphasized text
/// bold, the selection reversed. Without a background colour the terminal's own background stays.
package struct Theme: Equatable, Sendable {
    package var colors: [ThemeToken: ThemeColor]

    package init(colors: [ThemeToken: ThemeColor]) { self.colors = colors }

    private init(numbers: [ThemeToken: UInt8]) { colors = numbers.mapValues(ThemeColor.init(number:)) }

    /// The theme for dark backgrounds.
    package static let dark = Theme(numbers: [
        .dim: 246, .accent: 80, .ok: 114, .warn: 221, .error: 203, .bar: 80, .barTrack: 240, .divider: 240,
    ]).with([.selection: ThemeColor(235, ansi: 4, exact: Color(red: 0x0F, green: 0x2E, blue: 0x35))])

    /// The dark theme with a dark background of its own.
    package static let paintedDark = dark.painted(text: ThemeColor(252, ansi: 7), on: ThemeColor(233, ansi: 0))

    /// The theme for light backgrounds.
    package static let light = Theme(numbers: [
        .dim: 242, .accent: 24, .ok: 22, .warn: 94, .error: 124, .bar: 24, .barTrack: 252, .divider: 248,
    ]).with([.selection: ThemeColor(195, ansi: 6, exact: Color(red: 0xDA, green: 0xF2, blue: 0xF8))])

    /// The light theme with a white background of its own.
    package static let paintedLight = light.painted(text: ThemeColor(235, ansi: 0), on: ThemeColor(231, ansi: 15))

    /// The high-contrast theme on black; the contrast is at least 7:1.
    package static let highContrastOnDark = Theme(numbers: [
        .text: 231, .dim: 252, .accent: 123, .selection: 19, .ok: 120, .warn: 228, .error: 217, .bar: 231,
        .barTrack: 240, .divider: 250,
    ]).painted(text: ThemeColor(231, ansi: 15), on: ThemeColor(16, ansi: 0))

    /// The high-contrast theme on white.
    package static let highContrastOnLight = Theme(numbers: [
        .text: 16, .dim: 238, .accent: 18, .selection: 195, .ok: 22, .warn: 53, .error: 88, .bar: 16, .barTrack: 250,
        .divider: 240,
    ]).painted(text: ThemeColor(16, ansi: 0), on: ThemeColor(231, ansi: 15))

    /// The theme without colours.
    package static let monochrome = Theme(colors: [:])

    private func painted(text: ThemeColor, on background: ThemeColor) -> Theme {
        with([.text: text, .background: background])
    }

    private func with(_ others: [ThemeToken: ThemeColor]) -> Theme {
        Theme(colors: colors.merging(others) { $1 })
    }

    /// The background colour; nil if the theme keeps the terminal's own.
    package var background: Color? {
        if let exact = colors[.background]?.exact { return exact }
        let number = colors[.background]?.number(among: 256)
        return number.flatMap { UInt8(exactly: $0) }.map(XtermPalette.color)
    }

    /// Returns a role's colour number in a palette of `count` colours; -1 means the terminal's own colour.
    func number(of token: ThemeToken, among count: Int) -> Int { colors[token]?.number(among: count) ?? -1 }
}
/// A pair of themes, for dark and for light backgrounds.
package struct ThemeChoice: Equatable, Sendable {
    package var onDark: Theme
    package var onLight: Theme

    package init(onDark: Theme, onLight: Theme) {
        self.onDark = onDark
        self.onLight = onLight
    }

    /// Uses the same theme on every background.
    package init(_ theme: Theme) { self.init(onDark: theme, onLight: theme) }

    /// Dark or light, to suit the background; the default.
    package static let auto = ThemeChoice(onDark: .dark, onLight: .light)
    package static let highContrast = ThemeChoice(onDark: .highContrastOnDark, onLight: .highContrastOnLight)
    package static let monochrome = ThemeChoice(.monochrome)

    /// The named choices; those named after a background colour paint it.
    package static let named: [(name: String, choice: ThemeChoice)] = [
        ("auto", .auto), ("dark", ThemeChoice(.paintedDark)), ("light", ThemeChoice(.paintedLight)),
        ("high-contrast", .highContrast),
        ("monochrome", .monochrome),
    ]

    /// Returns the theme for a background; the dark one if the background is unknown.
    package func theme(onBackground background: Color?) -> Theme {
        (background?.luma ?? 0) > 128_000 ? onLight : onDark
    }

    /// Replaces the colours of some roles.
    package func with(_ colors: [ThemeToken: ThemeColor]) -> ThemeChoice {
        var choice = self
        choice.onDark.colors.merge(colors) { $1 }
        choice.onLight.colors.merge(colors) { $1 }
        return choice
    }
}
