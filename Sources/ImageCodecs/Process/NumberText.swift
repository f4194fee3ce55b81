/// Conversion of numbers from and to the shortest text that parses to the same value, for identifiers.
enum NumberText {
    /// Returns a text such as `6`, `0.5` or `1e-05`; the number must be finite.
    static func text(_ value: Double) -> String {
        let text = "\(value == 0 ? 0 : value)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// Returns a fraction of 1 in percent.
    ///
    /// It moves the decimal point of the shortest text, because a multiplication would lose the last digit.
    static func percent(_ part: Double) -> String {
        let text = text(part)
        let pieces = text.split(separator: "e")
        if pieces.count == 2, let exponent = Int(pieces[1]) { return "\(pieces[0])e\(exponent + 2)" }
        let digits = text.split(separator: ".")
        let decimals = digits.count == 2 ? String(digits[1]) : ""
        let moved = String(digits[0]) + (decimals + "00").prefix(2)
        let whole = moved.drop { $0 == "0" }
        let rest = decimals.dropFirst(2)
        return (whole.isEmpty ? "0" : String(whole)) + (rest.isEmpty ? "" : "." + rest)
    }

    /// Parses a decimal number and multiplies it by ten to the power of `shift`.
    ///
    /// - Returns: The number; nil if the text is not a number or the number is infinite.
    static func number(_ text: some StringProtocol, shiftedBy shift: Int = 0) -> Double? {
        let pieces = text.split(omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        guard let mantissa = pieces.first, pieces.count <= 2, mantissa.contains(where: { ("0"..."9").contains($0) }),
            mantissa.allSatisfy({ ("0"..."9").contains($0) || "+-.".contains($0) }),
            let exponent = pieces.count == 2 ? Int(pieces[1]) : 0,
            case let (sum, isTooLarge) = exponent.addingReportingOverflow(shift), !isTooLarge,
            let value = Double("\(mantissa)e\(sum)"), value.isFinite
        else { return nil }
        return value
    }
}

extension Double {
    /// Returns the value clamped to a range, or `fallback` for NaN.
    func limited(to range: ClosedRange<Double>, fallback: Double = 0) -> Double {
        isNaN ? fallback : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
