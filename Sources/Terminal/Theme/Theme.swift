import BrowserCore

/// Colours for the roles of text.
///
/// A role without one has the terminal's own, and is told by attributes: what recedes is faint, what stands out bold,
/// the selection reversed.
public struct Theme: Equatable, Sendable {
    public var colors: [ThemeToken: ThemeColor]

    public init(colors: [ThemeToken: ThemeColor]) { self.colors = colors }

    private init(numbers: [ThemeToken: UInt8]) { colors = numbers.mapValues(ThemeColor.init(number:)) }

    /// For dark backgrounds.
    public static let dark = Theme(numbers: [
        .dim: 246, .accent: 80, .selection: 18, .ok: 114, .warn: 221, .error: 203, .bar: 80, .barTrack: 238,
        .divider: 240,
    ])

    /// For light backgrounds.
    public static let light = Theme(numbers: [
        .dim: 242, .accent: 24, .selection: 195, .ok: 22, .warn: 94, .error: 124, .bar: 24, .barTrack: 252,
        .divider: 248,
    ])

    /// For dark backgrounds, with a contrast of 7:1 at least.
    public static let highContrastOnDark = Theme(numbers: [
        .text: 231, .dim: 252, .accent: 123, .selection: 19, .ok: 120, .warn: 228, .error: 217, .bar: 231,
        .barTrack: 240, .divider: 250,
    ])

    /// The same for light backgrounds.
    public static let highContrastOnLight = Theme(numbers: [
        .text: 16, .dim: 238, .accent: 18, .selection: 195, .ok: 22, .warn: 53, .error: 88, .bar: 16, .barTrack: 250,
        .divider: 240,
    ])

    /// Without any colour.
    public static let monochrome = Theme(colors: [:])

    /// A role's number among so many colours; -1 is the terminal's own.
    func number(of token: ThemeToken, among count: Int) -> Int { colors[token]?.number(among: count) ?? -1 }
}
