import Raster

/// The 256 colours as xterm has them; people may set the first sixteen otherwise.
enum IndexedPalette {
    private static let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
    /// The numbers that are the same everywhere: a cube of 6×6×6, and greys.
    private static let fixed = UInt8(16)...UInt8(255)
    private static let first: [Color] = hexadecimal.map {
        Color(red: UInt8($0 >> 16 & 0xFF), green: UInt8($0 >> 8 & 0xFF), blue: UInt8($0 & 0xFF))
    }
    private static let hexadecimal = [
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5, 0x7F7F7F, 0xFF0000, 0x00FF00,
        0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ]

    static func color(_ number: UInt8) -> Color {
        switch number {
        case 0..<16: return first[Int(number)]
        case 16..<232:
            let place = Int(number) - 16
            return Color(red: levels[place / 36], green: levels[place / 6 % 6], blue: levels[place % 6])
        default:
            let grey = 8 + 10 * (number - 232)
            return Color(red: grey, green: grey, blue: grey)
        }
    }

    /// By the squared distance in sRGB; the lowest number of several.
    static func nearest(to color: Color) -> UInt8 {
        fixed.min { distance(Self.color($0), color) < distance(Self.color($1), color) } ?? fixed.lowerBound
    }

    private static func distance(_ one: Color, _ other: Color) -> Int {
        let channels = [(one.red, other.red), (one.green, other.green), (one.blue, other.blue)]
        return channels.reduce(0) { sum, pair in
            let difference = Int(pair.0) - Int(pair.1)
            return sum + difference * difference
        }
    }
}
