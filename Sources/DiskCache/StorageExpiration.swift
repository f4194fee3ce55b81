import Foundation

/// The lifetime of an entry.
public enum StorageExpiration: Sendable, Hashable {
    /// No expiry.
    case never
    /// A lifetime in seconds; no expiry if it is infinite or NaN.
    case seconds(TimeInterval)
    /// A lifetime in days of 86,400 s.
    case days(Int)
    /// Expiry at a date.
    case date(Date)
    /// Immediate expiry: the entry is not stored.
    case expired

    /// Returns the date at which an entry stored at `start` expires; nil for never.
    package func date(from start: Date) -> Date? {
        switch self {
        case .never: nil
        case .seconds(let seconds): seconds.isFinite ? start.addingTimeInterval(seconds) : nil
        case .days(let days): start.addingTimeInterval(Double(days) * 86_400)
        case .date(let date): date
        case .expired: start
        }
    }

    package var isExpired: Bool { self == .expired }
}
