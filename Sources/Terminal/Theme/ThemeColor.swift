import Raster

/// A colour of a theme: its number where the terminal has 256, and where it has 8 or 16.
///
/// A terminal that shows all colours gets the exact one, where its number stands for another.
public struct ThemeColor: Hashable, Sendable {
    private let indexed: UInt8?
    private let ansi: UInt8?
    /// The colour itself; nil where it is the number's.
    let exact: Color?

    /// The names of the first sixteen numbers.
    public static let names = hues + hues.map { "bright-\($0)" }
    private static let hues = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]

    /// The terminal's own colour.
    public static let terminal = ThemeColor(indexed: nil, ansi: nil)

    private init(indexed: UInt8?, ansi: UInt8?, exact: Color? = nil) {
        self.indexed = indexed
        self.ansi = ansi
        self.exact = indexed.map(IndexedPalette.color) == exact ? nil : exact
    }

    /// One of 256, and the one that stands for it where there are 8 or 16.
    init(_ number: UInt8, ansi: UInt8?, exact: Color? = nil) { self.init(indexed: number, ansi: ansi, exact: exact) }

    /// One of 256; where there are fewer, its hue, and for a grey the terminal's own colour.
    public init(number: UInt8) {
        self.init(indexed: number, ansi: number < 16 ? number : Self.hue(of: IndexedPalette.color(number)))
    }

    /// The nearest of the 216 colours and 24 greys that every terminal of 256 colours shows alike.
    public init(_ color: Color) {
        self.init(indexed: IndexedPalette.nearest(to: color), ansi: Self.hue(of: color), exact: color)
    }

    /// `#rrggbb`, one of ``names``, or `default` for the terminal's own; nil for anything else.
    public init?(_ text: String) {
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

    /// Its number among so many colours; nil for the terminal's own.
    func number(among count: Int) -> Int? {
        switch count {
        case 256...: indexed.map { Int($0) }
        case 16...: ansi.map { Int($0) }
        case 8...: ansi.map { Int($0) % 8 }
        default: nil
        }
    }

    /// The channels above the middle between the weakest and the strongest, which are an ANSI colour's bits.
    private static func hue(of color: Color) -> UInt8? {
        let channels = [color.red, color.green, color.blue].map { Int($0) }
        guard let least = channels.min(), let most = channels.max(), most - least >= 32 else { return nil }
        return channels.enumerated().reduce(0) { number, channel in
            2 * channel.element > least + most ? number | 1 << UInt8(channel.offset) : number
        }
    }
}
