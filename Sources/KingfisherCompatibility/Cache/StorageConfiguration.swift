import AlcedoDiskCache
import Foundation
import ImageLoading

/// The memory tier of a cache.
public enum MemoryStorage {
    /// The limits of the tier; a change takes effect at once.
    public struct Config: Sendable {
        /// The limit of the cost in bytes; 0 is none.
        public var totalCostLimit: Int
        /// The limit of the number of images; none by default.
        public var countLimit = Int.max
        /// The lifetime of an image, which a use restarts; 300 s by default.
        public var expiration = StorageExpiration.seconds(300)
        /// The time after which expired images are removed, in seconds; 120 by default.
        public var cleanInterval: TimeInterval
        /// Accepted without effect: a terminal program has no background.
        public var keepWhenEnteringBackground = false

        /// Creates limits.
        public init(totalCostLimit: Int, cleanInterval: TimeInterval = 120) {
            (self.totalCostLimit, self.cleanInterval) = (totalCostLimit, cleanInterval)
        }
    }

    /// The storage.
    public final class Backend<Value: Sendable>: Sendable {
        let base: ImageLoading.MemoryStorage<Value>
        private let settings: Locked<Config>

        /// Creates an empty storage.
        public init(config: Config) {
            settings = Locked(config)
            base = ImageLoading.MemoryStorage(configuration: Self.configuration(config))
        }

        /// The limits.
        public var config: Config {
            get { settings.value }
            set {
                settings.value = newValue
                base.configuration = Self.configuration(newValue)
            }
        }

        /// Returns the cost of all values in bytes.
        public func totalCacheCost() -> Int { base.totalCost }

        /// Stores a value; the expiration is the storage's own if nil.
        public func store(value: Value, forKey key: String, expiration: StorageExpiration? = nil) {
            base.store(value, forKey: Self.key(key), cost: (value as? Image)?.cost ?? 1, expiration: expiration)
        }

        /// Returns a value; nil on a miss.
        public func value(forKey key: String, extendingExpiration: ExpirationExtending = .cacheTime) -> Value? {
            base.value(forKey: Self.key(key), extending: extendingExpiration)
        }

        /// Returns whether there is a value that has not expired.
        public func isCached(forKey key: String) -> Bool { base.isCached(forKey: Self.key(key)) }
        /// Removes a value.
        public func remove(forKey key: String) { base.removeValue(forKey: Self.key(key)) }
        /// Removes all values.
        public func removeAll() { base.removeAll() }
        /// Removes expired values.
        public func removeExpired() { base.removeExpired() }

        private static func key(_ key: String) -> String { ImageLoading.ImageCache.memoryKey(key, "") }

        private static func configuration(_ config: Config) -> ImageLoading.MemoryStorage<Value>.Configuration {
            .init(
                totalCostLimit: config.totalCostLimit == 0 ? .max : config.totalCostLimit,
                countLimit: config.countLimit == .max ? 0 : config.countLimit, entryShare: 1,
                expiration: config.expiration, cleanInterval: Duration(seconds: config.cleanInterval))
        }
    }
}

/// The disk tier of a cache.
public enum DiskStorage {
    /// The limits of the tier; a change takes effect at the next store.
    public struct Config: Sendable {
        /// The limit of all files in bytes; 0 is none.
        public var sizeLimit: UInt
        /// The lifetime of an image, which a use restarts; 7 days by default.
        public var expiration = StorageExpiration.days(7)
        /// The extension of new files; none by default.
        public var pathExtension: String?
        /// Accepted without effect: files are named by their contents.
        public var usesHashedFileName = true
        /// Accepted without effect.
        public var autoExtAfterHashedFileName = false
        /// The name of the cache.
        public let name: String

        /// Creates limits.
        public init(name: String, sizeLimit: UInt) { (self.name, self.sizeLimit) = (name, sizeLimit) }
    }

    /// The storage.
    public final class Backend: Sendable {
        let base: AlcedoDiskCache.DiskStorage?
        private let folderProblem: CacheFolderProblem?
        private let settings: Locked<Config>

        init(_ config: Config, in folder: () throws(CacheFolderProblem) -> CacheFolder) {
            do throws(CacheFolderProblem) {
                (base, folderProblem) = (.init(recovering: try folder().named(config.name)), nil)
            } catch { (base, folderProblem) = (nil, error) }
            settings = Locked(config)
            self.config = config
        }

        /// The reason why the folder cannot be used.
        var problem: CacheFolderProblem? { folderProblem ?? base?.problem }

        /// The limits.
        public var config: Config {
            get { settings.value }
            set {
                settings.value = newValue
                base?.configuration.sizeLimit = newValue.sizeLimit == 0 ? .max : Int(clamping: newValue.sizeLimit)
                base?.configuration.expiration = newValue.expiration
            }
        }

        /// The folder of the tier.
        public var directoryURL: URL { URL(filePath: base?.folder.path ?? "/", directoryHint: .isDirectory) }

        /// Returns whether there are bytes that have not expired; reads the index on the calling thread.
        public func isCached(forKey key: String) -> Bool {
            base?.liveEntryNow(for: ImageLoading.ImageCache.diskKey(key, "")) != nil
        }

        /// Returns the size of all files in bytes; reads the index on the calling thread.
        public func totalSize() throws -> UInt { UInt(try base?.totalBytesNow() ?? 0) }

        /// Returns the path where a key's file would lie.
        public func cacheFileURL(forKey key: String) -> URL {
            directoryURL.appending(path: ContentDigest(of: Data(key.utf8)).hexadecimal)
        }
    }
}
