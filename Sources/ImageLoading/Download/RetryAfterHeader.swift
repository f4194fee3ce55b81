import Foundation

/// Reads `Retry-After` (RFC 9110, section 10.2.3).
enum RetryAfterHeader {
    /// Whole seconds; nil when malformed or negative.
    static func delay(_ text: String) -> Duration? {
        guard let seconds = Int(text.trimmingCharacters(in: .whitespaces)), seconds >= 0 else { return nil }
        return .seconds(min(seconds, 1_000_000_000))
    }
}
