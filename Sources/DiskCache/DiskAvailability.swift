/// Whether the disk tier can be used.
public enum DiskAvailability: Sendable, Hashable {
    case available
    /// Stores fail and look-ups miss for now; the text gives the reason.
    case unavailable(String)
}

/// A change of the disk tier that concerns its users.
public enum DiskCacheEvent: Sendable, Hashable {
    /// The tier stopped working, or works again; sent once for each change.
    case availability(DiskAvailability)
    /// The index was damaged and was begun anew: the tier is empty.
    case indexReset
}
