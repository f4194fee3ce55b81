extension BinaryInteger {
    /// Returns the digits, with zeros before them up to a count.
    package func digits(_ count: Int, radix: Int = 10, uppercase: Bool = false) -> String {
        let digits = String(self, radix: radix, uppercase: uppercase)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}

extension StringProtocol {
    /// The text without the blanks and tabs around it.
    package var withoutBlanks: String {
        let rest = drop { $0 == " " || $0 == "\t" }
        return String(rest[..<(rest.lastIndex { $0 != " " && $0 != "\t" }.map(rest.index(after:)) ?? rest.startIndex)])
    }
}
