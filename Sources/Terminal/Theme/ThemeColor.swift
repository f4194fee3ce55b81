import Raster

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
