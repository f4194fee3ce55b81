import BrowserCore
import Raster

/// Colours for the roles of text, as numbers of the 256 or 8 colours a terminal has.
public struct Theme: Equatable, Sendable {
    /// A role's colour: its number among 256 and among 8; nil is the terminal's own colour.
    public struct Entry: Equatable, Sendable {
        public var indexed: Int?
        public var ansi: Int?
        /// Shown faint where there are few colours or none.
        public var isFaint: Bool

        public init(indexed: Int?, ansi: Int?, isFaint: Bool = false) {
            self.indexed = indexed
            self.ansi = ansi
            self.isFaint = isFaint
        }
    }

    /// Roles that are missing have the terminal's own colour.
    public var entries: [ThemeToken: Entry]

    public init(entries: [ThemeToken: Entry]) { self.entries = entries }

    /// For dark backgrounds; the default.
    public static let dark = Theme(entries: [
        .dim: Entry(indexed: 245, ansi: nil, isFaint: true),
        .accent: Entry(indexed: 80, ansi: 6),
        .selection: Entry(indexed: 24, ansi: 4),
        .ok: Entry(indexed: 114, ansi: 2),
        .warn: Entry(indexed: 221, ansi: 3),
        .error: Entry(indexed: 203, ansi: 1),
        .bar: Entry(indexed: 80, ansi: 6),
        .barTrack: Entry(indexed: 238, ansi: nil, isFaint: true),
        .divider: Entry(indexed: 240, ansi: nil, isFaint: true),
    ])

    /// For light backgrounds.
    public static let light = Theme(entries: [
        .dim: Entry(indexed: 243, ansi: nil, isFaint: true),
        .accent: Entry(indexed: 30, ansi: 6),
        .selection: Entry(indexed: 153, ansi: 6),
        .ok: Entry(indexed: 28, ansi: 2),
        .warn: Entry(indexed: 130, ansi: 3),
        .error: Entry(indexed: 124, ansi: 1),
        .bar: Entry(indexed: 30, ansi: 6),
        .barTrack: Entry(indexed: 252, ansi: nil, isFaint: true),
        .divider: Entry(indexed: 248, ansi: nil, isFaint: true),
    ])

    /// The theme that is readable on a background; `.dark` when that is unknown.
    ///
    /// The luma decides, weighted as in Rec. 601.
    public static func suiting(_ background: Color?) -> Theme {
        guard let background else { return .dark }
        let luma = Int(background.red) * 299 + Int(background.green) * 587 + Int(background.blue) * 114
        return luma > 128_000 ? .light : .dark
    }
}
