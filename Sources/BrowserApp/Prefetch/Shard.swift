import Foundation
import ImageLoading
import Lists

/// One of several parts of a list; each picture belongs to the same part on every machine and in every order.
package struct Shard: Sendable, Hashable {
    /// The unit that is never divided.
    package enum Unit: String, Sendable, CaseIterable {
        /// Each picture alone, by its key or address.
        case key
        /// All pictures of a host, so that each host is asked by one machine only.
        case host
    }

    /// From 1 to `count`.
    package let index: Int
    package let count: Int
    package let unit: Unit

    /// Parses `2/8`; returns nil for other text and for more than 65,536 parts.
    package init?(_ text: String, by unit: Unit = .key) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let index = parts[0], let count = parts[1], (1...65_536).contains(count),
            (1...count).contains(index)
        else { return nil }
        (self.index, self.count, self.unit) = (index, count, unit)
    }

    package var text: String { "\(index)/\(count)" + (unit == .host ? " by host" : "") }

    /// Returns whether a picture belongs to this part.
    func contains(_ item: ItemRecord) -> Bool {
        let hash =
            switch unit {
            case .key: item.name.hash
            case .host: StableHash.hash(WebAddress.url(item.entry.location)?.host()?.lowercased() ?? "")
            }
        return hash % UInt64(count) == UInt64(index - 1)
    }
}

/// The identity of a picture in lists: its key, else its normalized location.
struct PictureName: Sendable, Hashable {
    let text: String

    init(of entry: ListEntry) { text = entry.key ?? URLNormalizer.normalize(entry.location) }

    var hash: UInt64 { StableHash.hash(text) }
}
