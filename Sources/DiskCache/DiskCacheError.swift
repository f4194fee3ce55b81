import Foundation

/// An error of the disk cache.
public enum DiskCacheError: Error, Sendable, Hashable {
    /// The entry was not stored; the text is the reason.
    case cannotStore(String)
    /// The index cannot be used now; the text is the reason.
    case unavailable(String)
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
