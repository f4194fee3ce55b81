import FoundationEssentials

/// An error of the disk cache.
public enum DiskCacheError: Error, Sendable, Hashable {
    /// The entry was not stored; the text is the reason.
    case cannotStore(String)
    /// The index cannot be used now; the text is the reason.
    case unavailable(String)
    /// The work was cancelled.
    case cancelled
}

extension DiskCacheError: LocalizedError, CustomStringConvertible {
    public var description: String {
        switch self {
        case .cannotStore(let reason): "not stored: \(reason)"
        case .unavailable(let reason): "the disk cache cannot be used: \(reason)"
        case .cancelled: "cancelled"
        }
    }

    public var errorDescription: String? { description }
}

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
