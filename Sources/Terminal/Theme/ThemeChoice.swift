import BrowserCore
import Raster

/// What is shown on dark backgrounds and what on light ones.
public struct ThemeChoice: Equatable, Sendable {
    public var onDark: Theme
    public var onLight: Theme

    public init(onDark: Theme, onLight: Theme) {
        self.onDark = onDark
        self.onLight = onLight
    }

    /// The same whatever the background.
    public init(_ theme: Theme) { self.init(onDark: theme, onLight: theme) }

    /// Dark or light, as the background is; the default.
    public static let auto = ThemeChoice(onDark: .dark, onLight: .light)
    public static let highContrast = ThemeChoice(onDark: .highContrastOnDark, onLight: .highContrastOnLight)
    public static let monochrome = ThemeChoice(.monochrome)

    /// The choices that have names; those that name a background paint it.
    public static let named: [(name: String, choice: ThemeChoice)] = [
        ("auto", .auto), ("dark", ThemeChoice(.paintedDark)), ("light", ThemeChoice(.paintedLight)),
        ("high-contrast", .highContrast),
        ("monochrome", .monochrome),
    ]

    /// The theme that is readable on a background; that for dark ones when it is unknown.
    ///
    /// The luma decides, weighted as in Rec. 601.
    public func suiting(_ background: Color?) -> Theme {
        guard let background else { return onDark }
        let luma = Int(background.red) * 299 + Int(background.green) * 587 + Int(background.blue) * 114
        return luma > 128_000 ? onLight : onDark
    }

    /// The same but for some roles.
    public func with(_ colors: [ThemeToken: ThemeColor]) -> ThemeChoice {
        var choice = self
        choice.onDark.colors.merge(colors) { $1 }
        choice.onLight.colors.merge(colors) { $1 }
        return choice
    }
}
