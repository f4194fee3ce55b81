import Filters
import ImageLoading

/// The text format of durations.
enum TimeText {
    private static let units: [(name: String, milliseconds: Double)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000),
    ]
    private static let longest = Duration.seconds(365 * 86_400)

    /// Parses a duration with ms, s, m or h, or in seconds, of at most a year; returns nil for invalid text.
    static func duration(_ text: String) -> Duration? {
        let unit = units.first { text.hasSuffix($0.name) } ?? ("", 1000)
        guard let number = DecimalText.number(text.dropLast(unit.name.count)) else { return nil }
        let milliseconds = number * unit.milliseconds
        guard milliseconds <= longest / .milliseconds(1) else { return nil }
        return .seconds(milliseconds / 1000)
    }

    /// Returns text that parses to the same duration, in the largest unit that divides it.
    static func text(_ duration: Duration) -> String {
        let milliseconds = (duration / .milliseconds(1)).rounded()
        let whole = units.last { milliseconds.truncatingRemainder(dividingBy: $0.milliseconds) == 0 }
        guard milliseconds > 0, let whole else { return "0s" }
        return DecimalText.text(milliseconds / whole.milliseconds) + whole.name
    }
}

/// The text format of sizes.
enum SizeText {
    private static let units: [(name: Character, bytes: Int)] = [("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30)]

    /// Parses a number of bytes, at least 1, with K, M, G or T of 1024; returns nil for invalid text.
    static func bytes(_ text: String) -> Int? {
        guard let bytes = try? FilterUnits.bytes(text), bytes > 0, bytes < .max else { return nil }
        return bytes
    }

    static func text(_ bytes: Int) -> String {
        guard bytes > 0, let unit = units.last(where: { bytes.isMultiple(of: $0.bytes) }) else { return String(bytes) }
        return "\(bytes / unit.bytes)\(unit.name)"
    }
}

/// The text format of percentages.
enum ShareText {
    /// Parses a percentage from 0 to 10,000 as a factor; returns nil for invalid text.
    static func factor(_ text: String) -> Double? {
        guard text.hasSuffix("%"), let number = DecimalText.number(text.dropLast()), number <= 10_000 else {
            return nil
        }
        return number / 100
    }

    static func text(_ factor: Double) -> String { DecimalText.text(factor * 100) + "%" }
}

/// The text format of rates.
enum RateText {
    private static let units: [(name: String, seconds: Double)] = [("/s", 1), ("/m", 60), ("/h", 3600)]

    /// Parses a number with /s, /m or /h, at most a million a second, as a rate a second; returns nil for invalid text.
    ///
    /// 0 needs no unit.
    static func perSecond(_ text: String) -> Double? {
        if text == "0" { return 0 }
        guard let unit = units.first(where: { text.hasSuffix($0.name) }),
            let number = DecimalText.number(text.dropLast(2)), number / unit.seconds <= 1_000_000
        else { return nil }
        return number / unit.seconds
    }

    /// Returns the rate in the smallest unit that makes it a whole number, else an hour's.
    static func text(_ rate: Double) -> String {
        guard rate > 0 else { return "0" }
        let fitting = units.first { abs((rate * $0.seconds).rounded() - rate * $0.seconds) < 1e-6 }
        let unit = fitting ?? units[units.count - 1]
        return DecimalText.text(rate * unit.seconds) + unit.name
    }
}

/// The text format of plain decimal numbers: digits with an optional point.
private enum DecimalText {
    static func number(_ text: some StringProtocol) -> Double? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }), let number = Double(String(text)),
            number.isFinite
        else { return nil }
        return number
    }

    static func text(_ number: Double) -> String {
        let text = String((number * 1_000_000).rounded() / 1_000_000)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
