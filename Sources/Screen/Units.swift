/// Numbers as short texts with their unit; negative numbers count as zero.
///
/// The widths are upper bounds, used to reserve room so that columns stay aligned while values change.
package enum Units {
    /// The width of `999 KiB`.
    package static let bytesWidth = 7
    /// The width of `999 KiB/s`.
    package static let rateWidth = 9
    /// The width of `999 min`.
    package static let durationWidth = 6
    /// The width of `100 %`.
    package static let percentWidth = 5

    /// Returns bytes in binary units with two or three digits: `88 B`, `412 KiB`, `1.2 MiB`.
    package static func bytes(_ count: Int) -> String {
        let (value, unit) = scaled(count)
        return "\(digits(value, decimals: unit > 0)) \(names[unit])"
    }

    /// Returns a configured number of bytes, without a zero decimal: `5 GiB`.
    package static func limit(_ count: Int) -> String {
        let (value, unit) = scaled(count)
        return "\(short(value)) \(names[unit])"
    }

    /// Returns bytes per second: `1.2 MiB/s`.
    package static func rate(_ bytesPerSecond: Int) -> String { bytes(bytesPerSecond) + "/s" }

    /// Returns an amount and its limit in the limit's unit: `118/256 MiB`, `1.4/5 GiB`.
    package static func share(_ count: Int, of limit: Int) -> String {
        let (whole, unit) = scaled(limit)
        let part = (0..<unit).reduce(Double(max(0, count))) { value, _ in value / 1024 }
        let share = count > 0 && part < 0.05 ? "<0.1" : digits(part, decimals: unit > 0)
        return "\(share)/\(short(whole)) \(names[unit])"
    }

    /// Returns a number given in tenths, whole from 10 on: `0.7`, `14`.
    package static func tenths(_ tenths: Int) -> String {
        tenths >= 100 ? count((tenths + 5) / 10) : "\(max(0, tenths) / 10).\(max(0, tenths) % 10)"
    }

    /// Returns a share from 0 to 100: `62 %`.
    package static func percent(_ part: Int, of whole: Int) -> String { "\(percentage(part, of: whole)) %" }

    /// Returns the percentage rounded down, so that 100 means all.
    package static func percentage(_ part: Int, of whole: Int) -> Int {
        guard whole > 0 else { return 0 }
        return Int(min(100, max(0, Double(part) / Double(whole) * 100)))
    }

    /// Returns seconds in the largest unit that fits: `37 s`, `3 min`, `5 h`, `6 d`, `2 y`.
    package static func duration(seconds: Int) -> String { duration(seconds, isRounded: false) }

    /// Returns the time until an event, rounded to the nearest unit: a week is `7 d` even a moment after it began.
    package static func duration(ahead seconds: Int) -> String { duration(seconds, isRounded: true) }

    /// Returns when the next attempt follows: `next try in 5 s`, `next try now`.
    package static func nextTry(seconds: Int) -> String {
        "next try \(seconds > 0 ? "in \(duration(ahead: seconds))" : "now")"
    }

    private static func duration(_ seconds: Int, isRounded: Bool) -> String {
        let seconds = min(max(0, seconds), 400_000_000_000)
        if seconds < 100 { return "\(seconds) s" }
        for (length, limit, name) in [(60, 100, "min"), (3600, 48, "h"), (86_400, 1000, "d")] {
            let count = (seconds + (isRounded ? length / 2 : 0)) / length
            if count < limit { return "\(count) \(name)" }
        }
        return "\(min(9999, (seconds + (isRounded ? 15_778_800 : 0)) / 31_557_600)) y"
    }

    /// Returns milliseconds, as a duration from ten seconds on: `214 ms`, `2.1 s`, `12 s`.
    package static func duration(milliseconds: Int) -> String {
        let milliseconds = max(0, milliseconds)
        switch milliseconds {
        case ..<1000: return "\(milliseconds) ms"
        case ..<10_000: return "\(milliseconds / 1000).\(milliseconds % 1000 / 100) s"
        default: return duration(seconds: milliseconds / 1000)
        }
    }

    /// Returns the day of a time in seconds since 1970: `2026-07-14`.
    ///
    /// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
    package static func day(_ seconds: Int) -> String {
        let limit = 8_000_000_000_000
        let days = Double(min(max(seconds, -limit), limit)) / 86_400
        let shifted = Int(days.rounded(.down)) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let day = shifted - era * 146_097
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
        let ofYear = day - (365 * year + year / 4 - year / 100)
        let part = (5 * ofYear + 2) / 153
        let month = part < 10 ? part + 3 : part - 9
        let number = year + era * 400 + (month <= 2 ? 1 : 0)
        let parts = [(number, 4), (month, 2), (ofYear - (153 * part + 2) / 5 + 1, 2)]
        return parts.map { Fitting.pad(String($0), to: $1, .trailing).replacing(" ", with: "0") }.joined(separator: "-")
    }

    /// Returns a count with its name in the plural, if it is one: `1,204 files`.
    package static func counted(_ number: Int, _ name: String) -> String {
        "\(count(number)) \(name)\(number == 1 ? "" : "s")"
    }

    /// Returns a count with thousands separators: `1,204`.
    package static func count(_ number: Int) -> String {
        let digits = String(max(0, number))
        var result = ""
        for (offset, digit) in digits.enumerated() {
            if offset > 0, (digits.count - offset) % 3 == 0 { result.append(",") }
            result.append(digit)
        }
        return result
    }

    private static let names = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]

    private static func scaled(_ count: Int) -> (value: Double, unit: Int) {
        var value = Double(max(0, count))
        var unit = 0
        while value >= 999.5, unit < names.count - 1 {
            value /= 1024
            unit += 1
        }
        return (value, unit)
    }

    private static func digits(_ value: Double, decimals: Bool) -> String {
        guard decimals, value < 9.95 else { return String(Int(min(value, 1e15).rounded())) }
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    private static func short(_ value: Double) -> String {
        digits(value, decimals: value != value.rounded())
    }
}

extension Int {
    /// Returns the sum, at most `Int.max` and at least `Int.min`: servers may state any length.
    package func addingClamped(_ other: Int) -> Int {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? (other > 0 ? .max : .min) : sum
    }
}
