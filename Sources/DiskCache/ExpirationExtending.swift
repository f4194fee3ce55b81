/// The effect of a use on the expiry of an entry.
public enum ExpirationExtending: Sendable, Hashable {
    /// The expiry stays the same.
    case none
    /// The entry's stored lifetime starts again.
    case cacheTime
    /// The entry expires after the given time from now.
    case expirationTime(StorageExpiration)
}
