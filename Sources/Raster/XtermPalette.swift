/// xterm's palette of 256 colours; users may change the first sixteen, the others look the same everywhere.
package enum XtermPalette {
    /// The levels of a channel in the 6×6×6 cube.
    package static let cubeLevels: [UInt8] = [0, 95, 135, 175, 215, 255]

    /// The defaults of the colours 0 to 15 (xterm's resources `color0` to `color15`).
    package static let named: [Color] = hexadecimal.map { number in
        Color(
            red: UInt8(truncatingIfNeeded: number >> 16), green: UInt8(truncatingIfNeeded: number >> 8),
            blue: UInt8(truncatingIfNeeded: number))
    }
    private static let hexadecimal: [UInt32] = [
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5, 0x7F7F7F, 0xFF0000, 0x00FF00,
        0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ]

    /// The colours 16 to 255: the cube, then 24 greys.
    package static let cubeAndGreys: [Color] = (UInt8(16)...255).map(color)

    /// Returns the colour with a number.
    package static func color(_ number: UInt8) -> Color {
        switch number {
        case 0..<16: return named[Int(number)]
        case 16..<232:
            let place = Int(number) - 16
            return Color(
                red: cubeLevels[place / 36], green: cubeLevels[place / 6 % 6], blue: cubeLevels[place % 6])
        default:
            let grey = 8 + 10 * (number - 232)
            return Color(red: grey, green: grey, blue: grey)
        }
    }

    /// Returns the number, from 16 on, of the nearest colour in sRGB; of several equally near ones, the lowest number.
    package static func number(nearestTo color: Color) -> UInt8 {
        (16...255).min { Self.color($0).squaredDistance(to: color) < Self.color($1).squaredDistance(to: color) } ?? 16
    }
}
