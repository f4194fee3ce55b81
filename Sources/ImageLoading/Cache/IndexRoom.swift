import Foundation
import GRDB

/// Room for an index that the file system has none left for: without an index, nothing could ever be removed.
///
/// Contents of the entries that would be evicted next go before their rows, which go as soon as the index is open: a row
/// without its content is a miss.
struct IndexRoom: Sendable {
    let path: String
    let store: ContentStore

    /// What is freed: a 64th of all, but no less than what opening takes, and no more than the log of one slice of rows.
    private static let bounds = 256 << 10...8 << 20

    /// Removes contents, never of what is pinned; answers the entries that have lost theirs.
    func make(now: Date) -> [Int64] {
        guard let index = try? DiskIndex(path: path, store: store, isReadOnly: true) else { return [] }
        let chosen = try? index.read { database in
            let part = try DiskIndex.totalSpace(in: database) / 64
            let bytes = min(max(part, Self.bounds.lowerBound), Self.bounds.upperBound)
            let ids = try DiskIndex.choice(forBytes: bytes, now: now, slice: 1024, in: database).all
            return (ids: ids, contents: try ContentTable.contents(onlyOf: ids, in: database))
        }
        guard let chosen else { return [] }
        let files = index.contents.clearPacks(of: chosen.contents.map(\.leaving))
        files.forEach(store.blobs.remove)
        return chosen.contents.isEmpty ? [] : chosen.ids
    }
}

extension StoredContent {
    /// What is left of it when no row names it any more.
    fileprivate var leaving: Leavings.Leaving { place.slot.map { .slot($0) } ?? .file(name) }
}
