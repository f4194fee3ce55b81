import Foundation

/// The two cache tiers together: decoded pictures in memory, bytes on disk.
///
/// The disk tier is optional: without it everything works from memory.
public final class ImageCache: Sendable {
    /// Decoded pictures, by source and processor.
    public let memory: MemoryStorage<Image>
    /// Bytes, original and processed; nil where there is no disk tier.
    public let disk: DiskStorage?

    /// A cache of these tiers; the memory has its standard limits, and the disk may be nil, unless said otherwise.
    public init(memory: MemoryStorage<Image> = MemoryStorage(), disk: DiskStorage?) {
        self.memory = memory
        self.disk = disk
    }

    /// Opens a cache of its own beside others, by name, in `folder`: the standard one of the environment by default.
    ///
    /// Two of one name share their disk tier and have a memory tier each. Throws why the folder cannot be used,
    /// `.invalidName` for a name that can be no folder's.
    public convenience init(
        name: String, in folder: CacheFolder? = nil, memory: MemoryStorage<Image> = MemoryStorage(),
        configuration: DiskStorage.Configuration = DiskStorage.Configuration(),
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(CacheFolderProblem) {
        let base = if let folder { folder } else { try CacheFolder.standard(environment: environment) }
        let disk = try DiskStorage(folder: try base.named(name), configuration: configuration)
        self.init(memory: memory, disk: disk)
    }

    /// Where a key is held.
    public enum CacheType: String, Sendable, Hashable {
        case none, memory, disk
    }

    /// The tier that would answer for a source and processor, the memory first.
    public func imageCachedType(forKey key: String, processorIdentifier: String = "") async -> CacheType {
        if memory.isCached(forKey: Self.memoryKey(key, processorIdentifier)) { return .memory }
        return await disk?.isCached(Self.diskKey(key, processorIdentifier)) == true ? .disk : .none
    }

    /// Whether either tier would answer for a source and processor.
    public func isCached(forKey key: String, processorIdentifier: String = "") async -> Bool {
        await imageCachedType(forKey: key, processorIdentifier: processorIdentifier) != .none
    }

    /// Bytes of content files on disk; equal contents count once, and without a disk tier it is 0.
    public func calculateDiskStorageSize() async throws(DiskCacheError) -> Int {
        guard let disk else { return 0 }
        return try await disk.totalBytes()
    }

    /// The file that holds a source's or a processed picture's bytes, for reading only; nil when there is none.
    ///
    /// It is named by what it holds, so that it can only be told once that is stored. A small picture, which shares a
    /// file with others, gets one of its own then.
    public func cachePath(forKey key: String, processorIdentifier: String = "") async -> String? {
        let key = Self.diskKey(key, processorIdentifier)
        guard let disk, await disk.isCached(key), let entry = await disk.entry(for: key) else { return nil }
        return disk.path(of: entry)
    }

    /// A short name for a source and processor: the SHA-256 of both, in hexadecimal.
    public func hash(forKey key: String, processorIdentifier: String = "") -> String {
        ContentDigest(of: Data(Self.memoryKey(key, processorIdentifier).utf8)).hexadecimal
    }

    /// A NUL stands in no address, so that no address can look like another one's processed picture.
    static func memoryKey(_ key: String, _ processor: String) -> String {
        processor.isEmpty ? key : "\(key)\u{0}\(processor)"
    }

    static func diskKey(_ key: String, _ processor: String) -> CacheEntryKey {
        CacheEntryKey(source: key, processor: processor, kind: processor.isEmpty ? .original : .processed)
    }
}
