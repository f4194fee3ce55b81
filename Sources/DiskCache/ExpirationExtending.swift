/// What an access does to the life of an entry.
public enum ExpirationExtending: Sendable, Hashable {
    /// Nothing: it expires when it was going to.
    case none
    /// It lives as long again as when it was stored.
    case cacheTime
    /// It lives for so long from now.
    case expirationTime(StorageExpiration)
}
