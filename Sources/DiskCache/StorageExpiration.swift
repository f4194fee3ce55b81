import FoundationEssentials

/// The lifetime of an entry.
public enum StorageExpiration: Sendable, Hashable {
    /// No expiry.
    case never
    /// A lifetime in seconds; no expiry if it is infinite or NaN.
    case seconds(TimeInterval)
    /// A lifetime in days of 86,400 s.
    case days(Int)
    /// Expiry at a date, which a use does not extend.
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

    /// The value of the index's column `life`: the time from a use to the expiry in seconds, -1 for no expiry, and the
    /// negative seconds since 1970 for a date.
    var life: TimeInterval {
        if case .date(let date) = self { return min(-2, -date.timeIntervalSince1970) }
        let start = Date(timeIntervalSinceReferenceDate: 0)
        return date(from: start).map { max(0, $0.timeIntervalSince(start)) } ?? -1
    }

    package var isExpired: Bool { self == .expired }
}

/// The effect of a use on the expiry of an entry.
public enum ExpirationExtending: Sendable, Hashable {
    /// The expiry stays the same.
    case none
    /// The entry's stored lifetime starts again.
    case cacheTime
    /// The entry expires after the given time from now.
    case expirationTime(StorageExpiration)
}

/// Options of a store; without any of them, too, every write is atomic.
public struct CacheWriteOptions: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A completed store survives a power failure: content, folder and index are synchronised with the disk.
    ///
    /// A store then takes milliseconds instead of microseconds.
    public static let durable = CacheWriteOptions(rawValue: 1 << 0)
}
