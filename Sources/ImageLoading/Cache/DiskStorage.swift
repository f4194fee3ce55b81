import Foundation
import Synchronization

/// The disk tier, content files and an index of them: it may always be lost, it never lies.
///
/// Writes go content first, row second, so that a row never names what is not there. A read checks the length of the
/// content always, its digest at the first use in a process; damage is a miss and goes. Where the disk is full, read
/// only or gone, stores fail with the reason and look-ups miss, until it can be used again.
public final class DiskStorage: Sendable {
    /// Limits and lives of the tier.
    public struct Configuration: Sendable {
        /// Bytes of content; 5 GiB by default.
        ///
        /// When a store passes it, entries go until 90 % are left.
        public var sizeLimit: Int
        /// 7 days by default; a hit renews it.
        public var expiration: StorageExpiration
        /// Off by default: on a network file system several machines would share the index, which SQLite forbids.
        public var allowsNetworkFileSystem: Bool
        /// Bytes of the file system that a store leaves free; 1 GiB by default.
        ///
        /// A store that would take of them evicts first, and is refused when that does not help.
        public var minimumFreeSpace: Int
        /// How long an entry may go unused before a sweep takes it, whatever its expiration; 90 days by default.
        public var unusedLife: TimeInterval

        /// A configuration; negative limits are 0.
        public init(
            sizeLimit: Int = 5 << 30, expiration: StorageExpiration = .days(7), allowsNetworkFileSystem: Bool = false,
            minimumFreeSpace: Int = 1 << 30, unusedLife: TimeInterval = 90 * 86_400
        ) {
            self.sizeLimit = max(0, sizeLimit)
            self.expiration = expiration
            self.allowsNetworkFileSystem = allowsNetworkFileSystem
            self.minimumFreeSpace = max(0, minimumFreeSpace)
            self.unusedLife = unusedLife
        }
    }

    /// Where it lies; processes may share it.
    public let folder: CacheFolder
    /// As it was opened with.
    public let configuration: Configuration
    let listeners = EvictionListeners()
    let blobs: BlobStore
    let now: @Sendable () -> Date
    let freeSpace: @Sendable (String) -> Int?
    let verified = VerifiedContents()
    /// When evicting for free space last gave none.
    let vainEviction = Mutex<Date?>(nil)
    private let index: OpenIndex

    /// Opens the cache in a folder, making it when missing; throws why it cannot be used.
    ///
    /// `freeSpace` answers how many bytes a folder's file system has left, nil when that is unknown.
    public convenience init(
        folder: CacheFolder, configuration: Configuration = Configuration(),
        now: @escaping @Sendable () -> Date = { Date() },
        freeSpace: @escaping @Sendable (String) -> Int? = { FreeSpace.bytes(at: $0) }
    ) throws(CacheFolderProblem) {
        try self.init(
            folder: folder, configuration: configuration, now: now, freeSpace: freeSpace,
            blobs: BlobStore(folder: folder.blobs))
    }

    init(
        folder: CacheFolder, configuration: Configuration, now: @escaping @Sendable () -> Date,
        freeSpace: @escaping @Sendable (String) -> Int?, blobs: BlobStore
    ) throws(CacheFolderProblem) {
        self.folder = folder
        self.configuration = configuration
        self.now = now
        self.freeSpace = freeSpace
        self.blobs = blobs
        index = try OpenIndex(
            folder: folder, allowsNetworkFileSystem: configuration.allowsNetworkFileSystem, release: blobs.remove)
    }

    /// Stores bytes under a key, replacing what was there.
    ///
    /// `expiration` is the configuration's by default; `.expired` stores nothing. `forcedExtension`, 1 to 32 bytes,
    /// ends the content file's name behind a dot; none by default. Throws `.cache(.cannotStore)`, also for more bytes
    /// than the cache may keep.
    @concurrent
    public func store(
        _ data: Data, for key: CacheEntryKey, facts: CacheEntryFacts, expiration: StorageExpiration? = nil,
        writeOptions: CacheWriteOptions = [], forcedExtension: String? = nil
    ) async throws(ImageError) {
        let life = expiration ?? configuration.expiration
        guard !life.isExpired else { return }
        guard data.count <= trimmedSize else {
            throw .cache(.cannotStore("\(data.count) bytes, more than the cache may keep"))
        }
        if let forcedExtension, !ContentName.isExtension(forcedExtension) {
            throw .cache(.cannotStore("the extension must have 1 to 32 bytes, no slash and no control character"))
        }
        let name = ContentName(digest: ContentDigest(of: data), fileExtension: forcedExtension)
        let entry = CacheEntry(key: key, facts: facts, content: name, length: data.count, now: now(), life: life)
        do {
            try await store(data, as: name, entry, isDurable: writeOptions.contains(.durable))
        } catch {
            throw .cache(.cannotStore(IndexDamage.text(of: error)))
        }
    }

    /// Content first, row second; once more when the last other entry with that content ended in between.
    private func store(_ data: Data, as name: ContentName, _ entry: CacheEntry, isDurable: Bool) async throws {
        try await withIndex { index in
            let holdsContent: @Sendable () -> Bool = { [blobs] in blobs.holds(name.text, length: entry.length) }
            try await makeRoom(for: name, bytes: data.count, index)
            for attempt in 1...8 {
                try blobs.write(data, name: name, isDurable: isDurable)
                do {
                    let insertion = try await index.insert(entry, isDurable: isDurable, holdsContent: holdsContent)
                    if insertion.isReplacement { tell([entry.key], .replaced) }
                    if insertion.totalBytes > configuration.sizeLimit { try await trim(index) }
                    return
                } catch let error as DiskIndex.ContentGone {
                    if attempt == 8 { throw error }
                }
            }
        }
    }

    /// The bytes under a key, or nil: missing, expired and damaged entries are all misses.
    ///
    /// `extending` says what the hit does to the entry's life: by default it begins anew.
    @concurrent
    public func data(
        for key: CacheEntryKey, extending: ExpirationExtending = .cacheTime
    ) async -> (data: Data, entry: CacheEntry)? {
        try? await withIndex { index in
            guard let entry = try await index.entry(for: key), isAlive(entry),
                let data = await content(of: entry, index)
            else {
                await index.count("misses")
                return nil
            }
            await index.touch(entry, at: now(), extending: extending)
            return (data, entry)
        }
    }

    /// The bytes under a key, live or expired, without counting as a use.
    @concurrent
    public func peek(_ key: CacheEntryKey) async -> Data? {
        try? await withIndex { index in
            guard let entry = try await index.entry(for: key) else { return nil }
            return await content(of: entry, index)
        }
    }

    /// The bytes under a key that have expired, to be validated and stored anew; nil where there are none, or live ones.
    @concurrent
    public func expiredData(for key: CacheEntryKey) async -> (data: Data, entry: CacheEntry)? {
        try? await withIndex { index in
            guard let entry = try await index.entry(for: key), !isAlive(entry),
                let data = await content(of: entry, index)
            else { return nil }
            return (data, entry)
        }
    }

    /// Whether a look-up would find the key, by the index and the content file's length.
    @concurrent
    public func isCached(_ key: CacheEntryKey) async -> Bool {
        guard let entry = await entry(for: key) else { return false }
        return isAlive(entry) && blobs.holds(entry.contentName, length: entry.length)
    }

    /// Notes a use of a key without reading it; answers its row, or nil for what a look-up would not find.
    @concurrent
    public func use(_ key: CacheEntryKey, extending: ExpirationExtending = .cacheTime) async -> CacheEntry? {
        try? await withIndex { index in
            guard let entry = try await index.entry(for: key), isAlive(entry),
                blobs.holds(entry.contentName, length: entry.length)
            else { return nil }
            await index.touch(entry, at: now(), extending: extending)
            return entry
        }
    }
}

extension DiskStorage {
    /// Runs a body on the open index; one that turns out to be damaged is set aside, so that the next use begins anew.
    func withIndex<Result>(_ body: (DiskIndex) async throws -> Result) async throws -> Result {
        let open = try index.current()
        do {
            return try await body(open)
        } catch {
            if IndexDamage.isDamage(error) { index.setAside(open) }
            throw error
        }
    }

    /// Tells the listeners of what went.
    func tell(_ keys: [CacheEntryKey], _ reason: CacheEviction.Reason) {
        listeners.tell(keys.map { CacheEviction(diskKey: $0, reason: reason) })
    }

    func isAlive(_ entry: CacheEntry) -> Bool { entry.expires.map { $0 > now() } ?? true }

    func content(of entry: CacheEntry, _ index: DiskIndex) async -> Data? {
        let isFirstUse = !verified.contains(entry.contentName)
        do throws(BlobStore.Problem) {
            let data = try blobs.read(entry.contentName, length: entry.length, checkingDigest: isFirstUse)
            if isFirstUse { verified.insert(entry.contentName) }
            return data
        } catch {
            await drop(entry, after: error, index)
            return nil
        }
    }

    /// What could not be read for want of descriptors, say, stays.
    private func drop(_ entry: CacheEntry, after problem: BlobStore.Problem, _ index: DiskIndex) async {
        switch problem {
        case .system: return
        case .missing: break
        case .damaged:
            await index.count("damaged")
            // Other entries may need the same content: they are better off without than with this.
            verified.remove(entry.contentName)
            blobs.remove(entry.contentName)
        }
        tell((try? await index.remove(ids: [entry.id])) ?? [], .damaged)
    }
}
