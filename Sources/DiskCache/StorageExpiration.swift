import Foundation

/// How long an entry lives.
public enum StorageExpiration: Sendable, Hashable {
    /// For ever.
    case never
    /// So many seconds; for ever when that is infinite or no number.
    case seconds(TimeInterval)
    /// So many days of 86,400 s.
    case days(Int)
    /// Until a date.
    case date(Date)
    /// Expired at once: do not store.
    case expired

    /// When an entry stored at `start` expires; nil is never.
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
