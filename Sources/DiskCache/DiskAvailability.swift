/// The availability of the disk tier.
package enum DiskAvailability: Sendable, Hashable {
    case available
    /// Stores fail and look-ups miss for now; the text is the reason.
    case unavailable(String)
}

/// An event of the disk tier that concerns its users.
package enum DiskCacheEvent: Sendable, Hashable {
    /// The tier stopped or resumed working; sent once for each change.
    case availability(DiskAvailability)
    /// A damaged index was replaced: the tier is empty.
    case indexReset
}
