import Raster

/// Writes a theme's exact colours in the place of their numbers, which are all that curses knows.
struct TrueColors: Equatable {
    private let colors: [UInt8: Color]

    /// A number that stands for several colours stays.
    init(_ theme: Theme) {
        let wanted = theme.colors.values.compactMap { color in
            color.number(among: 256).flatMap { UInt8(exactly: $0) }.map { ($0, color.exact) }
        }
        let shared = Dictionary(grouping: wanted, by: \.0).mapValues { Set($0.map(\.1)) }
        colors = shared.compactMapValues { $0.count == 1 ? $0.first ?? nil : nil }
    }

    /// Curses' output with `CSI 38 ; 5 ; N m` and `CSI 48 ; 5 ; N m` written in full for the colours of the theme.
    func exact(_ bytes: [UInt8]) -> [UInt8] {
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

    /// The layer, 3 or 4, and the number of a sequence at the start that sets a colour.
    private static func color(in bytes: ArraySlice<UInt8>) -> (layer: Int, number: UInt8, end: Int)? {
        guard let end = bytes.prefix(12).firstIndex(of: UInt8(ascii: "m")) else { return nil }
        let text = String(decoding: bytes[bytes.startIndex..<end], as: UTF8.self)
        for layer in [3, 4] where text.hasPrefix("\u{1B}[\(layer)8;5;") {
            return UInt8(text.dropFirst(7)).map { (layer, $0, end + 1) }
        }
        return nil
    }
}
