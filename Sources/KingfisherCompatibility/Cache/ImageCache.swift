import AlcedoDiskCache
import Foundation
import ImageLoading

extension Notification.Name {
    /// Sent on the main queue, with the cache as object, when expired images were removed from its disk.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static let KingfisherDidCleanDiskCache = Self("com.onevcat.Kingfisher.KingfisherDidCleanDiskCache")
}
/// The key of the removed images' hashes, a list of texts, in the notification's `userInfo`.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let KingfisherDiskCacheCleanedHashKey = "com.onevcat.Kingfisher.cleanedHash"

/// A cache of images in memory and on disk.
///
/// Work on the disk is done in the order of the calls.
public final class ImageCache: Sendable {
    /// The cache of the shared manager.
    public static let `default` = ImageCache(name: "default")

    /// The memory tier.
    public let memoryStorage: MemoryStorage.Backend<Image>
    /// The disk tier.
    public let diskStorage: DiskStorage.Backend
    let base: Base
    typealias Base = ImageLoading.ImageCache
    private let lastWork = Locked<Task<Void, Never>?>(nil)

    /// Creates a cache with a folder of this name; a folder that cannot be made is reported by the first store.
    public convenience init(name: String) {
        let environment = ProcessInfo.processInfo.environment
        self.init(name) { () throws(CacheFolderProblem) in try .standard(environment: environment) }
    }

    /// Creates a cache in a folder.
    ///
    /// - Throws: `KingfisherError` if the folder cannot be used.
    public convenience init(name: String, cacheDirectoryURL: URL?) throws {
        guard let path = cacheDirectoryURL?.path(percentEncoded: false) else {
            self.init(name: name)
            return
        }
        self.init(name) { CacheFolder(path: path) }
        if let problem = diskStorage.problem {
            throw KingfisherError.cacheError(reason: .cannotCreateDirectory(path: path, error: problem))
        }
    }

    private convenience init(_ name: String, in folder: () throws(CacheFolderProblem) -> CacheFolder) {
        let limit = ImageLoading.MemoryStorage<Image>.Configuration().totalCostLimit
        self.init(
            memoryStorage: MemoryStorage.Backend(config: MemoryStorage.Config(totalCostLimit: limit)),
            diskStorage: DiskStorage.Backend(DiskStorage.Config(name: name, sizeLimit: 0), in: folder))
    }

    /// Creates a cache of two tiers.
    public init(memoryStorage: MemoryStorage.Backend<Image>, diskStorage: DiskStorage.Backend) {
        (self.memoryStorage, self.diskStorage) = (memoryStorage, diskStorage)
        base = Base(memory: memoryStorage.base, disk: diskStorage.base)
    }

    // MARK: - Order of work

    /// Runs work on the disk after all earlier work.
    @discardableResult
    func enqueue(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        lastWork.change { last in
            let next = Task { [last] in
                await last?.value
                await work()
            }
            last = next
            return next
        }
    }

    // MARK: - Questions

    /// Returns whether either tier has the image; reads the disk's index on the calling thread.
    public func isCached(
        forKey key: String, processorIdentifier identifier: String = "", forcedExtension: String? = nil
    ) -> Bool { imageCachedType(forKey: key, processorIdentifier: identifier).cached }

    /// Returns the tier that has the image; reads the disk's index on the calling thread.
    public func imageCachedType(
        forKey key: String, processorIdentifier identifier: String = "", forcedExtension: String? = nil
    ) -> CacheType {
        if base.memory.isCached(forKey: Base.memoryKey(key, identifier)) { return .memory }
        return base.disk?.liveEntryNow(for: Base.diskKey(key, identifier)) == nil ? .none : .disk
    }

    /// Tells the handler which tier has the image.
    public func imageCachedTypeAsync(
        forKey key: String, processorIdentifier identifier: String = "", forcedExtension: String? = nil,
        callbackQueue: CallbackQueue = .mainCurrentOrAsync, completionHandler: @escaping @Sendable (CacheType) -> Void
    ) {
        Task {
            let type = await imageCachedTypeAsync(forKey: key, processorIdentifier: identifier)
            callbackQueue.execute { completionHandler(type) }
        }
    }

    /// Returns the tier that has the image.
    @concurrent
    public func imageCachedTypeAsync(
        forKey key: String, processorIdentifier identifier: String = "", forcedExtension: String? = nil
    ) async -> CacheType { imageCachedType(forKey: key, processorIdentifier: identifier) }

    /// Returns the hash of a key; no file has this name.
    public func hash(
        forKey key: String, processorIdentifier identifier: String = "", forcedExtension: String? = nil
    ) -> String { base.hash(forKey: key, processorIdentifier: identifier) }

    /// Returns the path of the file of a key; without one, a path where no file lies.
    ///
    /// Files are named by their contents, so the path is known only after the store.
    public func cachePath(
        forKey key: String, processorIdentifier identifier: String = "", forcedExtension: String? = nil
    ) -> String {
        cacheFileURLIfOnDisk(forKey: key, processorIdentifier: identifier)?.path(percentEncoded: false)
            ?? diskStorage.cacheFileURL(forKey: key + identifier).path(percentEncoded: false)
    }

    /// Returns the file of a key; nil if there is none.
    public func cacheFileURLIfOnDisk(
        forKey key: String, processorIdentifier identifier: String = "", forcedExtension: String? = nil
    ) -> URL? {
        guard let disk = base.disk else { return nil }
        return disk.liveEntryNow(for: Base.diskKey(key, identifier)).map { URL(filePath: disk.path(of: $0)) }
    }

    /// The cost of all images in memory, in bytes.
    public var memoryStorageCacheCost: Int { memoryStorage.totalCacheCost() }

    // MARK: - Removal

    /// Removes all images from memory.
    public func clearMemoryCache() { base.clearMemoryCache() }

    /// Removes expired images from memory.
    public func cleanExpiredMemoryCache() { base.cleanExpiredMemoryCache() }

    /// Removes all images from both tiers; calls the handler on the main queue.
    public func clearCache(completion handler: (@Sendable () -> Void)? = nil) {
        clearMemoryCache()
        clearDiskCache(completion: handler)
    }

    /// Removes all images from the disk; calls the handler on the main queue.
    public func clearDiskCache(completion handler: (@Sendable () -> Void)? = nil) {
        enqueue { [base] in
            try? await base.clearDiskCache()
            if let handler { DispatchQueue.main.async(execute: handler) }
        }
    }

    /// Removes expired images from both tiers; calls the handler on the main queue.
    public func cleanExpiredCache(completion handler: (@Sendable () -> Void)? = nil) {
        cleanExpiredMemoryCache()
        cleanExpiredDiskCache(completion: handler)
    }

    /// Removes expired images from the disk; posts `KingfisherDidCleanDiskCache` if there were any, and calls the handler,
    /// both on the main queue.
    public func cleanExpiredDiskCache(completion handler: (@Sendable () -> Void)? = nil) {
        enqueue { [self] in
            var events = base.evictions(bufferLimit: .max).makeAsyncIterator()
            let count = (try? await base.cleanExpiredDiskCache()) ?? 0
            var hashes: [String] = []
            // Each removal has sent its event.
            while hashes.count < count, let event = await events.next() {
                guard event.tier == .disk, event.reason == .expired, let key = event.key else { continue }
                hashes.append(hash(forKey: key, processorIdentifier: event.processorIdentifier))
            }
            DispatchQueue.main.async { [hashes] in
                if !hashes.isEmpty {
                    NotificationCenter.default.post(
                        name: .KingfisherDidCleanDiskCache, object: self,
                        userInfo: [KingfisherDiskCacheCleanedHashKey: hashes])
                }
                handler?()
            }
        }
    }

    /// Removes expired images from the disk.
    public func backgroundCleanExpiredDiskCache() { cleanExpiredDiskCache() }

    /// Tells the handler, on the main queue, the size of all files in bytes.
    public func calculateDiskStorageSize(
        completion handler: @escaping @Sendable (Result<UInt, KingfisherError>) -> Void
    ) {
        enqueue { [self] in
            let result = await outcome(of: "") { UInt(clamping: try await base.calculateDiskStorageSize()) }
            DispatchQueue.main.async { handler(result) }
        }
    }

    /// Returns the outcome of work on the disk, for a key whose bytes are known if they are stored.
    func outcome<Value>(
        of key: String, data: Data = Data(), _ work: () async throws -> Value
    ) async -> Result<Value, KingfisherError> {
        do { return .success(try await work()) } catch {
            if let error = error as? KingfisherError { return .failure(error) }
            let folder = diskStorage.directoryURL
            if let problem = diskStorage.problem {
                let path = folder.path(percentEncoded: false)
                return .failure(.cacheError(reason: .cannotCreateDirectory(path: path, error: problem)))
            }
            guard let error = error as? DiskCacheError, case .cache(let reason) = ImageError(error) else {
                return .failure(.cacheError(reason: .diskStorageIsNotReady(cacheURL: folder)))
            }
            return .failure(.cacheError(reason: .init(reason, key: key, data: data, folder: folder)))
        }
    }
}
