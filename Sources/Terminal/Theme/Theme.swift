import BrowserCore
import Raster

/// Colours for the roles of text.
///
/// A role without one has the terminal's own, and is told by attributes: what recedes is faint, what stands out bold,
/// the selection reversed. Without a colour for the background the terminal's own stays.
public struct Theme: Equatable, Sendable {
    public var colors: [ThemeToken: ThemeColor]

    public init(colors: [ThemeToken: ThemeColor]) { self.colors = colors }

    private init(numbers: [ThemeToken: UInt8]) { colors = numbers.mapValues(ThemeColor.init(number:)) }

    /// For dark backgrounds.
    public static let dark = Theme(numbers: [
        .dim: 246, .accent: 80, .ok: 114, .warn: 221, .error: 203, .bar: 80, .barTrack: 240, .divider: 240,
    ]).with([.selection: ThemeColor(235, ansi: 4, exact: Color(red: 0x0F, green: 0x2E, blue: 0x35))])

    /// The same with a dark background of its own.
    public static let paintedDark = dark.painted(text: ThemeColor(252, ansi: 7), on: ThemeColor(233, ansi: 0))

    /// For light backgrounds.
    public static let light = Theme(numbers: [
        .dim: 242, .accent: 24, .ok: 22, .warn: 94, .error: 124, .bar: 24, .barTrack: 252, .divider: 248,
    ]).with([.selection: ThemeColor(195, ansi: 6, exact: Color(red: 0xDA, green: 0xF2, blue: 0xF8))])

    /// The same with a white background of its own.
    public static let paintedLight = light.painted(text: ThemeColor(235, ansi: 0), on: ThemeColor(231, ansi: 15))

    /// On black, with a contrast of 7:1 at least.
    public static let highContrastOnDark = Theme(numbers: [
        .text: 231, .dim: 252, .accent: 123, .selection: 19, .ok: 120, .warn: 228, .error: 217, .bar: 231,
        .barTrack: 240, .divider: 250,
    ]).painted(text: ThemeColor(231, ansi: 15), on: ThemeColor(16, ansi: 0))

    /// The same on white.
    public static let highContrastOnLight = Theme(numbers: [
        .text: 16, .dim: 238, .accent: 18, .selection: 195, .ok: 22, .warn: 53, .error: 88, .bar: 16, .barTrack: 250,
        .divider: 240,
    ]).painted(text: ThemeColor(16, ansi: 0), on: ThemeColor(231, ansi: 15))

    /// Without any colour.
    public static let monochrome = Theme(colors: [:])

    private func painted(text: ThemeColor, on background: ThemeColor) -> Theme {
        with([.text: text, .background: background])
    }

    private func with(_ others: [ThemeToken: ThemeColor]) -> Theme {
        Theme(colors: colors.merging(others) { $1 })
    }

    /// The background that it paints; nil where the terminal's own stays.
    public var background: Color? {
        if let exact = colors[.background]?.exact { return exact }
        let number = colors[.background]?.number(among: 256)
        return number.flatMap { UInt8(exactly: $0) }.map(IndexedPalette.color)
    }

    /// A role's number among so many colours; -1 is the terminal's own.
    func number(of token: ThemeToken, among count: Int) -> Int { colors[token]?.number(among: count) ?? -1 }
}
