/// The delay in a `Retry-After` field (RFC 9110, section 10.2.3).
public struct RetryAfter: Sendable, Equatable {
    /// The delay: 0 for a date in the past, 100 years at most.
    public let delay: Duration

    /// Parses a field value: decimal digits as seconds, or an HTTP date.
    ///
    /// Anything else, also a sign, a fraction or an exponent, is malformed and gives nil.
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
        guard !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        // A number too large for Int64 is larger than the longest delay.
        return Int64(value).map { Duration.seconds($0).clamped() } ?? .longestDelay
    }

    private static func delay(until date: HTTPDate, now: Int64) -> Duration {
        let (difference, hasOverflown) = date.secondsSince1970.subtractingReportingOverflow(now)
        if hasOverflown { return now < 0 ? .longestDelay : .zero }
        return Duration.seconds(difference).clamped()
    }
}
