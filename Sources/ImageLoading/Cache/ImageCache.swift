import Foundation

/// The two cache tiers together: decoded pictures in memory, bytes on disk.
///
/// The disk tier is optional: without it everything works from memory.
public final class ImageCache: Sendable {
    public let memory: MemoryStorage<Image>
    public let disk: DiskStorage?

    public init(memory: MemoryStorage<Image> = MemoryStorage(), disk: DiskStorage?) {
        self.memory = memory
        self.disk = disk
    }

    /// Where a key is held.
    public enum CacheType: String, Sendable, Hashable {
        case none, memory, disk
    }

    /// The tier that would answer for a source and processor, the memory first.
    public func imageCachedType(forKey key: String, processorIdentifier: String = "") async -> CacheType {
        if memory.isCached(forKey: Self.memoryKey(key, processorIdentifier)) { return .memory }
        let kind: CacheEntryKind = processorIdentifier.isEmpty ? .original : .processed
        let isOnDisk = await disk?.isCached(CacheEntryKey(source: key, processor: processorIdentifier, kind: kind))
        return isOnDisk == true ? .disk : .none
    }

    /// Removes everything that belongs to a source from both tiers, whatever it was processed with.
    ///
    /// Complexity: O(entries in memory).
    public func removeImages(forKey key: String) async throws(ImageError) {
        memory.removeValues { $0 == key || $0.hasPrefix(Self.memoryKey(key, " ").dropLast()) }
        guard let disk else { return }
        let found = try await disk.entries(CacheEntryQuery(filter: CacheFilter(source: key), limit: .max))
        try await disk.remove(ids: found.entries.map(\.id))
    }

    public func clearMemoryCache() { memory.removeAll() }

    public func clearDiskCache() async throws(ImageError) { try await disk?.removeAll() }

    /// A NUL stands in no address, so that no address can look like another one's processed picture.
    static func memoryKey(_ key: String, _ processor: String) -> String {
        processor.isEmpty ? key : "\(key)\u{0}\(processor)"
    }
}
