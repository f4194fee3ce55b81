/// A colour in sRGB with eight bits per channel; alpha is not premultiplied, 255 is opaque.
public struct Color: Hashable, Sendable {
    /// The red channel.
    public var red: UInt8
    /// The green channel.
    public var green: UInt8
    /// The blue channel.
    public var blue: UInt8
    /// The opacity: 0 is transparent, 255 opaque.
    public var alpha: UInt8

    /// Creates a colour, opaque by default.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    /// #000000.
    public static let black = Color(red: 0, green: 0, blue: 0)
    /// #FFFFFF.
    public static let white = Color(red: 255, green: 255, blue: 255)
    /// Transparent black.
    public static let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)
    /// #FF0000.
    public static let red = Color(red: 255, green: 0, blue: 0)
    /// #00FF00.
    public static let green = Color(red: 0, green: 255, blue: 0)
    /// #0000FF.
    public static let blue = Color(red: 0, green: 0, blue: 255)
    /// #00FFFF.
    public static let cyan = Color(red: 0, green: 255, blue: 255)
    /// #FF00FF.
    public static let magenta = Color(red: 255, green: 0, blue: 255)
    /// #FFFF00.
    public static let yellow = Color(red: 255, green: 255, blue: 0)
    /// #FF8000.
    public static let orange = Color(red: 255, green: 128, blue: 0)
    /// #800080.
    public static let purple = Color(red: 128, green: 0, blue: 128)
    /// #996633.
    public static let brown = Color(red: 153, green: 102, blue: 51)
    /// #808080.
    public static let gray = Color(red: 128, green: 128, blue: 128)
    /// #AAAAAA.
    public static let lightGray = Color(red: 170, green: 170, blue: 170)
}

extension Color {
    /// The luma according to ITU-R BT.601 in thousandths, 0…255,000.
    @inlinable
    package var luma: Int { Int(red) * 299 + Int(green) * 587 + Int(blue) * 114 }

    /// Returns the square of the Euclidean distance in sRGB, without alpha.
    @inlinable
    package func squaredDistance(to other: Color) -> Int {
        let red = Int(red) - Int(other.red)
        let green = Int(green) - Int(other.green)
        let blue = Int(blue) - Int(other.blue)
        return red * red + green * green + blue * blue
    }
}
