/// The order people expect of file names: numbers by value, letters whatever their case.
enum NaturalOrder {
    /// Whether the first name stands before the second; names that differ only in case or zeros keep a fixed order.
    static func precedes(_ left: String, _ right: String) -> Bool {
        var first = left.utf8[...]
        var second = right.utf8[...]
        while let a = first.first, let b = second.first {
            if isDigit(a), isDigit(b) {
                let (one, other) = (number(&first), number(&second))
                if one.count != other.count { return one.count < other.count }
                if !one.elementsEqual(other) { return one.lexicographicallyPrecedes(other) }
            } else {
                if lower(a) != lower(b) { return lower(a) < lower(b) }
                first = first.dropFirst()
                second = second.dropFirst()
            }
        }
        if first.isEmpty != second.isEmpty { return first.isEmpty }
        return left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

    private static func lower(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte + 32 : byte }

    /// Takes the digits off the front and returns them without leading zeros.
    private static func number(_ text: inout Substring.UTF8View) -> Substring.UTF8View {
        let digits = text.prefix(while: isDigit)
        text = text.dropFirst(digits.count)
        return digits.drop { $0 == 48 }
    }
}
