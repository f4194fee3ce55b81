import Foundation
import Glibc
import Support
import Synchronization

/// The disk tier: content files and an index of them.
///
/// It may always be lost, and it never returns wrong bytes.
///
/// A store writes the content first and the row second, so that a row never names a file that is not there. A read
/// checks the length of the content always, its digest at the first use in a process; damage is a miss, and the entry
/// is removed. While the disk is full, read-only or gone, stores fail with the reason and look-ups miss.
public final class DiskStorage: Sendable {
    /// Limits of the tier and lives of its entries.
    public struct Configuration: Sendable {
        /// Bytes that contents may take of the file system, in whole blocks of 4 KiB; 5 GiB by default.
        ///
        /// A store that exceeds it evicts entries down to 90 %.
        public var sizeLimit: Int
        /// The life of an entry, which a hit renews; 7 days by default.
        public var expiration: StorageExpiration
        /// Whether the cache may lie on a network file system; false by default, as several machines would then share
        /// the index, which SQLite forbids, and a server that hangs would hang the program.
        public var allowsNetworkFileSystem: Bool
        /// Bytes of the file system that a store leaves free; 1 GiB by default.
        ///
        /// A store that needs some of them evicts first, and is refused if that does not help.
        public var minimumFreeSpace: Int
        /// How long an entry may go unused before a sweep removes it, whatever its expiration, in seconds; 90 days by
        /// default.
        public var unusedLife: TimeInterval

        /// Creates a configuration; negative limits count as 0.
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

    /// The cache's folder; several processes may share it.
    public let folder: CacheFolder
    /// The configuration that the cache was opened with.
    public let configuration: Configuration
    package let evictions = Broadcast<CacheEviction>()
    let events = Broadcast<DiskCacheEvent>()
    let blobs: BlobStore
    package let now: @Sendable () -> Date
    let freeSpace: @Sendable (String) -> Int?
    let verified = VerifiedContents()
    /// The counters of this process.
    let run = Mutex(CacheTally())
    /// Misses of this process that the index has not counted yet.
    let uncountedMisses = Mutex(0)
    /// When evicting for free space last gave none.
    let vainEviction = Mutex<Date?>(nil)
    /// Whether the last store found too little room.
    let roomLacks = Mutex(false)
    /// The claims of this process on pictures that it fetches.
    package let claims: FetchClaims
    private let state: Mutex<DiskAvailability>
    private let index: ReconnectingIndex

    /// Opens the cache in a folder, which is created when missing.
    ///
    /// - Parameter freeSpace: Returns the bytes left on a folder's file system, nil if unknown.
    /// - Throws: Why the folder cannot be used.
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

    /// Opens a cache whose folder may not be usable yet: until it is, stores fail and look-ups miss.
    ///
    /// Opening is tried again every 5 s while the cache is used. `problem` tells why it could not be opened.
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
        self.folder = folder
        self.configuration = configuration
        self.now = now
        self.freeSpace = freeSpace
        self.blobs = blobs
        claims = FetchClaims(path: folder.claims)
        index = ReconnectingIndex(
            folder: folder, allowsNetworkFileSystem: configuration.allowsNetworkFileSystem, blobs: blobs,
            events: events,
            now: now)
        state = Mutex(index.problem.map { .unavailable($0.description) } ?? .available)
    }

    /// Why the cache was not open when it was last used; nil when it was.
    public var problem: CacheFolderProblem? { index.problem }

    /// Whether entries can be read even if there is a `problem`: on a read-only file system, or while another process
    /// holds the index.
    public var isReadable: Bool { index.isReadable }

    /// Whether the tier works, as the last store or look-up found it.
    public var availability: DiskAvailability { state.withLock(\.self) }

    /// Whether the index was damaged and was begun anew, empty, since the cache was opened.
    public var wasReset: Bool { index.wasReset }

    /// Returns what happens to the tier from now on.
    public func changes() -> AsyncStream<DiskCacheEvent> { events.stream(bufferLimit: 16) }

    /// Calls a handler with what happens to the tier from now on; it must return quickly and not use the cache.
    public func onChange(_ handler: @escaping @Sendable (DiskCacheEvent) -> Void) -> Subscription {
        events.subscribe(handler)
    }

    private func note(_ availability: DiskAvailability) {
        let isChange = state.withLock { state in
            // Another reason for the same trouble is no change.
            guard (state == .available) != (availability == .available) else { return false }
            state = availability
            return true
        }
        if isChange { events.send(.availability(availability)) }
    }

    /// Stores bytes under a key, replacing what was there.
    ///
    /// - Parameters:
    ///   - expiration: The entry's life, the configuration's by default; `.expired` stores nothing.
    ///   - forcedExtension: 1 to 32 bytes that end the content file's name behind a dot; none by default.
    /// - Throws: `.cannotStore`, also for more bytes than the cache may keep.
    @concurrent
    public func store(
        _ data: Data, for key: CacheEntryKey, facts: CacheEntryFacts, expiration: StorageExpiration? = nil,
        writeOptions: CacheWriteOptions = [], forcedExtension: String? = nil
    ) async throws(DiskCacheError) {
        let life = expiration ?? configuration.expiration
        guard !life.isExpired else { return }
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
                try await makeRoom(for: entry, index)
                do { try await insert(data, as: name, entry, isDurable: isDurable, index) } catch let error
                    where IndexDamage.isFull(error)
                {
                    guard try await evictSome(for: data.count, index) else { throw error }
                    do { try await insert(data, as: name, entry, isDurable: isDurable, index) } catch {
                        noteVainEviction()
                        throw error
                    }
                }
            }
            note(.available)
        } catch {
            throw .cannotStore(IndexDamage.text(of: error))
        }
    }

    /// Writes the content first, the row second; again if the content's last other entry was removed in between.
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

    /// The bytes under a key, or nil: missing, expired and damaged entries are all misses.
    ///
    /// `extending` says what the hit does to the entry's life: by default it begins anew. A missing original counts as
    /// a miss; for want of anything else its source or original is asked, which counts then.
    @concurrent
    public func data(
        for key: CacheEntryKey, extending: ExpirationExtending = .cacheTime
    ) async -> (data: Data, entry: CacheEntry)? {
        try? await withIndex { [self] index in
            guard let entry = try index.entry(for: key), entry.isAlive(at: now()),
                let data = await content(of: entry, index)
            else {
                countMiss(key, index)
                return nil
            }
            touch(entry, extending, index)
            return (data, entry)
        }
    }

    /// Begins the life of an expired entry anew, whose server said that it still holds; false when it is gone.
    ///
    /// What the server named the bytes by may have changed; nil leaves it.
    @concurrent @discardableResult
    public func renew(
        _ entry: CacheEntry, expiration: StorageExpiration? = nil, etag: String? = nil, lastModified: String? = nil
    ) async -> Bool {
        let life = expiration ?? configuration.expiration
        let moment = now()
        let isRenewed = try? await withIndex(.writeByIdentifier) { index in
            try await index.renew(
                entry, at: moment, expires: life.date(from: moment), etag: etag, lastModified: lastModified)
        }
        guard isRenewed == true else { return false }
        run.withLock {
            $0.revalidated += 1
            $0.bytesSaved += entry.length
        }
        return true
    }

    /// Whether a look-up would find the key, by the index and the content's length.
    @concurrent
    public func isCached(_ key: CacheEntryKey) async -> Bool { await liveEntry(for: key) != nil }

    /// The row that a look-up would find, by the index and the content's length; no use of it is noted.
    @concurrent
    public func liveEntry(for key: CacheEntryKey) async -> CacheEntry? {
        try? await withIndex { [self] index in
            guard let entry = try index.entry(for: key), entry.isAlive(at: now()), entry.damage == nil,
                blobs.holdsContent(of: entry)
            else { return nil }
            return entry
        }
    }

    /// Whether a look-up would find each of some keys, in their order; no use of them is noted.
    @concurrent
    public func areCached(_ keys: [CacheEntryKey]) async -> [Bool] {
        let moment = now()
        let found = try? await withIndex { [self] index in
            try index.livingContents(of: keys, at: moment).map {
                $0.map { blobs.holds($0.name, length: $0.length) } ?? false
            }
        }
        return found ?? keys.map { _ in false }
    }
}

extension DiskStorage {
    /// How a body uses the index.
    enum Access {
        case read
        /// Fails at once where the index can only be read; waits for another process that holds the index.
        case write
        /// A write of rows that are named by their identifiers.
        ///
        /// In an index that was begun anew these would name other entries, so that the body is not repeated.
        case writeByIdentifier
        /// The same for reading.
        case readByIdentifier

        var isWriting: Bool { self == .write || self == .writeByIdentifier }
        var repeatsAfterReset: Bool { self == .read || self == .write }
    }

    /// Runs a body on the open index; if that turns out to be damaged, a second time on the one that is begun anew.
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
            note(.unavailable(error.description))
            throw error
        }
        if access.isWriting, open.isReadOnly {
            throw problem ?? .cannotWrite(path: folder.path, reason: "read-only")
        }
        let misses = removeUncountedMisses()
        if misses > 0 { open.count(.misses, by: misses) }
        do {
            return try await body(open)
        } catch {
            if IndexDamage.isDamage(error) { index.reset(open) }
            if IndexDamage.isTrouble(error) { note(.unavailable(IndexDamage.text(of: error))) }
            throw error
        }
    }

    /// Returns whether the index was reset since this was last asked.
    func consumeReset() -> Bool { index.consumeReset() }

    /// Begins a damaged index anew.
    func reset(_ damaged: DiskIndex) { index.reset(damaged) }

    private func removeUncountedMisses() -> Int {
        uncountedMisses.withLock { misses in
            defer { misses = 0 }
            return misses
        }
    }

    /// Notifies the subscribers of removed entries.
    func notify(_ keys: [CacheEntryKey], _ reason: CacheEviction.Reason) {
        guard !evictions.isEmpty else { return }
        for key in keys { evictions.send(CacheEviction(diskKey: key, reason: reason)) }
    }

    func count(_ counter: CacheCounter, _ amount: Int, _ index: DiskIndex) {
        run.withLock { $0.add(counter, amount) }
        index.count(counter, by: amount)
    }

    /// Adds hits of a memory tier before this one to the counters.
    @concurrent
    package func count(memoryHits: Int) async {
        _ = try? await withIndex { [self] in count(.memoryHits, memoryHits, $0) }
    }

    /// A missing original counts; for want of anything else its source or original is asked, which counts then.
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
            // Whoever evicts takes the row first and then the content: that is no damage.
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
            // What a check has found is counted already.
            if entry.damage == nil { count(.damaged, 1, index) }
            verified.remove(entry.contentName)
        }
        // Other entries may need the same content: they are better off without than with this.
        notify((try? await index.removeDamaged(entry))?.keys ?? [], .damaged)
    }
}

extension BlobStore {
    /// Whether a file of the entry's length stands in its content's place.
    func holdsContent(of entry: CacheEntry) -> Bool { holds(entry.contentName, length: entry.length) }
}
