import AlcedoScreen
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
    ]).with([
        .selection: ThemeColor(235, ansi: 4, exact: Color(red: 0x0F, green: 0x2E, blue: 0x35)),
        .mark: ThemeColor(17, ansi: nil, exact: Color(red: 0x2B, green: 0x21, blue: 0x40)),
    ])

    /// The dark theme with a dark background of its own.
    package static let paintedDark = dark.painted(text: ThemeColor(252, ansi: 7), on: ThemeColor(233, ansi: 0))

    /// The theme for light backgrounds.
    package static let light = Theme(numbers: [
        .dim: 242, .accent: 24, .ok: 22, .warn: 94, .error: 124, .bar: 24, .barTrack: 252, .divider: 248,
    ]).with([
        .selection: ThemeColor(195, ansi: 6, exact: Color(red: 0xDA, green: 0xF2, blue: 0xF8)),
        .mark: ThemeColor(255, ansi: nil, exact: Color(red: 0xF5, green: 0xED, blue: 0xFA)),
    ])

    /// The light theme with a white background of its own.
    package static let paintedLight = light.painted(text: ThemeColor(235, ansi: 0), on: ThemeColor(231, ansi: 15))

    /// The high-contrast theme on black; the contrast is at least 7:1.
    package static let highContrastOnDark = Theme(numbers: [
        .text: 231, .dim: 252, .accent: 123, .selection: 19, .ok: 120, .warn: 228, .error: 217, .bar: 231,
        .barTrack: 240, .divider: 250, .mark: 17,
    ]).painted(text: ThemeColor(231, ansi: 15), on: ThemeColor(16, ansi: 0))

    /// The high-contrast theme on white.
    package static let highContrastOnLight = Theme(numbers: [
        .text: 16, .dim: 238, .accent: 18, .selection: 195, .ok: 22, .warn: 53, .error: 88, .bar: 16, .barTrack: 250,
        .divider: 240, .mark: 230,
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
extension ThemeToken {
    /// The SGR parameter of text of this role without a theme; nil for the terminal's own colour.
    package var basicColor: Int? {
        switch self {
        case .text, .selection, .mark, .background: nil
        case .dim, .barTrack, .divider: 90
        case .accent, .bar: 36
        case .ok: 32
        case .warn: 33
        case .error: 31
        }
    }

    /// Whether text of this role is bold on terminals without colours.
    var isEmphasized: Bool { [.accent, .warn, .error].contains(self) }
    /// Whether text of this role is faint on terminals without colours.
    var isSubdued: Bool { basicColor == 90 }
}

/// A pair of themes, for dark and for light backgrounds.
package struct ThemeChoice: Equatable, Sendable {
    package var onDark: Theme
    package var onLight: Theme

    package init(onDark: Theme, onLight: Theme) { (self.onDark, self.onLight) = (onDark, onLight) }

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

/// A theme's colour: its number in a palette of 256 colours, and in one of 8 or 16.
///
/// A terminal with 24-bit colours gets the exact colour if it differs from the palette's.
package struct ThemeColor: Hashable, Sendable {
    private let indexed: UInt8?
    private let ansi: UInt8?
    /// The exact colour; nil if it is the palette's.
    let exact: Color?

    /// The names of the first sixteen colours.
    package static let names = hues + hues.map { "bright-\($0)" }
    private static let hues = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]

    /// The terminal's default colour.
    package static let terminal = ThemeColor(indexed: nil, ansi: nil)

    private init(indexed: UInt8?, ansi: UInt8?, exact: Color? = nil) {
        self.indexed = indexed
        self.ansi = ansi
        self.exact = indexed.map(XtermPalette.color) == exact ? nil : exact
    }

    /// Creates a colour from its number in the palette of 256 and its substitute among 8 or 16.
    init(_ number: UInt8, ansi: UInt8?, exact: Color? = nil) { self.init(indexed: number, ansi: ansi, exact: exact) }

    /// Creates a colour from its number in the palette of 256; with fewer colours its hue is used, and greys have none.
    package init(number: UInt8) {
        self.init(indexed: number, ansi: number < 16 ? number : Self.hue(of: XtermPalette.color(number)))
    }

    /// Creates a colour from the nearest of the 216 colours and 24 greys that look the same on every terminal.
    package init(_ color: Color) {
        self.init(indexed: XtermPalette.number(nearestTo: color), ansi: Self.hue(of: color), exact: color)
    }

    /// Parses `#rrggbb`, one of ``names``, or `default` for the terminal's own colour; nil for anything else.
    package init?(_ text: String) {
        if text == "default" {
            self = .terminal
        } else if let number = Self.names.firstIndex(of: text) {
            self.init(number: UInt8(number))
        } else if text.hasPrefix("#"), text.utf8.count == 7, let color = ColorSpecification.color(text) {
            self.init(color)
        } else {
            return nil
        }
    }

    /// Returns the number in a palette of `count` colours; nil for the terminal's own colour.
    func number(among count: Int) -> Int? {
        switch count {
        case 256...: indexed.map { Int($0) }
        case 16...: ansi.map { Int($0) }
        case 8...: ansi.map { Int($0) % 8 }
        default: nil
        }
    }

    /// Returns the ANSI hue: each channel above the middle between the weakest and the strongest sets one bit.
    ///
    /// Nil for a grey.
    private static func hue(of color: Color) -> UInt8? {
        let channels = [color.red, color.green, color.blue].map { Int($0) }
        guard let least = channels.min(), let most = channels.max(), most - least >= 32 else { return nil }
        return channels.enumerated().reduce(0) { number, channel in
            2 * channel.element > least + most ? number | 1 << UInt8(channel.offset) : number
        }
    }
}
