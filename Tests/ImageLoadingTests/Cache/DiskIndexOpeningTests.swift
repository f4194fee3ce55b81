import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import ImageLoading

/// Opening an index that others have open, or make, at the same time.
@Suite(.timeLimit(.minutes(1))) struct DiskIndexOpeningTests {
    private let place: TemporaryFolder
    private let path: String

    init() throws {
        place = try TemporaryFolder()
        path = place / "index.sqlite"
    }

    private func open(_ patience: LockPatience) throws -> DiskIndex {
        let store = ContentStore(blobs: BlobStore(folder: place / "blobs"), packs: PackStore(folder: place / "packs"))
        return try DiskIndex(path: path, store: store, patience: patience)
    }

    /// A connection that has begun to write the new file.
    private func writer() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let writer = try DatabaseQueue(path: path, configuration: configuration)
        try writer.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE; CREATE TABLE other (a); DROP TABLE other;") }
        return writer
    }

    @Test func aNewFileThatAnotherIsWritingIsWaitedFor() async throws {
        let other = try writer()
        let waits = Mutex(0)
        let patience = LockPatience { _ in
            let count = waits.withLock { waits in
                waits += 1
                return waits
            }
            if count == 2 { try? other.inDatabase { try $0.execute(sql: "COMMIT") } }
        }

        let index = try open(patience)

        #expect(try index.read { try $0.tableExists("entry") })
    }

    @Test(arguments: [true, false])
    func whatCanOnlyBeReadIsReadWithItsLogOrWithout(hasLog: Bool) async throws {
        // Given a cache with an entry, whose log was brought into the file or was not
        let folder = CacheFolder(path: place / "cache")
        let storage = try DiskStorage(folder: folder)
        try await storage.store(Data([1, 2]), for: CacheEntryKey(source: "a"), facts: CacheEntryFacts())
        await storage.flush()
        if !hasLog {
            try await DatabaseQueue.patient(at: folder.index).writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            }
        }
        // When its index is opened for reading
        let index = try DiskIndex(path: folder.index, store: storage.store, isReadOnly: true)
        // Then the entry is there, and nothing can be changed
        let entry = try #require(try await index.entry(for: CacheEntryKey(source: "a")))
        #expect(entry.length == 2 && index.isReadOnly)
        await #expect(throws: (any Error).self) { try await index.remove(ids: [entry.id]) }
    }

    @Test func whatAnotherProcessHasBegunAnewIsNotSetAside() throws {
        // Given an index that two found damaged, of which one was faster
        let path = place / "index.sqlite"
        try Data("damaged".utf8).write(to: URL(filePath: path))
        let damaged = FileIdentity(path)
        #expect(IndexDamage.setAside(path, damaged))
        try Data("new".utf8).write(to: URL(filePath: path))
        // When the other comes
        #expect(IndexDamage.setAside(path, damaged))
        // Then both files are as they were
        #expect(FileManager.default.contents(atPath: path) == Data("new".utf8))
        #expect(FileManager.default.contents(atPath: path + ".damaged") == Data("damaged".utf8))
    }

    @Test func anothersDatabaseIsLeftAlone() throws {
        let other = try DatabaseQueue(path: path)
        try other.write { try $0.execute(sql: "CREATE TABLE other (a)") }
        #expect(throws: DiskIndexSchema.Foreign.self) { try open(LockPatience()) }
        #expect(try other.read { try !$0.tableExists("entry") })
    }

    /// SQLite refuses one of two at once that would wait for each other, as when both make the file.
    @Test func whoIsRefusedAtOnceTriesAgain() throws {
        let waits = Mutex(0)
        let patience = LockPatience { _ in waits.withLock { $0 += 1 } }
        var refusals = 3

        let opened = try patience.opening {
            guard refusals == 0 else {
                refusals -= 1
                throw DatabaseError(resultCode: .SQLITE_BUSY)
            }
            return "opened"
        }

        #expect(opened == "opened")
        #expect(waits.withLock(\.self) == 3)
    }

    @Test func whatIsRefusedForAnotherReasonIsNotTriedAgain() {
        var attempts = 0
        #expect(throws: DatabaseError.self) {
            try LockPatience { _ in }.opening {
                attempts += 1
                throw DatabaseError(resultCode: .SQLITE_CANTOPEN)
            }
        }
        #expect(attempts == 1)
    }

    @Test func whatAnotherHoldsCanBeReadAfterASecondAndBeChangedWhenItIsFree() async throws {
        // Given a cache without a log, as the last who closed it leaves it, which another process holds
        let folder = CacheFolder(path: place / "cache")
        let key = CacheEntryKey(source: "a")
        try await DiskStorage(folder: folder).store(Data([1, 2]), for: key, facts: CacheEntryFacts())
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: folder.index, configuration: configuration)
        try await other.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        // When it is opened
        let storage = DiskStorage(recovering: folder)
        // Then it can be read
        #expect(storage.isReadable && storage.problem == .locked(folder.path))
        #expect(await storage.entry(for: key) != nil)
        // And changed as soon as the other lets go, without a pause
        try await other.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
        #expect(try await storage.remove(CacheFilter("")).entries == 1)
        #expect(storage.problem == nil)
    }

    @Test func aFileThatStaysLockedIsAnErrorAfterOnePatience() throws {
        let other = try writer()
        let waits = Mutex(0)

        #expect(throws: DatabaseError.self) { try open(LockPatience { _ in waits.withLock { $0 += 1 } }) }

        #expect(waits.withLock(\.self) == 1000)
        try other.inDatabase { try $0.execute(sql: "COMMIT") }
    }
}
