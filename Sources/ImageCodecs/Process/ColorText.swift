import Raster

extension Color {
    /// Creates a colour from its CSS form: a name such as `rebeccapurple`, `transparent`, `#rgb`, `#rgba`, `#rrggbb` or
    /// `#rrggbbaa`, ignoring case; nil for other text.
    ///
    /// CSS's `green` and `orange` are darker and lighter than `Color.green` and `Color.orange`.
    public init?(css text: String) {
        guard let color = ColorText.color(text) else { return nil }
        self = color
    }
}

/// Conversion of colours from and to text: `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa` or a CSS name.
///
/// Source: W3C CSS Color Module Level 4, sections 5.2 and 6.1.
enum ColorText {
    /// Returns `#rrggbb`, or `#rrggbbaa` for a colour that is not opaque.
    static func text(_ color: Color) -> String {
        let channels = [color.red, color.green, color.blue] + (color.alpha == 255 ? [] : [color.alpha])
        return "#" + channels.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Parses a colour, ignoring case; nil if the text is not a colour.
    static func color(_ text: String) -> Color? {
        let lower = text.lowercased()
        if lower.hasPrefix("#") { return hexadecimal(Array(lower.utf8.dropFirst())) }
        return lower == "transparent" ? Color(red: 0, green: 0, blue: 0, alpha: 0) : CSSColorName.color(lower)
    }

    private static func hexadecimal(_ digits: [UInt8]) -> Color? {
        let values = digits.compactMap(value)
        guard values.count == digits.count else { return nil }
        switch values.count {
        case 3, 4: return color(values.map { $0 * 17 })
        case 6, 8: return color(stride(from: 0, to: values.count, by: 2).map { values[$0] * 16 + values[$0 + 1] })
        default: return nil
        }
    }

    private static func color(_ channels: [UInt8]) -> Color {
        Color(
            red: channels[0], green: channels[1], blue: channels[2], alpha: channels.count == 4 ? channels[3] : 255)
    }

    private static func value(ofDigit digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
