import AlcedoSQLite
import Foundation
import Raster
import TestSupport
import Testing

@testable import AlcedoDiskCache

/// Opening an index that others have open, or make, at the same time.
@Suite(.timeLimit(.minutes(1))) struct DiskIndexOpeningTests {
    private let place: TemporaryFolder
    private let path: String

    init() throws {
        place = try TemporaryFolder()
        path = place / "index.sqlite"
    }

    private func open(busyTimeout: TimeInterval = 5) throws -> DiskIndex {
        try DiskIndex(path: path, blobs: BlobStore(folder: place / "blobs"), busyTimeout: busyTimeout)
    }

    @Test func `a file locked by another connection is refused after the busy timeout`() throws {
        let other = try Database(path: path)
        try other.execute("BEGIN IMMEDIATE; CREATE TABLE other (a); DROP TABLE other;")

        #expect(throws: SQLiteError.self) { try open(busyTimeout: 0.02) }

        try other.execute("COMMIT")
        #expect(try open().read { try $0.hasEntries })
    }

    @Test func `an index recreated by another process is not reset again`() throws {
        // Given an index that two processes found damaged, of which one was faster
        let folder = CacheFolder(path: place / "cache")
        try folder.prepare(allowNetworkFileSystem: false)
        try Data("damaged".utf8).write(to: URL(filePath: folder.index))
        let damaged = FileIdentity(folder.index)
        #expect(IndexDamage.reset(folder, damaged))
        try Data("new".utf8).write(to: URL(filePath: folder.index))
        // When the other one resets it
        #expect(IndexDamage.reset(folder, damaged))
        // Then the new index is as it was
        #expect(FileManager.default.contents(atPath: folder.index) == Data("new".utf8))
    }

    /// Removes the columns of later versions.
    private func age(_ folder: CacheFolder) throws {
        let database = try Database.patient(at: folder.index)
        let columns = PictureFact.all.filter { $0.since > 1 }.map(\.column)
        try database.execute(
            columns.map { "ALTER TABLE entry DROP COLUMN \($0);" }.joined() + "PRAGMA user_version = 1;")
        try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    @Test func `an index of the first version is migrated with its entries`() async throws {
        let folder = CacheFolder(path: place / "cache")
        let old = try DiskStorage(folder: folder)
        try await old.store(Data([1, 2]), for: CacheEntryKey(source: "a"), facts: CacheEntryFacts(format: .png))
        await old.flush()
        try age(folder)

        let storage = try DiskStorage(folder: folder)
        let entry = try #require(await storage.entry(for: CacheEntryKey(source: "a")))
        #expect(entry.facts.format == .png && entry.facts.verdict == nil && entry.facts.perceptualHash == nil)
        var facts = CacheEntryFacts(format: .gif)
        (facts.verdict, facts.perceptualHash, facts.hasAlpha) = (.whole, PerceptualHash(bits: .max), true)
        (facts.duration, facts.color, facts.orientation) = (
            .milliseconds(1200), ColorFacts(.rgb, bits: 8, profile: "Display P3"), 6
        )
        try await storage.store(Data([3]), for: CacheEntryKey(source: "b"), facts: facts)
        await storage.flush()
        #expect(try #require(await storage.entry(for: CacheEntryKey(source: "b"))).facts == facts)
    }

    @Test func `a read-only index of the first version is refused as too old`() async throws {
        let folder = CacheFolder(path: place / "cache")
        let old = try DiskStorage(folder: folder)
        try await old.store(Data([1, 2]), for: CacheEntryKey(source: "a"), facts: CacheEntryFacts())
        await old.flush()
        try age(folder)
        #expect(throws: DiskIndexSchema.TooOld.self) {
            try DiskIndex(path: folder.index, blobs: BlobStore(folder: place / "blobs"), isReadOnly: true)
        }
    }

    @Test(arguments: [true, false])
    func `a read-only index is readable with or without its log`(hasLog: Bool) async throws {
        // Given a cache with an entry, whose log was brought into the file or was not
        let folder = CacheFolder(path: place / "cache")
        let storage = try DiskStorage(folder: folder)
        try await storage.store(Data([1, 2]), for: CacheEntryKey(source: "a"), facts: CacheEntryFacts())
        await storage.flush()
        if !hasLog { try Database.patient(at: folder.index).execute("PRAGMA wal_checkpoint(TRUNCATE)") }
        // When its index is opened for reading
        let index = try DiskIndex(path: folder.index, blobs: storage.blobs, isReadOnly: true)
        // Then the entry is there, and nothing can be changed
        let entry = try #require(try await index.entry(for: CacheEntryKey(source: "a")))
        #expect(entry.length == 2 && index.isReadOnly)
        await #expect(throws: (any Error).self) { try await index.remove(ids: [entry.id]) }
    }

    @Test func `the database of another program is left unchanged`() throws {
        let other = try Database(path: path)
        try other.execute("CREATE TABLE other (a)")
        #expect(throws: DiskIndexSchema.Foreign.self) { try open() }
        #expect(try !other.hasEntries)
    }

    @Test func `an index locked by another process is readable, and writable once it is unlocked`() async throws {
        // Given a cache without a log, as the last who closed it leaves it, which another process holds
        let folder = CacheFolder(path: place / "cache")
        let key = CacheEntryKey(source: "a")
        try await DiskStorage(folder: folder).store(Data([1, 2]), for: key, facts: CacheEntryFacts())
        // The storage is closed by the last of its tasks.
        while FileManager.default.fileExists(atPath: folder.index + "-shm"), !Task.isCancelled { await Task.yield() }
        var other: Database? = try Database.patient(at: folder.index)
        try other?.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT")
        // When it is opened
        let storage = DiskStorage(recovering: folder)
        // Then it can be read
        #expect(storage.isReadable && storage.problem == .locked(folder.path))
        #expect(await storage.entry(for: key) != nil)
        // And changed as soon as the other lets go, without a pause
        other = nil
        #expect(try await storage.remove(CacheFilter("")).entries == 1)
        #expect(storage.problem == nil && other == nil)
    }

    @Test func `an index can be opened and read while another process writes`() async throws {
        let folder = CacheFolder(path: place / "cache")
        let key = CacheEntryKey(source: "a")
        try await DiskStorage(folder: folder).store(Data([1, 2]), for: key, facts: CacheEntryFacts())
        let other = try Database.patient(at: folder.index)
        try other.execute("PRAGMA wal_checkpoint(TRUNCATE); BEGIN IMMEDIATE")
        let storage = DiskStorage(recovering: folder)
        #expect(await storage.entry(for: key) != nil && storage.problem == nil)
        try other.execute("COMMIT")
        #expect(try await storage.remove(CacheFilter("")).entries == 1)
    }
}

extension Database {
    /// Whether there is the table of entries.
    fileprivate var hasEntries: Bool {
        get throws { try value("SELECT count(*) FROM sqlite_master WHERE name = 'entry'") == 1 }
    }
}
