import AlcedoCNcurses
import AlcedoScreen
import Raster

/// Converts styles to curses attributes and colour pairs; pairs are created on first use.
@MainActor
struct CursesStyles {
    private let theme: Theme
    /// The number of colours; 0 if there are none.
    private let colors: Int
    private var pairs: [Colors: Int16] = [:]
    private var renditions: [Style: Rendition] = [:]

    typealias Rendition = (attributes: attr_t, pair: Int16)

    private struct Colors: Hashable {
        var foreground: Int16
        var background: Int16
    }

    /// Creates the styles for the current curses screen.
    init(theme: Theme) {
        self.theme = theme
        let hasColors = theme != .monochrome && start_color() == OK && use_default_colors() == OK
        colors = hasColors ? Int(alcedo_colors()) : 0
    }

    mutating func rendition(of style: Style) -> Rendition {
        if let known = renditions[style] { return known }
        let rendition: Rendition = (attributes(of: style), pair(of: style))
        renditions[style] = rendition
        return rendition
    }

    /// The number of the theme's background colour; -1 if the theme has none.
    var background: Int { Int(color(.background)) }

    private func attributes(of style: Style) -> attr_t {
        var attributes: attr_t = 0
        let isColored = color(style.foreground) >= 0
        if style.bold || !isColored && style.foreground.isEmphasized { attributes |= alcedo_bold() }
        if !isColored, style.foreground.isSubdued { attributes |= alcedo_dim() }
        if style.background == .mark, !theme.distinguishesMarks(among: colors) { attributes |= alcedo_bold() }
        if style.background == .selection, color(.selection) < 0 { attributes |= alcedo_reverse() }
        return attributes
    }

    private mutating func pair(of style: Style) -> Int16 {
        guard colors >= 8 else { return 0 }
        let (foreground, background) = theme.numbers(of: style, among: colors)
        let wanted = Colors(foreground: Int16(clamping: foreground), background: Int16(clamping: background))
        if wanted == Colors(foreground: -1, background: -1) { return 0 }
        if let pair = pairs[wanted] { return pair }
        let pair = Int16(pairs.count + 1)
        guard Int32(pair) < alcedo_color_pairs(), init_pair(pair, wanted.foreground, wanted.background) == OK else {
            return 0
        }
        pairs[wanted] = pair
        return pair
    }

    private func color(_ token: ThemeToken) -> Int16 {
        Int16(clamping: theme.number(of: token, among: colors))
    }
}

/// Replaces palette numbers in curses' output with the theme's exact 24-bit colours, which curses cannot express.
struct TrueColors: Equatable {
    private let colors: [UInt8: Color]

    /// Maps each palette number to its exact colour; a number that several colours share is not replaced.
    init(_ theme: Theme) {
        let wanted = theme.colors.values.compactMap { color in
            color.number(among: 256).flatMap { UInt8(exactly: $0) }.map { ($0, color.exact) }
        }
        let shared = Dictionary(grouping: wanted, by: \.0).mapValues { Set($0.map(\.1)) }
        colors = shared.compactMapValues { $0.count == 1 ? $0.first ?? nil : nil }
    }

    /// Replaces `CSI 38 ; 5 ; N m` and `CSI 48 ; 5 ; N m` for the theme's colours.
    func replacingNumbers(in bytes: [UInt8]) -> [UInt8] {
        guard !colors.isEmpty else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let escape = rest.firstIndex(of: 0x1B) {
            result += rest[..<escape]
            rest = rest[escape...]
            guard let (layer, number, end) = Self.color(in: rest), let color = colors[number] else {
                result.append(rest.removeFirst())
                continue
            }
            result += "\u{1B}[\(layer)8;2;\(color.red);\(color.green);\(color.blue)m".utf8
            rest = rest[end...]
        }
        return result + rest
    }

    /// Parses a colour sequence at the start; returns its layer (3 foreground, 4 background), number and end.
    private static func color(in bytes: ArraySlice<UInt8>) -> (layer: Int, number: UInt8, end: Int)? {
        guard let end = bytes.prefix(12).firstIndex(of: UInt8(ascii: "m")) else { return nil }
        let text = String(decoding: bytes[bytes.startIndex..<end], as: UTF8.self)
        for layer in [3, 4] where text.hasPrefix("\u{1B}[\(layer)8;5;") {
            return UInt8(text.dropFirst(7)).map { (layer, $0, end + 1) }
        }
        return nil
    }
}
