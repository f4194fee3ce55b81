import Glibc

/// The delay in a `Retry-After` field (RFC 9110, section 10.2.3).
public struct RetryAfter: Sendable, Equatable {
    /// The delay: 0 for a date in the past, 100 years at most.
    public let delay: Duration

    /// Parses a field value: decimal digits as seconds, with a fraction as some servers send it, or an HTTP date.
    ///
    /// Anything else gives nil, including a sign or an exponent.
    /// - Parameter now: The current time in seconds since 1970, UTC, to which a date is compared.
    public init?(_ field: some StringProtocol, now: Int64) {
        let text = field.drop { $0 == " " || $0 == "\t" }
        let value = String(text.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
        if let seconds = Self.seconds(value) {
            delay = seconds
        } else if let date = HTTPDate(value, now: now) {
            delay = Self.delay(until: date, now: now)
        } else {
            return nil
        }
    }

    private static func seconds(_ value: String) -> Duration? {
        let parts = value.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        // A number too large for Int64 is larger than the longest delay.
        guard let whole = Int64(parts[0]) else { return .longestDelay }
        let fraction = parts.count == 2 ? Double("0.\(parts[1])") ?? 0 : 0
        return (Duration.seconds(whole).clamped() + .milliseconds(Int(fraction * 1_000))).clamped()
    }

    private static func delay(until date: HTTPDate, now: Int64) -> Duration {
        let (difference, hasOverflown) = date.secondsSince1970.subtractingReportingOverflow(now)
        if hasOverflown { return now < 0 ? .longestDelay : .zero }
        return Duration.seconds(difference).clamped()
    }
}

/// A date in one of the three formats of RFC 9110, section 5.6.7.
///
/// - `Sun, 06 Nov 1994 08:49:37 GMT`
/// - `Sunday, 06-Nov-94 08:49:37 GMT`
/// - `Sun Nov  6 08:49:37 1994`
///
/// Each field must be in range and the day must exist. The weekday need not match the date.
package struct HTTPDate: Equatable {
    package let secondsSince1970: Int64

    private static let months: [Substring] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

    /// Parses a date.
    ///
    /// - Parameter now: The current time in seconds since 1970, which determines the century of two-digit years.
    package init?(_ text: String, now: Int64) {
        let words = text.split(separator: " ")
        // Day, month, year and time in this order.
        let parts: [Substring]
        switch words.count {
        case 6 where Self.isWeekday(words[0], isShort: true, comma: ",") && Self.isUTC(words[5]):
            parts = Array(words[1...4])
        case 4 where Self.isWeekday(words[0], isShort: false, comma: ",") && Self.isUTC(words[3]):
            parts = words[1].split(separator: "-", omittingEmptySubsequences: false) + [words[2]]
        case 5 where Self.isWeekday(words[0], isShort: true, comma: ""):
            parts = [words[2].utf8.count == 1 ? "0" + words[2] : words[2], words[1], words[4], words[3]]
        default: return nil
        }
        let isShortYear = words.count == 4
        guard parts.count == 4, let day = Self.number(parts[0], 2), let month = Self.months.firstIndex(of: parts[1]),
            let year = Self.number(parts[2], isShortYear ? 2 : 4), let time = Self.time(parts[3])
        else { return nil }
        var date = tm()
        (date.tm_year, date.tm_mon) = (Int32(isShortYear ? Self.fullYear(year, now: now) : year) - 1900, Int32(month))
        date.tm_mday = Int32(day)
        // `timegm` turns a day too many into the first days of the next month.
        let midnight = timegm(&date)
        guard Int64(date.tm_mday) == day else { return nil }
        secondsSince1970 = Int64(midnight) + time
    }

    private static func isWeekday(_ word: Substring, isShort: Bool, comma: String) -> Bool {
        weekdays.contains { (isShort ? String($0.prefix(3)) : $0) + comma == word }
    }

    /// Returns whether a zone is UTC, in one of the forms that servers send.
    private static func isUTC(_ zone: Substring) -> Bool { ["GMT", "UTC", "+0000"].contains(zone) }

    private static func number(_ digits: Substring, _ count: Int) -> Int64? {
        digits.utf8.count == count && digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(digits) : nil
    }

    private static func time(_ word: Substring) -> Int64? {
        let parts = word.split(separator: ":", omittingEmptySubsequences: false).map { number($0, 2) }
        guard parts.count == 3, let hour = parts[0], hour < 24, let minute = parts[1], minute < 60,
            let second = parts[2], second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// Returns the year that ends in the two digits and is at most 50 years in the future, as the RFC requires.
    private static func fullYear(_ shortYear: Int64, now: Int64) -> Int64 {
        // The bounds prevent overflows for any `now`. A mean year has 31,556,952 seconds.
        let thisYear = 1970 + max(-60_000_000_000, min(now, 250_000_000_000)) / 31_556_952
        let year = thisYear - thisYear % 100 + shortYear
        return year > thisYear + 50 ? year - 100 : year
    }
}
