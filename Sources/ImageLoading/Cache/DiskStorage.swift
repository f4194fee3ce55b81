import Foundation
import Glibc
import Synchronization

/// The disk tier, contents and an index of them: it may always be lost, it never lies.
///
/// Large contents are files, small ones lie in packs. Writes go content first, row second, so that a row never names
/// what is not there. A read checks the length of the content always, its digest at the first use in a process, and in
/// packs always; damage is a miss and goes. Where the disk is full, read only or gone, stores fail with the reason and
/// look-ups miss, until it can be used again.
public final class DiskStorage: Sendable {
    /// Limits and lives of the tier.
    public struct Configuration: Sendable {
        /// Bytes that contents take of the file system, in whole blocks of 4 KiB; 5 GiB by default.
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
        /// Contents of so many bytes and fewer share files with others, which is faster; 32 KiB by default, 0 for none.
        public var packedSize: Int

        /// A configuration; negative limits are 0.
        public init(
            sizeLimit: Int = 5 << 30, expiration: StorageExpiration = .days(7), allowsNetworkFileSystem: Bool = false,
            minimumFreeSpace: Int = 1 << 30, unusedLife: TimeInterval = 90 * 86_400, packedSize: Int = 32 << 10
        ) {
            self.sizeLimit = max(0, sizeLimit)
            self.expiration = expiration
            self.allowsNetworkFileSystem = allowsNetworkFileSystem
            self.minimumFreeSpace = max(0, minimumFreeSpace)
            self.unusedLife = unusedLife
            self.packedSize = max(0, packedSize)
        }
    }

    /// Where it lies; processes may share it.
    public let folder: CacheFolder
    /// As it was opened with.
    public let configuration: Configuration
    let listeners = EvictionListeners()
    let standings: DiskStandings
    let salvages = SalvageListeners()
    /// Runs while an index is taken over.
    let salvaging = Mutex<Task<Int?, Never>?>(nil)
    let store: ContentStore
    let now: @Sendable () -> Date
    let freeSpace: @Sendable (String) -> Int?
    let verified = VerifiedContents()
    /// What this process has counted.
    let run = Mutex(CacheTally())
    /// How many misses of this process the index has not heard of.
    let knownMisses = Mutex(0)
    /// When evicting for free space last gave none.
    let vainEviction = Mutex<Date?>(nil)
    /// Whether the last store found too little room.
    let roomLacks = Mutex(false)
    /// Whether the file system can give back parts of files.
    let canPack = Mutex(true)
    /// The claims of this process on pictures that it fetches.
    let claims: FetchClaims
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

    /// A cache whose folder may not be usable yet: until it is, stores fail and look-ups miss.
    ///
    /// It is tried again every 5 s while somebody uses the cache. `problem` tells why it could not be opened.
    public convenience init(
        recovering folder: CacheFolder, configuration: Configuration = Configuration(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(
            recovering: folder, configuration: configuration, now: now, freeSpace: { FreeSpace.bytes(at: $0) },
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

    init(
        recovering folder: CacheFolder, configuration: Configuration, now: @escaping @Sendable () -> Date,
        freeSpace: @escaping @Sendable (String) -> Int?, blobs: BlobStore, probe: FolderProbe? = nil,
        threads: FolderThreads? = nil
    ) {
        self.folder = folder
        self.configuration = configuration
        self.now = now
        self.freeSpace = freeSpace
        store = ContentStore(blobs: blobs, packs: PackStore(folder: folder.packs))
        claims = FetchClaims(path: folder.claims)
        index = OpenIndex(
            folder: folder, allowsNetworkFileSystem: configuration.allowsNetworkFileSystem, store: store,
            probe: probe ?? FolderProbe(path: folder.path), threads: threads, now: now)
        standings = DiskStandings(index.problem.map { .unusable($0.description) } ?? .usable)
    }

    /// Why the cache was not open when it was last used; nil when it was.
    public var problem: CacheFolderProblem? { index.problem }

    /// Whether what lies in it can be read, be there a problem or not: on a file system for reading only, or while
    /// another process holds the index.
    public var isReadable: Bool { index.isReadable }

    /// Whether the tier does its work, as the last store or look-up found it.
    public var standing: DiskStanding { standings.current }

    /// When it stops to do its work from now on, and when it goes on; each change once.
    public func standingChanges() -> AsyncStream<DiskStanding> { standings.changes() }

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
        let isDurable = writeOptions.contains(.durable)
        do {
            try await keep(data, as: name, entry, isDurable: isDurable, isPacked: packs(data, name, isDurable))
            standings.note(.usable)
        } catch {
            throw .cache(.cannotStore(IndexDamage.text(of: error)))
        }
    }

    /// Contents that are to be found as files, or on the disk itself, are files.
    private func packs(_ data: Data, _ name: ContentName, _ isDurable: Bool) -> Bool {
        !isDurable && name.fileExtension == nil && (1...max(1, configuration.packedSize)).contains(data.count)
            && configuration.packedSize > 0 && canPack.withLock(\.self)
    }

    /// Once more, evicting something, when the file system has no room; and as a file where it knows no packs.
    private func keep(
        _ data: Data, as name: ContentName, _ entry: CacheEntry, isDurable: Bool, isPacked: Bool
    ) async throws {
        try await withWritableIndex { [self] index in
            do {
                try await makeRoom(for: entry, index)
                try await insert(data, as: name, entry, isDurable: isDurable, isPacked: isPacked, index)
            } catch BlobStore.Problem.system(_, EOPNOTSUPP) where isPacked {
                canPack.withLock { $0 = false }
                try await insert(data, as: name, entry, isDurable: isDurable, isPacked: false, index)
            } catch let error where IndexDamage.isFull(error) {
                guard try await evictSome(for: data.count, index) else { throw error }
                do {
                    try await insert(data, as: name, entry, isDurable: isDurable, isPacked: isPacked, index)
                } catch {
                    noteVainEviction()
                    throw error
                }
            }
        }
    }

    /// Content first, row second; once more when the last other entry with that content ended in between.
    private func insert(
        _ data: Data, as name: ContentName, _ entry: CacheEntry, isDurable: Bool, isPacked: Bool, _ index: DiskIndex
    ) async throws {
        let content = NewContent(name: name, length: data.count, packed: isPacked ? data : nil)
        for attempt in 1...8 {
            if !isPacked { try store.blobs.write(data, name: name, isDurable: isDurable) }
            do {
                let insertion = try await index.insert(entry, content: content, isDurable: isDurable)
                if !insertion.replaced.isEmpty { tell(insertion.replaced, .replaced) }
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
        let isRenewed = try? await withIndex(holdsIdentifiers: true) { index in
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
                store.holds(entry.content)
            else { return nil }
            return entry
        }
    }

    /// Whether a look-up would find each of some keys, in their order; no use of them is noted.
    @concurrent
    public func areCached(_ keys: [CacheEntryKey]) async -> [Bool] {
        let moment = now()
        let found = try? await withIndex { [self] index in
            try index.livingContents(of: keys, at: moment).map { $0.map(store.holds) ?? false }
        }
        return found ?? keys.map { _ in false }
    }
}

extension DiskStorage {
    /// Does work in the folder: where that may hang on threads of its own, and for so long only as it answers.
    func working<Result: Sendable>(_ work: @escaping @Sendable () async throws -> Result) async throws -> Result {
        guard let threads = index.threads else { return try await work() }
        do {
            return try await threads.run(work)
        } catch let problem as CacheFolderProblem {
            standings.note(.unusable(problem.description))
            throw problem
        }
    }

    /// Runs a body on the open index; where that turns out to be damaged, once more on the one that is begun anew.
    ///
    /// A body that holds identifiers is not: there they mean other entries. Who is writing waits for another process that
    /// holds the index, and makes room for it where there is none.
    func withIndex<Result: Sendable>(
        holdsIdentifiers: Bool = false, isWriting: Bool = false,
        _ body: @escaping @Sendable (DiskIndex) async throws -> Result
    ) async throws -> Result {
        do {
            return try await working { try await self.withOpenIndex(isWriting: isWriting, body) }
        } catch let error where IndexDamage.isDamage(error) {
            await salvage()
            guard !holdsIdentifiers else { throw error }
            return try await working { try await self.withOpenIndex(body) }
        }
    }

    /// Runs a body on the index that was begun anew; one that is damaged again is left so.
    func withNewIndex<Result: Sendable>(
        _ body: @escaping @Sendable (DiskIndex) async throws -> Result
    ) async throws -> Result {
        try await working { [self] in try await withOpenIndex { try await body(try writable($0)) } }
    }

    /// The same for changes; throws at once where the index can only be read.
    func withWritableIndex<Result: Sendable>(
        holdsIdentifiers: Bool = false, _ body: @escaping @Sendable (DiskIndex) async throws -> Result
    ) async throws -> Result {
        try await withIndex(holdsIdentifiers: holdsIdentifiers, isWriting: true) { [self] index in
            try await body(try writable(index))
        }
    }

    private func writable(_ open: DiskIndex) throws(CacheFolderProblem) -> DiskIndex {
        guard !open.isReadOnly else { throw problem ?? .cannotWrite(path: folder.path, reason: "read-only") }
        return open
    }

    private func withOpenIndex<Result>(
        isWriting: Bool = false, _ body: (DiskIndex) async throws -> Result
    ) async throws -> Result {
        let open: DiskIndex
        do throws(CacheFolderProblem) { open = try index.current(isWriting: isWriting) } catch {
            standings.note(.unusable(error.description))
            throw error
        }
        let misses = takeKnownMisses()
        if misses > 0 { open.count(.misses, by: misses) }
        do {
            return try await body(open)
        } catch {
            if IndexDamage.isDamage(error) { index.setAside(open) }
            if IndexDamage.isTrouble(error) { standings.note(.unusable(IndexDamage.text(of: error))) }
            throw error
        }
    }

    /// The next use of the index begins it anew.
    func setAside(_ damaged: DiskIndex) { index.setAside(damaged) }

    private func takeKnownMisses() -> Int {
        knownMisses.withLock { misses in
            defer { misses = 0 }
            return misses
        }
    }

    /// Tells the listeners of what went.
    func tell(_ keys: [CacheEntryKey], _ reason: CacheEviction.Reason) {
        listeners.tell(keys.map { CacheEviction(diskKey: $0, reason: reason) })
    }

    func count(_ counter: CacheCounter, _ amount: Int, _ index: DiskIndex) {
        run.withLock { $0.add(counter, amount) }
        index.count(counter, by: amount)
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
            // Meanwhile it may have been written somewhere else.
            if found.place != entry.place, let data = try? read(found) { return data }
            await drop(found, after: error, index)
            return nil
        }
    }

    func read(_ entry: CacheEntry) throws(BlobStore.Problem) -> Data {
        let isFirstUse = entry.damage != nil || !verified.contains(entry.contentName)
        let data = try store.read(entry.content, checkingDigest: isFirstUse)
        if isFirstUse { verified.insert(entry.contentName) }
        return data
    }

    private func drop(_ entry: CacheEntry, after problem: BlobStore.Problem, _ index: DiskIndex) async {
        if case .damaged = problem {
            // What a check has found is counted already.
            if entry.damage == nil { count(.damaged, 1, index) }
            verified.remove(entry.contentName)
        }
        // Other entries may need the same content: they are better off without than with this.
        tell((try? await index.removeDamaged(entry))?.keys ?? [], .damaged)
    }
}

extension CacheEntry {
    var content: StoredContent { StoredContent(id: 0, name: contentName, length: length, place: place) }
}
