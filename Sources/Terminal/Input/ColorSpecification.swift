import Raster

/// Reads X11 colour names of the numeric kinds: `rgb:RRRR/GGGG/BBBB`, `rgba:…`, `#RRGGBB`.
enum ColorSpecification {
    static func color(_ text: String) -> Color? {
        if text.hasPrefix("#") { return channels(split(text.dropFirst())) }
        guard text.hasPrefix("rgb:") || text.hasPrefix("rgba:"), let colon = text.firstIndex(of: ":") else {
            return nil
        }
        return channels(text[text.index(after: colon)...].split(separator: "/", omittingEmptySubsequences: false))
    }

    private static func split(_ digits: Substring) -> [Substring] {
        let width = digits.count / 3
        guard width > 0, width * 3 == digits.count else { return [] }
        let second = digits.index(digits.startIndex, offsetBy: width)
        let third = digits.index(second, offsetBy: width)
        return [digits[..<second], digits[second..<third], digits[third...]]
    }

    private static func channels(_ parts: [Substring]) -> Color? {
        let values = parts.compactMap(channel)
        guard values.count == parts.count, values.count == 3 || values.count == 4 else { return nil }
        return Color(red: values[0], green: values[1], blue: values[2])
    }

    /// One to four hexadecimal digits, scaled to eight bits.
    private static func channel(_ digits: Substring) -> UInt8? {
        guard (1...4).contains(digits.count), digits.allSatisfy(\.isHexDigit), let value = Int(digits, radix: 16)
        else { return nil }
        let most = (1 << (4 * digits.count)) - 1
        return UInt8((value * 255 + most / 2) / most)
    }
}
