import Foundation

/// The disk tier, content files and an index of them: it may always be lost, it never lies.
///
/// Writes go content first, row second, so that a row never names what is not there. A read checks the length of the
/// content always, its digest at the first use in a process; damage is a miss and goes.
public final class DiskStorage: Sendable {
    public struct Configuration: Sendable {
        /// Bytes of content; 5 GiB by default.
        ///
        /// When a store passes it, entries go until 90 % are left.
        public var sizeLimit: Int
        /// 7 days by default; a hit renews it.
        public var expiration: StorageExpiration
        /// Off by default: on a network file system several machines would share the index, which SQLite forbids.
        public var allowsNetworkFileSystem: Bool

        public init(
            sizeLimit: Int = 5 << 30, expiration: StorageExpiration = .days(7), allowsNetworkFileSystem: Bool = false
        ) {
            self.sizeLimit = max(0, sizeLimit)
            self.expiration = expiration
            self.allowsNetworkFileSystem = allowsNetworkFileSystem
        }
    }

    public let folder: CacheFolder
    public let configuration: Configuration
    private let blobs: BlobStore
    private let index: DiskIndex
    private let now: @Sendable () -> Date
    private let verified = VerifiedContents()

    /// Opens the cache in a folder, making it when missing; throws why it cannot be used.
    public init(
        folder: CacheFolder, configuration: Configuration = Configuration(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws(CacheFolderProblem) {
        try folder.prepare(allowNetworkFileSystem: configuration.allowsNetworkFileSystem)
        self.folder = folder
        self.configuration = configuration
        self.now = now
        blobs = BlobStore(folder: folder.blobs)
        index = try Self.openIndex(folder.index, release: blobs.remove)
    }

    /// A damaged index is set aside and begun anew; the content is fetched again when it is asked for.
    private static func openIndex(
        _ path: String, release: @escaping @Sendable (String) -> Void
    ) throws(CacheFolderProblem) -> DiskIndex {
        do {
            try PrivateFile.prepare(path)
            return try DiskIndex(path: path, release: release)
        } catch {
            guard IndexDamage.isDamage(error), IndexDamage.setAside(path) else {
                throw .index(path: path, reason: IndexDamage.text(of: error))
            }
        }
        do {
            try PrivateFile.prepare(path)
            return try DiskIndex(path: path, release: release)
        } catch {
            throw .index(path: path, reason: IndexDamage.text(of: error))
        }
    }

    /// Stores bytes under a key, replacing what was there.
    ///
    /// `.expired` stores nothing. Throws `.cache(.cannotStore)`, also for more bytes than the cache may keep.
    @concurrent
    public func store(
        _ data: Data, for key: CacheEntryKey, facts: CacheEntryFacts, expiration: StorageExpiration? = nil,
        isDurable: Bool = false
    ) async throws(ImageError) {
        let life = expiration ?? configuration.expiration
        guard !life.isExpired else { return }
        guard data.count <= trimmedSize else {
            throw .cache(.cannotStore("\(data.count) bytes, more than the cache may keep"))
        }
        let digest = ContentDigest(of: data)
        let moment = now()
        let entry = CacheEntry(
            id: 0, key: key, facts: facts, digest: digest.hexadecimal, length: data.count, stored: moment,
            accessed: moment, expires: life.date(from: moment), hits: 0, isPinned: false)
        do {
            try await insert(entry) { try blobs.write(data, digest: digest, isDurable: isDurable) }
            try await trimIfNeeded()
        } catch {
            throw .cache(.cannotStore(IndexDamage.text(of: error)))
        }
    }

    /// The bytes under a key, or nil: missing, expired and damaged entries are all misses.
    @concurrent
    public func data(for key: CacheEntryKey) async -> (data: Data, entry: CacheEntry)? {
        guard let entry = await liveEntry(for: key), let data = await content(of: entry) else {
            await index.count("misses")
            return nil
        }
        await index.touch(entry, at: now())
        return (data, entry)
    }

    /// The bytes under a key that have expired, to be validated and stored anew; nil where there are none, or live ones.
    @concurrent
    public func expiredData(for key: CacheEntryKey) async -> (data: Data, entry: CacheEntry)? {
        guard let entry = try? await index.entry(for: key), entry.expires.map({ $0 <= now() }) ?? false,
            let data = await content(of: entry)
        else { return nil }
        return (data, entry)
    }

    /// Whether a look-up would find the key, by the index and the content file's length.
    @concurrent
    public func isCached(_ key: CacheEntryKey) async -> Bool {
        guard let entry = await liveEntry(for: key) else { return false }
        return blobs.holds(entry.digest, length: entry.length)
    }

    /// Notes a use of a key without reading it; answers its row, or nil for what a look-up would not find.
    @concurrent
    public func use(_ key: CacheEntryKey) async -> CacheEntry? {
        guard let entry = await liveEntry(for: key), blobs.holds(entry.digest, length: entry.length) else {
            return nil
        }
        await index.touch(entry, at: now())
        return entry
    }

    /// The index row under a key, expired or not.
    public func entry(for key: CacheEntryKey) async -> CacheEntry? { try? await index.entry(for: key) }

    /// A window over the index and how many entries the query has in all.
    public func entries(_ query: CacheEntryQuery) async throws(ImageError) -> (entries: [CacheEntry], count: Int) {
        do { return try await index.entries(query, now: now()) } catch { throw Self.unavailable(error) }
    }

    /// Removes entries; answers how many there were.
    @concurrent @discardableResult
    public func remove(ids: [Int64]) async throws(ImageError) -> Int {
        do {
            return try await index.remove(ids: ids)
        } catch {
            throw Self.unavailable(error)
        }
    }

    /// Removes every entry of every kind; other processes' running stores survive it.
    @concurrent
    public func removeAll() async throws(ImageError) {
        do {
            try await index.removeAll { [blobs] in try blobs.removeAll() }
        } catch {
            throw Self.unavailable(error)
        }
    }

    public func statistics() async throws(ImageError) -> CacheStatistics {
        do {
            var statistics = try await index.statistics()
            statistics.limit = configuration.sizeLimit
            return statistics
        } catch {
            throw Self.unavailable(error)
        }
    }

    /// Waits until everything asked for is in the index.
    @concurrent
    public func flush() async { try? await index.flush() }

    /// Removes what a killed process left: temporary files and contents without an entry, both older than an hour.
    ///
    /// Never at start, where it would delay the first frame.
    @concurrent
    public func sweep() async {
        _ = blobs.sweepTemporaryFiles(now: now())
        for digests in blobs.oldContents(now: now()) { try? await index.releaseUnused(digests) }
    }
}

extension DiskStorage {
    private func liveEntry(for key: CacheEntryKey) async -> CacheEntry? {
        guard let entry = try? await index.entry(for: key) else { return nil }
        return entry.expires.map { $0 > now() } ?? true ? entry : nil
    }

    private func content(of entry: CacheEntry) async -> Data? {
        let isFirstUse = !verified.contains(entry.digest)
        do throws(BlobStore.Problem) {
            let data = try blobs.read(entry.digest, length: entry.length, checkingDigest: isFirstUse)
            if isFirstUse { verified.insert(entry.digest) }
            return data
        } catch {
            await dropDamaged(entry, problem: error)
            return nil
        }
    }

    private func dropDamaged(_ entry: CacheEntry, problem: BlobStore.Problem) async {
        if case .damaged = problem {
            await index.count("damaged")
            // Other entries may need the same content: they are better off without than with this.
            verified.remove(entry.digest)
            blobs.remove(entry.digest)
        }
        _ = try? await index.remove(ids: [entry.id])
    }

    /// What a trim leaves at most; larger contents would only push everything else out and then go themselves.
    private var trimmedSize: Int { configuration.sizeLimit / 10 * 9 }

    /// Content first, row second; once more when the last other entry with that content ended in between.
    private func insert(_ entry: CacheEntry, write: () throws -> Void) async throws {
        let holdsContent: @Sendable () -> Bool = { [blobs] in blobs.holds(entry.digest, length: entry.length) }
        for _ in 0..<8 {
            try write()
            do { return try await index.insert(entry, holdsContent: holdsContent) } catch is DiskIndex.ContentGone {}
        }
        throw DiskIndex.ContentGone()
    }

    private func trimIfNeeded() async throws {
        guard try await index.totalBytes() > configuration.sizeLimit else { return }
        while true {
            let chosen = try await index.evictionCandidates(downTo: trimmedSize, now: now(), slice: 256)
            guard !chosen.isEmpty else { return }
            try await index.remove(ids: chosen, counting: "evictions")
        }
    }

    private static func unavailable(_ error: any Error) -> ImageError {
        .cache(.diskUnavailable(IndexDamage.text(of: error)))
    }
}
