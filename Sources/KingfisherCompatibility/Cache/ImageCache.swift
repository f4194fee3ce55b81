import AlcedoDiskCache
import Foundation
import ImageLoading

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
    private let problem: CacheFolderProblem?
    private let lastWork = Locked<Task<Void, Never>?>(nil)

    /// Creates a cache with a folder of this name; a folder that cannot be made is reported by the first store.
    public convenience init(name: String) {
        var folder = Result<CacheFolder, CacheFolderProblem>.failure(.noHome)
        do throws(CacheFolderProblem) {
            let all = try CacheFolder.standard(environment: ProcessInfo.processInfo.environment)
            folder = .success(try all.named(name))
        } catch { folder = .failure(error) }
        self.init(name: name, folder)
    }

    /// Creates a cache in a folder.
    ///
    /// - Throws: `KingfisherError` if the folder cannot be used.
    public convenience init(name: String, cacheDirectoryURL: URL?) throws {
        guard let cacheDirectoryURL else {
            self.init(name: name)
            return
        }
        do throws(CacheFolderProblem) {
            let folder = try CacheFolder(path: cacheDirectoryURL.path(percentEncoded: false)).named(name)
            self.init(name: name, .success(folder))
            if let problem = diskStorage.base?.problem { throw problem }
        } catch {
            throw KingfisherError.cacheError(
                reason: .cannotCreateDirectory(path: cacheDirectoryURL.path(percentEncoded: false), error: error))
        }
    }

    private init(name: String, _ folder: Result<CacheFolder, CacheFolderProblem>) {
        let folderOrNil = try? folder.get()
        let disk = folderOrNil.map { AlcedoDiskCache.DiskStorage(recovering: $0) }
        if case .failure(let error) = folder { problem = error } else { problem = nil }
        let standard = ImageLoading.MemoryStorage<Image>.Configuration()
        memoryStorage = MemoryStorage.Backend(
            config: MemoryStorage.Config(totalCostLimit: standard.totalCostLimit))
        diskStorage = DiskStorage.Backend(disk, DiskStorage.Config(name: name, sizeLimit: 0))
        base = ImageLoading.ImageCache(memory: memoryStorage.base, disk: disk)
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

    /// Runs work after all earlier work and returns its result.
    func inOrder<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            enqueue { continuation.resume(returning: await work()) }
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
        guard let disk = base.disk, let entry = disk.liveEntryNow(for: Base.diskKey(key, identifier)) else {
            return nil
        }
        return URL(filePath: disk.path(of: entry))
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
        onDisk(handler) { cache in try? await cache.clearDiskCache() }
    }

    /// Removes expired images from both tiers; calls the handler on the main queue.
    public func cleanExpiredCache(completion handler: (@Sendable () -> Void)? = nil) {
        cleanExpiredMemoryCache()
        cleanExpiredDiskCache(completion: handler)
    }

    /// Removes expired images from the disk; calls the handler on the main queue.
    public func cleanExpiredDiskCache(completion handler: (@Sendable () -> Void)? = nil) {
        onDisk(handler) { cache in _ = try? await cache.cleanExpiredDiskCache() }
    }

    private func onDisk(
        _ handler: (@Sendable () -> Void)?, _ work: @escaping @Sendable (ImageLoading.ImageCache) async -> Void
    ) {
        enqueue { [base] in
            await work(base)
            if let handler { DispatchQueue.main.async(execute: handler) }
        }
    }

    /// Tells the handler, on the main queue, the size of all files in bytes.
    public func calculateDiskStorageSize(
        completion handler: @escaping @Sendable (Result<UInt, KingfisherError>) -> Void
    ) {
        enqueue { [self] in
            let result: Result<UInt, KingfisherError>
            do throws(DiskCacheError) {
                result = .success(UInt(clamping: try await base.calculateDiskStorageSize()))
            } catch { result = .failure(failure(error, key: "")) }
            DispatchQueue.main.async { handler(result) }
        }
    }

    /// The error of work on the disk.
    func failure(_ error: DiskCacheError, key: String, data: Data = Data()) -> KingfisherError {
        if let problem = problem ?? diskStorage.base?.problem {
            return .cacheError(
                reason: .cannotCreateDirectory(
                    path: diskStorage.directoryURL.path(percentEncoded: false), error: problem))
        }
        guard case .cache(let reason) = ImageError(error) else {
            return .cacheError(reason: .diskStorageIsNotReady(cacheURL: diskStorage.directoryURL))
        }
        return .cacheError(reason: .init(reason, key: key, data: data, folder: diskStorage.directoryURL))
    }
}
