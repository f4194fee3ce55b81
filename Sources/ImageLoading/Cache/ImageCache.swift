import Foundation

/// The two cache tiers: decoded images in memory, and bytes on disk.
///
/// The disk tier is optional; without it the cache uses only memory.
public final class ImageCache: Sendable {
    /// The memory tier, with decoded images by source and processor.
    public let memory: MemoryStorage<Image>
    /// The disk tier, with original and processed bytes; nil if there is none.
    public let disk: DiskStorage?

    /// Creates a cache from its tiers; the memory tier has standard limits by default.
    public init(memory: MemoryStorage<Image> = MemoryStorage(), disk: DiskStorage?) {
        self.memory = memory
        self.disk = disk
    }

    /// Opens a named cache in `folder`, by default in the environment's standard folder.
    ///
    /// Caches of the same name share their disk tier, but have separate memory tiers.
    ///
    /// - Throws: The reason why the folder cannot be used; `.invalidName` if the name cannot be the name of a folder.
    public convenience init(
        name: String, in folder: CacheFolder? = nil, memory: MemoryStorage<Image> = MemoryStorage(),
        configuration: DiskStorage.Configuration = DiskStorage.Configuration(),
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(CacheFolderProblem) {
        let base = if let folder { folder } else { try CacheFolder.standard(environment: environment) }
        let disk = try DiskStorage(folder: try base.named(name), configuration: configuration)
        self.init(memory: memory, disk: disk)
    }

    /// The tier that has a key.
    public enum CacheType: String, Sendable, Hashable {
        case none, memory, disk
    }

    /// Returns the tier that has the image of a source and processor; the memory tier is checked first.
    public func imageCachedType(forKey key: String, processorIdentifier: String = "") async -> CacheType {
        if memory.isCached(forKey: Self.memoryKey(key, processorIdentifier)) { return .memory }
        return await disk?.isCached(Self.diskKey(key, processorIdentifier)) == true ? .disk : .none
    }

    /// Returns whether either tier has the image of a source and processor.
    public func isCached(forKey key: String, processorIdentifier: String = "") async -> Bool {
        await imageCachedType(forKey: key, processorIdentifier: processorIdentifier) != .none
    }

    /// Returns the size of the content files on disk in bytes.
    ///
    /// Equal contents count once. Without a disk tier the size is 0.
    public func calculateDiskStorageSize() async throws(DiskCacheError) -> Int {
        guard let disk else { return 0 }
        return try await disk.totalBytes()
    }

    /// Returns the path of the file with an entry's bytes, for reading only; nil if there is none.
    ///
    /// The file is named by its content, so the path is known only after the store. A small image shares a file with
    /// others; this call writes a separate file for it.
    public func cachePath(forKey key: String, processorIdentifier: String = "") async -> String? {
        let key = Self.diskKey(key, processorIdentifier)
        guard let disk, await disk.isCached(key), let entry = await disk.entry(for: key) else { return nil }
        return disk.path(of: entry)
    }

    /// Returns a short name for a source and processor: the SHA-256 of both, in hexadecimal.
    public func hash(forKey key: String, processorIdentifier: String = "") -> String {
        ContentDigest(of: Data(Self.memoryKey(key, processorIdentifier).utf8)).hexadecimal
    }

    /// Returns the key in memory.
    ///
    /// Addresses contain no NUL, so no address can equal the key of another one's processed image.
    static func memoryKey(_ key: String, _ processor: String) -> String {
        processor.isEmpty ? key : "\(key)\u{0}\(processor)"
    }

    static func diskKey(_ key: String, _ processor: String) -> CacheEntryKey {
        CacheEntryKey(source: key, processor: processor, kind: processor.isEmpty ? .original : .processed)
    }
}
