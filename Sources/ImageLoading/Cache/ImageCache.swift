import AlcedoSupport
import FoundationEssentials
import Raster
import Synchronization

/// The two cache tiers: decoded images in memory, and bytes on disk.
///
/// The disk tier is optional; without it the cache uses only memory.
public final class ImageCache: Sendable {
    /// The memory tier, with decoded images by source and processor.
    public let memory: MemoryStorage<Image>
    /// The disk tier, with original and processed bytes; nil if there is none.
    public let disk: DiskStorage?
    /// The number of times that a tier was cleared; each clearing also forgets which addresses had no image.
    let clearings = Atomic(0)
    /// The functions to call after the memory tier was cleared, by pipeline; each frees memory of its own.
    let clearingHandlers = Mutex<[ObjectIdentifier: @Sendable () -> Void]>([:])

    /// Creates a cache from its tiers; the memory tier has standard limits by default.
    public init(memory: MemoryStorage<Image> = MemoryStorage(), disk: DiskStorage?) {
        (self.memory, self.disk) = (memory, disk)
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
        /// No tier, the memory, or the disk.
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
    /// The file is named by its content, so the path is known only after the store. Entries with equal
    /// contents share one file.
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
    package static func memoryKey(_ key: String, _ processor: String) -> String {
        processor.isEmpty ? key : "\(key)\u{0}\(processor)"
    }

    package static func diskKey(_ key: String, _ processor: String) -> CacheEntryKey {
        CacheEntryKey(source: key, processor: processor, kind: processor.isEmpty ? .original : .processed)
    }
}

/// Reading images from the tiers.
extension ImageCache {
    /// Returns an image from memory, or from the disk; an image from the disk is decoded and stored in memory.
    ///
    /// - Parameter serializer: Reads processed images from the disk; `DefaultCacheSerializer` by default.
    /// - Parameter decoder: Reads the formats of this library within `limits`; libvips by default.
    /// - Returns: The image and its tier; `.none` on a miss, and if the bytes on disk are not a picture.
    /// - Throws: `.processor` if the processor fails, or if the picture exceeds a limit.
    @concurrent
    public func retrieveImage(
        forKey key: String, processor: any ImageProcessor = DefaultImageProcessor(),
        serializer: any CacheSerializer = DefaultCacheSerializer(), decoder: any ImageDecoding = CodecDecoder(),
        limits: DecodeLimits = .standard, options: CacheRetrieveOptions = CacheRetrieveOptions()
    ) async throws(ImageError) -> ImageCacheResult {
        let identifier = processor.identifier
        if let image = retrieveImageInMemoryCache(
            forKey: key, processorIdentifier: identifier, extending: options.memoryExtending)
        {
            return .memory(image)
        }
        let image: Image?
        do throws(ImageError) {
            image = try await retrieveImageInDiskCache(
                forKey: key, processor: processor, serializer: serializer, decoder: decoder, limits: limits,
                extending: options.diskExtending)
        } catch {
            guard error.isAboutBytes else { throw error }
            image = nil
        }
        guard let image else { return .none }
        remember(image, Self.memoryKey(key, identifier), options.memoryExpiration)
        return .disk(image)
    }

    /// Returns an image from memory, or nil on a miss; a hit renews its life unless `extending` says otherwise.
    ///
    /// The call never suspends.
    public func retrieveImageInMemoryCache(
        forKey key: String, processorIdentifier: String = "", extending: ExpirationExtending = .cacheTime
    ) -> Image? {
        memory.value(forKey: Self.memoryKey(key, processorIdentifier), extending: extending)
    }

    /// Returns a decoded image from the disk, or nil on a miss; the memory tier stays unchanged.
    ///
    /// - Throws: `.processor` if the bytes are not a valid image.
    @concurrent
    public func retrieveImageInDiskCache(
        forKey key: String, processor: any ImageProcessor = DefaultImageProcessor(),
        serializer: any CacheSerializer = DefaultCacheSerializer(), decoder: any ImageDecoding = CodecDecoder(),
        limits: DecodeLimits = .standard, extending: ExpirationExtending = .cacheTime
    ) async throws(ImageError) -> Image? {
        let identifier = processor.identifier
        guard let hit = await disk?.data(for: Self.diskKey(key, identifier), extending: extending) else { return nil }
        guard !identifier.isEmpty || serializer.storesOriginals else {
            return try ImageError.wrapping { () throws(CodecError) in
                try decoder.decode(hit.data, within: nil, limits: limits)
            }
        }
        let image = try serializer.image(from: hit.data, decoder: decoder, limits: limits)
        guard serializer.originalDataUsed else { return image }
        return try ImageError.wrapping { () throws(CodecError) in try processor.process(image) }
    }
}

/// Storing images in the tiers.
extension ImageCache {
    /// Stores an image in memory and, unless `toDisk` is false, its bytes on disk.
    ///
    /// Without a processor the original bytes are stored unchanged; if there are none, `DefaultCacheSerializer` encodes
    /// the image. With a processor `serializer` returns the bytes. Without a disk tier the image is only stored in
    /// memory.
    ///
    /// - Throws: The error of the serializer, or `.cache(.cannotStore)`; the memory tier has the image in both cases.
    @concurrent
    public func store(
        _ image: Image, original data: Data? = nil, forKey key: String, processorIdentifier: String = "",
        serializer: any CacheSerializer = DefaultCacheSerializer(), toDisk: Bool = true,
        options: CacheStoreOptions = CacheStoreOptions()
    ) async throws(ImageError) {
        remember(image, Self.memoryKey(key, processorIdentifier), options.memoryExpiration)
        guard toDisk, let disk else { return }
        var facts = CacheEntryFacts(storedUnder: key)
        let bytes: Data
        if processorIdentifier.isEmpty {
            bytes = if let data { data } else { try DefaultCacheSerializer().data(for: image, original: Data()) }
            let isFile = data != nil || bytes == image.animation?.file
            (facts.size, facts.frames) = (image.originalSize, isFile ? image.frameCount : 1)
            facts.format = isFile ? image.format : DefaultCacheSerializer().format(for: image)
        } else {
            bytes = try serializer.data(for: image, original: data ?? Data())
            (facts.size, facts.frames, facts.format) = (image.size, 1, serializer.format(for: image))
        }
        do throws(DiskCacheError) {
            try await disk.store(
                bytes, for: Self.diskKey(key, processorIdentifier), facts: facts, expiration: options.diskExpiration,
                writeOptions: options.writeOptions, forcedExtension: options.forcedExtension)
        } catch {
            throw ImageError(error)
        }
    }

    /// Stores bytes on disk unchanged; they are not decoded, and the memory tier stays unchanged.
    ///
    /// - Throws: `.cannotStore`; `.unavailable` without a disk tier.
    @concurrent
    public func storeToDisk(
        _ data: Data, forKey key: String, processorIdentifier: String = "", expiration: StorageExpiration? = nil,
        forcedExtension: String? = nil, writeOptions: CacheWriteOptions = []
    ) async throws(DiskCacheError) {
        guard let disk else { throw .unavailable("this cache has no disk tier") }
        var facts = CacheEntryFacts(storedUnder: key)
        facts.format = FormatSniffer.format(of: data)
        try await disk.store(
            data, for: Self.diskKey(key, processorIdentifier), facts: facts, expiration: expiration,
            writeOptions: writeOptions, forcedExtension: forcedExtension)
    }

    package func remember(_ image: Image, _ memoryKey: String, _ expiration: StorageExpiration?) {
        memory.store(image, forKey: memoryKey, cost: image.cost, expiration: expiration)
    }
}

extension CacheEntryFacts {
    /// Creates facts from a key that is an address, without its credentials.
    fileprivate init(storedUnder key: String) {
        self.init(url: Redaction.shown(key), host: URL(string: key)?.host() ?? "")
    }
}

/// Removing entries from the tiers; without a disk tier, removal from disk does nothing.
extension ImageCache {
    /// Removes the image of a source and processor, by default from both tiers.
    ///
    /// - Throws: `DiskCacheError.unavailable`; the image is removed from memory even then.
    public func removeImage(
        forKey key: String, processorIdentifier: String = "", fromMemory: Bool = true, fromDisk: Bool = true
    ) async throws(DiskCacheError) {
        if fromMemory { memory.removeValue(forKey: Self.memoryKey(key, processorIdentifier)) }
        if fromDisk { try await disk?.remove(source: key, processor: processorIdentifier) }
    }

    /// Removes all images of a source from both tiers, with any processor.
    ///
    /// Complexity: O(entries in memory).
    ///
    /// - Returns: The number of removed entries.
    @discardableResult
    public func removeImages(forKey key: String) async throws(DiskCacheError) -> Int {
        let removed = memory.removeValues { $0 == key || $0.hasPrefix(Self.memoryKey(key, " ").dropLast()) }
        return removed + (try await disk?.remove(source: key) ?? 0)
    }

    /// Removes every image from memory, and the parts of broken transfers of the pipelines that use this cache.
    public func clearMemoryCache() {
        clearings.add(1, ordering: .relaxed)
        memory.removeAll()
        for handler in clearingHandlers.withLock({ Array($0.values) }) { handler() }
    }

    /// Removes every entry from the disk, including pinned entries and entries of other kinds.
    ///
    /// - Throws: `DiskCacheError.unavailable`.
    public func clearDiskCache() async throws(DiskCacheError) {
        clearings.add(1, ordering: .relaxed)
        try await disk?.removeAll()
    }

    /// Removes every expired image from memory; returns their number.
    @discardableResult
    public func cleanExpiredMemoryCache() -> Int { memory.removeExpired() }

    /// Removes every expired entry from the disk, except pinned ones; returns their number.
    ///
    /// Not needed to stay within the size limit: an eviction removes expired entries first.
    @discardableResult
    public func cleanExpiredDiskCache() async throws(DiskCacheError) -> Int { try await disk?.removeExpired() ?? 0 }
}

extension ImageCache {
    /// Returns the statistics of both tiers; nil if the disk tier is unavailable.
    ///
    /// The hit counts include this process's latest memory hits.
    package func statistics() async -> CacheStatistics? {
        await noteMemoryHits()
        guard var statistics = try? await disk?.statistics() else { return nil }
        statistics.memoryBytes = memory.count > 0 ? memory.totalCost : nil
        statistics.memoryLimit = memory.totalCostLimit
        return statistics
    }

    /// Writes the pending changes of the disk tier and the counted memory hits.
    public func flush() async {
        await noteMemoryHits()
        await disk?.flush()
    }

    /// Adds the memory tier's hits to the disk tier's counts; they are counted separately because memory hits must not
    /// wait.
    private func noteMemoryHits() async {
        let hits = memory.takeHits()
        if hits > 0 { await disk?.count(memoryHits: hits) }
    }
}

extension ImageCache {
    /// Returns a stream of the entries that are removed from either tier from now on, with the reasons.
    ///
    /// There can be any number of listeners; without one, no events are recorded. Removals by other processes that
    /// share the disk are not reported. The stream finishes when the cache is released.
    ///
    /// - Parameter bufferLimit: The number of buffered events, 1,024 by default; a slow listener loses the oldest ones.
    public func evictions(bufferLimit: Int = 1024) -> AsyncStream<CacheEviction> {
        AsyncStream(bufferingPolicy: .bufferingNewest(max(1, bufferLimit))) { continuation in
            let subscriptions = [memory.evictions, disk?.evictions].compactMap {
                $0?.subscribe {
                    continuation.yield($0)
                } onFinish: {
                    continuation.finish()
                }
            }
            continuation.onTermination = { _ in subscriptions.forEach { $0.cancel() } }
        }
    }
}

/// The result of a cache look-up.
public enum ImageCacheResult: Sendable, Hashable {
    /// The image was in memory.
    case memory(Image)
    /// The image was on the disk.
    case disk(Image)
    /// No tier has the image.
    case none

    /// The image; nil on a miss.
    public var image: Image? {
        switch self {
        case .memory(let image), .disk(let image): image
        case .none: nil
        }
    }

    /// The tier that had the image; `.none` on a miss.
    public var cacheType: ImageCache.CacheType {
        switch self {
        case .memory: .memory
        case .disk: .disk
        case .none: .none
        }
    }
}

/// Options for a cache look-up.
public struct CacheRetrieveOptions: Sendable, Hashable {
    /// The change of an image's expiration on a memory hit; `.cacheTime` by default.
    package var memoryExtending = ExpirationExtending.cacheTime
    /// The change of an entry's expiration on a disk hit; `.cacheTime` by default.
    package var diskExtending = ExpirationExtending.cacheTime
    /// The expiration in memory of an image from the disk; the memory tier's own by default, `.expired` stores nothing.
    package var memoryExpiration: StorageExpiration?

    /// Creates the options of a look-up.
    public init(
        memoryExtending: ExpirationExtending = .cacheTime, diskExtending: ExpirationExtending = .cacheTime,
        memoryExpiration: StorageExpiration? = nil
    ) {
        (self.memoryExtending, self.diskExtending) = (memoryExtending, diskExtending)
        self.memoryExpiration = memoryExpiration
    }
}

/// Options for storing an image.
public struct CacheStoreOptions: Sendable, Hashable {
    /// The expiration in memory; the tier's own if nil, the default; `.expired` stores nothing.
    package var memoryExpiration: StorageExpiration?
    /// The expiration on disk; the tier's own if nil, the default; `.expired` stores nothing.
    package var diskExpiration: StorageExpiration?
    /// The options for writing the file; empty by default.
    package var writeOptions: CacheWriteOptions
    /// The extension of the content file, verbatim; none by default.
    package var forcedExtension: String?

    /// Creates the options of a store.
    public init(
        memoryExpiration: StorageExpiration? = nil, diskExpiration: StorageExpiration? = nil,
        writeOptions: CacheWriteOptions = [], forcedExtension: String? = nil
    ) {
        (self.memoryExpiration, self.diskExpiration) = (memoryExpiration, diskExpiration)
        (self.writeOptions, self.forcedExtension) = (writeOptions, forcedExtension)
    }
}
