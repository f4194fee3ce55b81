/// The delay that a `Retry-After` field asks for (RFC 9110, section 10.2.3).
public struct RetryAfter: Sendable, Equatable {
    /// How long to wait: 0 for a date in the past, at most 100 years.
    public let delay: Duration

    /// Reads a field value: decimal digits as seconds, or an HTTP date.
    ///
    /// `now` is in seconds since 1970, UTC, and tells how far off a date is. Anything else, a sign, a fraction and an
    /// exponent included, is malformed and gives nil.
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
        guard !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        // Digits that do not fit an Int64 are more seconds than the longest delay has.
        return Int64(value).map { Duration.seconds($0).clamped() } ?? .longestDelay
    }

    private static func delay(until date: HTTPDate, now: Int64) -> Duration {
        let (difference, hasOverflown) = date.secondsSince1970.subtractingReportingOverflow(now)
        if hasOverflown { return now < 0 ? .longestDelay : .zero }
        return Duration.seconds(difference).clamped()
    }
}
