import AlcedoSupport
import FoundationEssentials
import Glibc
import Raster
import Synchronization

/// The disk tier of the cache: content files and an index of them.
///
/// The tier may be lost at any time, and it never returns wrong bytes.
///
/// A store writes the content first and the row second, so that no row names a missing file. A read always checks the
/// length of the content, and its digest at the first use in a process. Damage counts as a miss, and the entry is
/// removed. While the disk is full, read-only or unavailable, stores fail with the reason and look-ups miss.
public final class DiskStorage: Sendable {
    /// The limits of the tier and the lifetimes of its entries.
    public struct Configuration: Sendable {
        /// The maximum size of all contents on the file system, in bytes, in whole blocks of 4 KiB; 5 GiB by default.
        ///
        /// A store that exceeds it evicts entries down to 90 %.
        public var sizeLimit: Int
        /// The lifetime of an entry, which a hit renews; 7 days by default.
        public var expiration: StorageExpiration
        /// Whether the cache may lie on a network file system; false by default.
        ///
        /// Several machines would share the index, which SQLite forbids, and an unresponsive server would block the
        /// program.
        public var allowsNetworkFileSystem: Bool
        /// The number of bytes that a store leaves free on the file system; 1 GiB by default.
        ///
        /// A store that needs some of them evicts entries first, and fails if that is not enough.
        public var minimumFreeSpace: Int
        /// The time without use after which a sweep removes an entry, whatever its expiration, in seconds; 90 days by
        /// default.
        public var unusedLife: Duration

        /// Creates a configuration; negative limits count as 0.
        public init(
            sizeLimit: Int = 5 << 30, expiration: StorageExpiration = .days(7), allowsNetworkFileSystem: Bool = false,
            minimumFreeSpace: Int = 1 << 30, unusedLife: Duration = .seconds(90 * 86_400)
        ) {
            self.sizeLimit = max(0, sizeLimit)
            self.expiration = expiration
            self.allowsNetworkFileSystem = allowsNetworkFileSystem
            self.minimumFreeSpace = max(0, minimumFreeSpace)
            self.unusedLife = unusedLife
        }
    }

    /// The folder of the cache; several processes may share it.
    package let folder: CacheFolder
    /// The limits and lifetimes; a change takes effect at the next store.
    public var configuration: Configuration {
        get { settings.withLock(\.self) }
        set { settings.withLock { $0 = newValue } }
    }
    private let settings: Mutex<Configuration>
    package let evictions = Broadcast<CacheEviction>()
    let events = Broadcast<DiskCacheEvent>()
    let blobs: BlobStore
    package let now: @Sendable () -> Date
    let freeSpace: @Sendable (String) -> Int?
    let verified = VerifiedContents()
    /// The counters of this process.
    let run = Mutex(CacheTally())
    /// The last time that an eviction for free space freed no space.
    let lastFailedEviction = Mutex<Date?>(nil)
    /// Whether the last store failed because the file system had too little space.
    let isOutOfSpace = Mutex(false)
    /// The claims of this process on pictures that it is fetching.
    package let claims: FetchClaims
    private let state: Mutex<DiskAvailability>
    private let index: ReconnectingIndex

    /// Opens the cache in a folder, and creates the folder if it is missing.
    ///
    /// - Parameters:
    ///   - folder: The folder of the cache.
    ///   - configuration: The limits and lifetimes.
    ///   - now: Returns the current time.
    ///   - freeSpace: Returns the free bytes on the file system of a folder; nil if unknown.
    /// - Throws: `CacheFolderProblem` if the folder cannot be used.
    public convenience init(
        folder: CacheFolder, configuration: Configuration = Configuration(),
        now: @escaping @Sendable () -> Date = { Date() },
        freeSpace: @escaping @Sendable (String) -> Int? = { FreeSpace.bytes(at: $0) }
    ) throws(CacheFolderProblem) {
        try self.init(
            folder: folder, configuration: configuration, now: now, freeSpace: freeSpace,
            blobs: BlobStore(folder: folder.blobs))
    }

    convenience init(
        folder: CacheFolder, configuration: Configuration, now: @escaping @Sendable () -> Date,
        freeSpace: @escaping @Sendable (String) -> Int?, blobs: BlobStore
    ) throws(CacheFolderProblem) {
        self.init(
            recovering: folder, configuration: configuration, now: now, freeSpace: freeSpace, blobs: blobs)
        if let problem { throw problem }
    }

    /// Opens a cache even if its folder is not usable yet; until it is, stores fail and look-ups miss.
    ///
    /// The cache tries to open the folder again every 5 s while it is used. `problem` holds the reason of the last
    /// failure.
    public convenience init(
        recovering folder: CacheFolder, configuration: Configuration = Configuration(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(
            recovering: folder, configuration: configuration, now: now, blobs: BlobStore(folder: folder.blobs))
    }

    init(
        recovering folder: CacheFolder, configuration: Configuration = Configuration(),
        now: @escaping @Sendable () -> Date = { Date() },
        freeSpace: @escaping @Sendable (String) -> Int? = { FreeSpace.bytes(at: $0) }, blobs: BlobStore
    ) {
        (self.folder, self.now, self.freeSpace) = (folder, now, freeSpace)
        settings = Mutex(configuration)
        self.blobs = blobs
        claims = FetchClaims(path: folder.claims)
        index = ReconnectingIndex(
            folder: folder, allowsNetworkFileSystem: configuration.allowsNetworkFileSystem, blobs: blobs,
            events: events,
            now: now)
        state = Mutex(index.problem.map { .unavailable($0.description) } ?? .available)
    }

    /// The reason why the cache was not open at its last use; nil if it was open.
    public var problem: CacheFolderProblem? { index.problem }

    /// Whether entries can be read, even if there is a `problem`.
    ///
    /// True on a read-only file system, and while another process locks the index.
    package var isReadable: Bool { index.isReadable }

    /// The state of the tier at the last store or look-up.
    package var availability: DiskAvailability { state.withLock(\.self) }

    /// Whether a damaged index was replaced by an empty one since the cache was opened.
    public var wasReset: Bool { index.wasReset }

    /// Calls a handler with each event of the tier from now on.
    ///
    /// The handler must return quickly and must not use the cache.
    package func onChange(_ handler: @escaping @Sendable (DiskCacheEvent) -> Void) -> Subscription {
        events.subscribe(handler)
    }

    private func setAvailability(_ availability: DiskAvailability) {
        let isChange = state.withLock { state in
            // A new reason for the same state is not a change.
            guard (state == .available) != (availability == .available) else { return false }
            state = availability
            return true
        }
        if isChange { events.send(.availability(availability)) }
    }

    /// Stores bytes under a key and replaces an existing entry.
    ///
    /// - Parameters:
    ///   - expiration: The entry's lifetime; by default that of the configuration. `.expired` stores nothing.
    ///   - forcedExtension: The extension of the content file's name, 1 to 32 bytes without the dot; none by default.
    /// - Returns: The SHA-256 of the bytes in hexadecimal; nil if nothing was stored.
    /// - Throws: `.cannotStore`, also if there are more bytes than the cache may keep.
    @concurrent @discardableResult
    package func store(
        _ data: Data, for key: CacheEntryKey, facts: CacheEntryFacts, expiration: StorageExpiration? = nil,
        writeOptions: CacheWriteOptions = [], forcedExtension: String? = nil
    ) async throws(DiskCacheError) -> String? {
        let life = expiration ?? configuration.expiration
        guard !life.isExpired else { return nil }
        guard data.count <= trimmedSize else {
            throw .cannotStore("\(data.count) bytes, more than the cache may keep")
        }
        if let forcedExtension, !ContentName.isExtension(forcedExtension) {
            throw .cannotStore("the extension must have 1 to 32 bytes, no slash and no control character")
        }
        let name = ContentName(digest: ContentDigest(of: data), fileExtension: forcedExtension)
        let entry = CacheEntry(key: key, facts: facts, content: name, length: data.count, now: now(), life: life)
        let isDurable = writeOptions.contains(.durable)
        do {
            try await access(.write) { [self] index in
                try await evict(toFit: entry, index)
                do { try await insert(data, as: name, entry, isDurable: isDurable, index) } catch let error
                    where IndexDamage.isFull(error)
                {
                    guard try await evictSome(for: data.count, index) else { throw error }
                    do { try await insert(data, as: name, entry, isDurable: isDurable, index) } catch {
                        recordFailedEviction()
                        throw error
                    }
                }
            }
            setAvailability(.available)
            return entry.digest
        } catch is CancellationError {
            throw .cancelled
        } catch {
            throw .cannotStore(IndexDamage.text(of: error))
        }
    }

    /// Writes the content, then the row.
    ///
    /// Tries again, up to 8 times, if another process removed the content file in between.
    private func insert(
        _ data: Data, as name: ContentName, _ entry: CacheEntry, isDurable: Bool, _ index: DiskIndex
    ) async throws {
        for attempt in 1...8 {
            try blobs.write(data, name: name, isDurable: isDurable)
            do {
                let insertion = try await index.insert(entry, content: name, isDurable: isDurable)
                if !insertion.replaced.isEmpty { notify(insertion.replaced, .replaced) }
                if insertion.totalSpace > configuration.sizeLimit { try await trim(index) }
                return
            } catch let error as ContentTable.ContentGone {
                if attempt == 8 { throw error }
            }
        }
    }

    /// Returns the bytes and the entry of a key, or nil on a miss.
    ///
    /// Missing, expired and damaged entries are misses. The counters include only misses of originals: after a miss of
    /// another kind the caller looks up the original.
    ///
    /// - Parameter extending: The effect of the hit on the entry's lifetime; by default the lifetime starts again.
    @concurrent
    package func data(
        for key: CacheEntryKey, extending: ExpirationExtending = .cacheTime
    ) async -> (data: Data, entry: CacheEntry)? {
        guard case .alive(let found) = await find(key, extending: extending) else { return nil }
        return found
    }

    /// Restarts the lifetime of an expired entry that the server has confirmed.
    ///
    /// - Parameters:
    ///   - expiration: The new lifetime; by default that of the configuration.
    ///   - etag: The new entity tag; nil keeps the old one.
    ///   - lastModified: The new modification date, as the server wrote it; nil keeps the old one.
    /// - Returns: False if the entry no longer exists.
    @concurrent @discardableResult
    package func renew(
        _ entry: CacheEntry, expiration: StorageExpiration? = nil, etag: String? = nil, lastModified: String? = nil
    ) async -> Bool {
        let life = expiration ?? configuration.expiration
        let moment = now()
        let isRenewed = try? await withIndex(.writeByIdentifier) { index in
            try await index.renew(
                entry, at: moment, expiration: life, etag: etag, lastModified: lastModified)
        }
        guard isRenewed == true else { return false }
        run.withLock {
            $0.revalidated += 1
            $0.bytesSaved += entry.length
        }
        return true
    }

    /// Returns whether a look-up would find the key, judged by the index and the length of the content file.
    @concurrent
    package func isCached(_ key: CacheEntryKey) async -> Bool { await liveEntry(for: key) != nil }

    /// Returns the same as `liveEntry`, and reads the index on the calling thread.
    package func liveEntryNow(for key: CacheEntryKey) -> CacheEntry? {
        guard let entry = try? index.current(isWriting: false).entry(for: key),
            case .alive = finding(of: entry, at: now())
        else { return nil }
        return entry
    }

    /// Returns the same as `totalBytes`, and reads the index on the calling thread.
    package func totalBytesNow() throws -> Int { try index.current(isWriting: false).totalBytes() }

    /// Returns the entry that a look-up would find, judged by the index and the length of the content file; does not
    /// record a use.
    @concurrent
    package func liveEntry(for key: CacheEntryKey) async -> CacheEntry? {
        try? await withIndex { [self] index in
            guard let entry = try index.entry(for: key), case .alive = finding(of: entry, at: now()) else { return nil }
            return entry
        }
    }

    /// Returns for each key, in order, whether a look-up would find it; does not record a use.
    @concurrent
    package func areCached(_ keys: [CacheEntryKey]) async -> [Bool] {
        let moment = now()
        let found = try? await withIndex { [self] index in
            try index.entries(for: keys).map { entry in
                if let entry, case .alive = finding(of: entry, at: moment) { true } else { false }
            }
        }
        return found ?? keys.map { _ in false }
    }
}

extension DiskStorage {
    /// The way in which a closure uses the index.
    enum Access {
        case read
        /// A write; fails at once if the index is read-only, and waits while another process locks it.
        case write
        /// A write to rows that are given by their identifiers.
        ///
        /// It is not repeated after a reset: in the new index the identifiers would belong to other entries.
        case writeByIdentifier
        /// A read of rows that are given by their identifiers; not repeated after a reset.
        case readByIdentifier

        var isWriting: Bool { self == .write || self == .writeByIdentifier }
        var repeatsAfterReset: Bool { self == .read || self == .write }
    }

    /// Runs a closure on the open index; runs it a second time on a new index if the first one is damaged.
    func withIndex<Result: Sendable>(
        _ access: Access = .read, _ body: @escaping @Sendable (DiskIndex) async throws -> Result
    ) async throws(DiskCacheError) -> Result {
        do { return try await self.access(access, body) } catch is CancellationError {
            throw .cancelled
        } catch let error as DiskCacheError {
            throw error
        } catch {
            throw .unavailable(IndexDamage.text(of: error))
        }
    }

    private func access<Result: Sendable>(
        _ access: Access, _ body: @escaping @Sendable (DiskIndex) async throws -> Result
    ) async throws -> Result {
        do { return try await accessOnce(access, body) } catch let error
            where IndexDamage.isDamage(error) && access.repeatsAfterReset
        {
            return try await accessOnce(access, body)
        }
    }

    private func accessOnce<Result: Sendable>(
        _ access: Access, _ body: @escaping @Sendable (DiskIndex) async throws -> Result
    ) async throws -> Result {
        let open: DiskIndex
        do throws(CacheFolderProblem) { open = try index.current(isWriting: access.isWriting) } catch {
            setAvailability(.unavailable(error.description))
            throw error
        }
        if access.isWriting, open.isReadOnly {
            throw problem ?? .cannotWrite(path: folder.path, reason: "read-only")
        }
        do {
            return try await body(open)
        } catch {
            if IndexDamage.isDamage(error) { index.reset(open) }
            if IndexDamage.isTrouble(error) { setAvailability(.unavailable(IndexDamage.text(of: error))) }
            throw error
        }
    }

    /// Returns whether the index was reset since the last call.
    func consumeReset() -> Bool { index.consumeReset() }

    /// Replaces a damaged index by an empty one.
    func reset(_ damaged: DiskIndex) { index.reset(damaged) }

    /// Notifies the subscribers of the removal of entries, without secret values in their keys.
    func notify(_ keys: [CacheEntryKey], _ reason: EvictionReason) {
        guard !evictions.isEmpty else { return }
        for key in keys { evictions.send(CacheEviction(diskKey: key, reason: reason)) }
    }

    func count(_ counter: CacheCounter, _ amount: Int, _ index: DiskIndex) {
        run.withLock { $0.add(counter, amount) }
        index.count(counter, by: amount)
    }

    /// Adds the hits of a memory tier to the counters.
    @concurrent
    package func count(memoryHits: Int) async {
        _ = try? await withIndex { [self] in count(.memoryHits, memoryHits, $0) }
    }

    /// Counts a miss if the key is an original's.
    ///
    /// After a miss of another kind the caller looks up the original, which counts then.
    func countMiss(_ key: CacheEntryKey, _ index: DiskIndex) {
        if key.kind == .original { count(.misses, 1, index) }
    }

    func touch(_ entry: CacheEntry, _ extending: ExpirationExtending, _ index: DiskIndex) {
        touch([entry], extending, index)
    }

    func touch(_ entries: [CacheEntry], _ extending: ExpirationExtending, _ index: DiskIndex) {
        guard !entries.isEmpty else { return }
        run.withLock {
            $0.diskHits += entries.count
            $0.bytesSaved += entries.reduce(0) { $0 + $1.length }
        }
        index.touch(entries, at: now(), extending: extending)
    }

    func content(of entry: CacheEntry, _ index: DiskIndex) async -> Data? {
        do throws(BlobStore.Problem) {
            return try read(entry)
        } catch {
            // An eviction removes the row before the content, so a missing file without its row is not damage.
            guard error.isOfTheContent, let found = try? index.entry(entry.id), found.entryName == entry.entryName
            else { return nil }
            await removeDamaged(found, after: error, index)
            return nil
        }
    }

    func read(_ entry: CacheEntry) throws(BlobStore.Problem) -> Data {
        let isFirstUse = entry.damage != nil || !verified.contains(entry.contentName)
        let data = try blobs.read(entry.contentName, length: entry.length, checkingDigest: isFirstUse)
        if isFirstUse { verified.insert(entry.contentName) }
        return data
    }

    private func removeDamaged(_ entry: CacheEntry, after problem: BlobStore.Problem, _ index: DiskIndex) async {
        if case .damaged = problem {
            // Damage found by a verification is counted already.
            if entry.damage == nil { count(.damaged, 1, index) }
            verified.remove(entry.contentName)
        }
        // Other entries with the same content lose it too: a miss is better than wrong bytes.
        notify((try? await index.removeDamaged(entry))?.keys ?? [], .damaged)
    }
}

extension BlobStore {
    /// Returns whether the content file of an entry exists and has the entry's length.
    func holdsContent(of entry: CacheEntry) -> Bool { holds(entry.contentName, length: entry.length) }
}
