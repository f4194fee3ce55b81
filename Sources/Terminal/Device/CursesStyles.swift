import BrowserCore
import CNcurses
import Raster

/// Styles as curses knows them: attributes and a colour pair, pairs made as they are first needed.
@MainActor
struct CursesStyles {
    private let theme: Theme
    /// 0 when there are none.
    private let colors: Int
    private var pairs: [Colors: Int16] = [:]
    private var looks: [Style: Look] = [:]

    typealias Look = (attributes: attr_t, pair: Int16)

    private struct Colors: Hashable {
        var foreground: Int16
        var background: Int16
    }

    /// For the screen that is curses' current one.
    init(theme: Theme) {
        self.theme = theme
        let hasColors = theme != .monochrome && start_color() == OK && use_default_colors() == OK
        colors = hasColors ? Int(alcedo_colors()) : 0
    }

    mutating func look(of style: Style) -> Look {
        if let known = looks[style] { return known }
        let look: Look = (attributes(of: style), pair(of: style))
        looks[style] = look
        return look
    }

    /// The number of the theme's background; -1 where it paints none.
    var background: Int { Int(color(.background)) }

    private func attributes(of style: Style) -> attr_t {
        var attributes: attr_t = 0
        let isColored = color(style.foreground) >= 0
        if style.bold || !isColored && style.foreground.standsOut { attributes |= alcedo_bold() }
        if !isColored, style.foreground.recedes { attributes |= alcedo_dim() }
        if style.inverse || (style.background == .selection && color(.selection) < 0) {
            attributes |= alcedo_reverse()
        }
        return attributes
    }

    private mutating func pair(of style: Style) -> Int16 {
        guard colors >= 8 else { return 0 }
        let own = style.background.map(color) ?? -1
        let background = own < 0 ? color(.background) : own
        let wanted = Colors(foreground: foreground(of: style, on: background), background: background)
        if wanted == Colors(foreground: -1, background: -1) { return 0 }
        if let pair = pairs[wanted] { return pair }
        let pair = Int16(pairs.count + 1)
        guard Int32(pair) < alcedo_color_pairs(), init_pair(pair, wanted.foreground, wanted.background) == OK else {
            return 0
        }
        pairs[wanted] = pair
        return pair
    }

    /// On a ground that the theme chose, the terminal's own colour of text may be that ground's: the theme's then, or
    /// black or white.
    private func foreground(of style: Style, on background: Int16) -> Int16 {
        let own = color(style.foreground)
        if own < 0, background >= 0, background == color(.background), color(.text) >= 0 { return color(.text) }
        guard own < 0, background >= 16, let number = UInt8(exactly: background) else { return own }
        let ground = IndexedPalette.color(number)
        let isLight = Int(ground.red) * 3 + Int(ground.green) * 6 + Int(ground.blue) > 5 * 255
        return isLight ? Self.black : Self.white
    }

    /// Of the 216 colours, which look alike everywhere.
    private static let black: Int16 = 16
    private static let white: Int16 = 231

    private func color(_ token: ThemeToken) -> Int16 {
        Int16(clamping: theme.number(of: token, among: colors))
    }
}

extension ThemeToken {
    /// Bold where it has no colour.
    fileprivate var standsOut: Bool { [.accent, .warn, .error].contains(self) }
    /// Faint where it has no colour.
    fileprivate var recedes: Bool { [.dim, .barTrack, .divider].contains(self) }
}
