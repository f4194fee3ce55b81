import AlcedoSQLite
import AlcedoSupport
import Foundation
import Glibc
import Raster
import Synchronization
import TestSupport
import Testing

@testable import AlcedoDiskCache

/// A disk tier that cannot be used for a while, and says so once.
@Suite(.timeLimit(.minutes(1))) struct DiskStorageRecoveryTests {
    private let place: TemporaryFolder
    private let date = ManualDate()
    private let key = CacheEntryKey(source: "a")
    private let data = Data("a picture's bytes".utf8)

    init() throws { place = try TemporaryFolder() }

    private var folder: CacheFolder { CacheFolder(path: place / "cache") }

    private func open() -> DiskStorage { DiskStorage(recovering: folder, now: { [date] in date.now }) }

    private func store(in storage: DiskStorage, as source: String = "a") async -> Bool {
        do {
            try await storage.store(data, for: CacheEntryKey(source: source), facts: CacheEntryFacts())
            return true
        } catch { return false }
    }

    @Test func `a storage that cannot be opened at the start is opened later`() async throws {
        // Given something else in the folder's place
        try Data().write(to: URL(filePath: folder.path))
        let storage = open()
        #expect(storage.problem == .notAFolder(folder.path))
        #expect(await !store(in: storage))
        #expect(await storage.data(for: key) == nil)
        // When it is gone, and some seconds have passed
        try FileManager.default.removeItem(atPath: folder.path)
        date.advance(bySeconds: 5)
        // Then the cache works
        #expect(await store(in: storage))
        #expect(await storage.data(for: key)?.data == data)
        #expect(storage.problem == nil)
    }

    @Test func `each change of availability is reported once`() async throws {
        let storage = open()
        let heard = Recorder<Bool>()
        let subscription = storage.onChange { heard.add($0 == .availability(.available)) }
        defer { subscription.cancel() }
        #expect(storage.availability == .available)
        for _ in 0..<2 {
            try FileManager.default.removeItem(atPath: folder.path)
            try Data().write(to: URL(filePath: folder.path))
            for _ in 0..<3 { #expect(await !store(in: storage)) }
            try FileManager.default.removeItem(atPath: folder.path)
            date.advance(bySeconds: 5)
            for _ in 0..<3 { #expect(await store(in: storage)) }
        }
        #expect(heard.all == [false, true, false, true])
    }

    @Test func `a locked index makes writes fail while reads continue`() async throws {
        let storage = open()
        #expect(await store(in: storage))
        let other = try Database(path: folder.index)
        try other.execute("BEGIN IMMEDIATE")
        #expect(await !store(in: storage, as: "b"))
        #expect(storage.availability != .available)
        #expect(await storage.entry(for: key) != nil)
        try other.execute("COMMIT")
        #expect(await store(in: storage, as: "b"))
        #expect(storage.availability == .available)
    }

    @Test func `an index of a newer version is left unchanged`() async throws {
        #expect(await store(in: open()))
        try Database.patient(at: folder.index).execute("PRAGMA user_version = 99")
        let storage = open()
        #expect(await !store(in: storage))
        guard case .index(_, let reason) = storage.problem else {
            Issue.record("\(String(describing: storage.problem))")
            return
        }
        #expect(reason.contains("later version"))
        #expect(try Database.patient(at: folder.index).value("PRAGMA user_version") == 99)
    }

    @Test(arguments: ["DROP TABLE entry", "DROP TABLE content", "DROP TRIGGER entryAdded; DROP TABLE total"])
    func `an index with a missing table is recreated`(sql: String) async throws {
        let first = open()
        #expect(await store(in: first))
        await first.flush()
        try Database.patient(at: folder.index).execute(sql)
        let later = open()
        #expect(await store(in: later, as: "b"))
        #expect(await later.data(for: CacheEntryKey(source: "b"))?.data == data)
        #expect(try await DiskStorage(folder: folder).verify(isFull: true).isSound)
    }

    @Test(arguments: [
        ("no such table: entry", true), ("no such table: main.content", true), ("no such trigger: entryAdded", true),
        ("no such savepoint: part", false), ("no such table: json_each", false), ("no such column: x", false),
        ("entry", false),
    ])
    func `isLacking recognizes only missing tables and triggers of the index`(message: String, isSo: Bool) {
        #expect(DiskIndexSchema.isLacking(message) == isSo)
    }

    /// Overwrites two pages in the middle of the index.
    private func damageIndex(of storage: DiskStorage) async throws {
        try await storage.withIndex { try await $0.writePending() }
        let index = try #require(FileHandle(forUpdatingAtPath: folder.index))
        try index.seek(toOffset: 12 * 4096)
        try index.write(contentsOf: Data(repeating: 0xAB, count: 2 * 4096))
        try index.close()
    }

    @Test func `an index found damaged while open is recreated and its contents are removed`() async throws {
        // Given an index of some dozen pages
        let writing = open()
        let keys = (0..<200).map { CacheEntryKey(source: "https://example.org/\($0)") }
        for key in keys { try await writing.store(data, for: key, facts: CacheEntryFacts()) }
        // When they are overwritten while another storage is open, which reads each entry and stores one
        let storage = open()
        let resets = Mutex(0)
        let subscription = storage.onChange { if $0 == .indexReset { resets.withLock { $0 += 1 } } }
        defer { subscription.cancel() }
        try await damageIndex(of: writing)
        for key in keys {
            let found = await storage.data(for: key)?.data
            #expect(found == nil || found == data)
        }
        #expect(await store(in: storage))
        // Then it was reset once, and the cache is sound
        #expect(resets.withLock(\.self) == 1)
        #expect(storage.wasReset)
        #expect(await storage.data(for: key)?.data == data)
        #expect(try await storage.statistics().entries == 1)
        await storage.sweep()
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.versioned)
        #expect(left.allSatisfy { !$0.contains(".old-") && !$0.contains(".damaged") })
        #expect(try await DiskStorage(folder: folder).verify(isFull: true).isSound)
    }

    @Test func `an index whose log was removed is recreated`() async throws {
        let storage = open()
        #expect(await store(in: storage))
        try await storage.withIndex { try await $0.writePending() }
        for suffix in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: folder.index + suffix) }
        #expect(await store(in: storage, as: "b"))
        #expect(await open().data(for: CacheEntryKey(source: "b"))?.data == data)
        #expect(try await DiskStorage(folder: folder).verify(isFull: true).isSound)
    }

    @Test func `an operation with entry identifiers is not repeated on a recreated index`() async throws {
        // Given an index that turns out to be damaged as an entry is removed by its identifier
        let storage = open()
        #expect(await store(in: storage))
        let runs = Mutex(0)
        let damage = SQLiteError(.corrupt)
        await #expect(throws: DiskCacheError.self) {
            try await storage.withIndex(.writeByIdentifier) { _ in
                runs.withLock { $0 += 1 }
                throw damage
            }
        }
        // Then it ran once, and the cache is empty
        #expect(runs.withLock(\.self) == 1)
        #expect(try await storage.statistics().entries == 0)
        // And a body without identifiers runs again
        let answer = try await storage.withIndex { _ in
            let run = runs.withLock { runs in
                runs += 1
                return runs
            }
            guard run > 2 else { throw damage }
            return run
        }
        #expect(answer == 3)
    }
}
