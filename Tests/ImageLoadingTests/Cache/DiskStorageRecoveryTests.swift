import Foundation
import GRDB
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import ImageLoading

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

    @Test func whatCannotBeOpenedAtTheStartIsOpenedWhenItCan() async throws {
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

    @Test func eachChangeOfItsStandingIsToldOnce() async throws {
        let storage = open()
        let changes = storage.standingChanges()
        #expect(storage.standing == .usable)
        for _ in 0..<2 {
            try FileManager.default.removeItem(atPath: folder.path)
            try Data().write(to: URL(filePath: folder.path))
            for _ in 0..<3 { #expect(await !store(in: storage)) }
            try FileManager.default.removeItem(atPath: folder.path)
            date.advance(bySeconds: 5)
            for _ in 0..<3 { #expect(await store(in: storage)) }
        }
        var heard: [Bool] = []
        for await change in changes {
            heard.append(change == .usable)
            if heard.count == 4 { break }
        }
        #expect(heard == [false, true, false, true])
    }

    @Test func aLockThatAnotherHoldsIsWaitedForOnceAndThenHardly() {
        let slept = Recorder<UInt32>()
        let patience = LockPatience { slept.add($0) }
        func wait() -> Int {
            let before = slept.all.count
            var looks = 0
            while patience.waits(afterLooks: looks) { looks += 1 }
            return slept.all.dropFirst(before).reduce(0) { $0 + Int($1) }
        }
        #expect(wait() == 5_000_000)
        #expect(wait() == 250_000)
        patience.restore()
        #expect(wait() == 5_000_000)
    }

    @Test func aLockThatIsHeldIsAnErrorAndReadsGoOn() async throws {
        let storage = open()
        #expect(await store(in: storage))
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: folder.index, configuration: configuration)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        #expect(await !store(in: storage, as: "b"))
        #expect(storage.standing != .usable)
        #expect(await storage.entry(for: key) != nil)
        try await other.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
        #expect(await store(in: storage, as: "b"))
        #expect(storage.standing == .usable)
    }

    @Test func anIndexOfALaterProgramIsLeftAlone() async throws {
        #expect(await store(in: open()))
        try await DatabaseQueue.patient(at: folder.index).write { try $0.execute(sql: "PRAGMA user_version = 99") }
        let storage = open()
        #expect(await !store(in: storage))
        guard case .index(_, let reason) = storage.problem else {
            Issue.record("\(String(describing: storage.problem))")
            return
        }
        #expect(reason.contains("later version"))
        let version = try await DatabaseQueue.patient(at: folder.index).read {
            try Int.fetchOne($0, sql: "PRAGMA user_version")
        }
        #expect(version == 99)
    }

    @Test func whatADamagedIndexStillTellsIsTakenOver() async throws {
        // Given small and large entries, one of them pinned, in an index that loses its first rows
        let storage = open()
        for number in 0..<40 {
            let data = Data(repeating: UInt8(number), count: number.isMultiple(of: 2) ? 1_000 : 50_000)
            try await storage.store(data, for: CacheEntryKey(source: "\(number)"), facts: CacheEntryFacts())
        }
        let pinned = try #require(await storage.entry(for: CacheEntryKey(source: "8")))
        try await storage.setPinned(true, ids: [pinned.id])
        try await DatabaseQueue.patient(at: folder.index).writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
        try FileManager.default.copyItem(atPath: folder.index, toPath: folder.index + ".damaged")
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: folder.index + suffix) }
        // When a new index is begun and a sweep looks at the old one
        let later = open()
        #expect(await store(in: later))
        await later.sweep()
        // Then every entry whose content is there is back, and what is new is kept
        for number in 0..<40 {
            #expect(await later.data(for: CacheEntryKey(source: "\(number)"))?.data.first == UInt8(number))
        }
        #expect(await later.entry(for: CacheEntryKey(source: "8"))?.isPinned == true)
        #expect(await later.data(for: key)?.data == data)
        #expect(!FileManager.default.fileExists(atPath: folder.index + ".damaged"))
        #expect(try await later.verify(isFull: true).isSound)
    }

    @Test func damageThatShowsInUseCostsNoMoreThanItsRows() async throws {
        // Given an index of some dozen pages, of which one in the middle is overwritten
        let writing = open()
        let keys = (0..<200).map { CacheEntryKey(source: "https://example.org/\($0)") }
        for key in keys { try await writing.store(data, for: key, facts: CacheEntryFacts()) }
        try await writing.withIndex { try await $0.writePending() }
        let index = try #require(FileHandle(forUpdatingAtPath: folder.index))
        try index.seek(toOffset: 12 * 4096)
        try index.write(contentsOf: Data(repeating: 0xAB, count: 2 * 4096))
        try index.close()
        // When another storage comes upon it while it is used, and stores meanwhile
        let storage = open()
        let told = Mutex<[Int]>([])
        storage.hearSalvages { entries in told.withLock { $0.append(entries) } }
        var found = 0
        for key in keys where await storage.data(for: key)?.data == data { found += 1 }
        #expect(await store(in: storage))
        await storage.sweep()
        // Then what its other pages told is there, at once, and that was said once
        #expect(found > 100)
        #expect(told.withLock(\.self).count == 1)
        #expect(try await storage.statistics().entries >= found)
        #expect(try await storage.verify(isFull: true).isSound)
    }

    @Test(arguments: ["DROP TABLE entry", "DROP TABLE content", "DROP TRIGGER entryAdded; DROP TABLE total"])
    func anIndexThatLacksATableIsBegunAnew(sql: String) async throws {
        let first = open()
        #expect(await store(in: first))
        await first.flush()
        try await DatabaseQueue.patient(at: folder.index).write { try $0.execute(sql: sql) }
        let later = open()
        #expect(await store(in: later, as: "b"))
        #expect(await later.data(for: CacheEntryKey(source: "b"))?.data == data)
        #expect(try await later.verify(isFull: true).isSound)
    }

    @Test(arguments: [
        ("no such table: entry", true), ("no such table: main.content", true), ("no such trigger: entryAdded", true),
        ("no such savepoint: grdb", false), ("no such table: json_each", false), ("no such column: x", false),
        ("entry", false),
    ])
    func onlyWhatIsOursCanBeLacking(message: String, isSo: Bool) {
        #expect(DiskIndexSchema.isLacking(message) == isSo)
    }

    @Test func aDamagedPageCostsNoOtherRowsOfASalvage() async throws {
        // Given an index of which one page in the middle of its entries is overwritten
        let writing = open()
        let keys = (0..<120).map { CacheEntryKey(source: "https://example.org/\($0)") }
        for key in keys { try await writing.store(data, for: key, facts: CacheEntryFacts()) }
        try await writing.withIndex { try await $0.writePending() }
        let ids = try await DatabaseQueue.patient(at: folder.index).read {
            try Int.fetchAll(
                $0, sql: "SELECT pageno FROM dbstat WHERE name = 'entry' AND pagetype = 'leaf' ORDER BY path")
        }
        let index = try #require(FileHandle(forUpdatingAtPath: folder.index))
        try index.seek(toOffset: UInt64((ids[ids.count / 2] - 1) * 4096))
        try index.write(contentsOf: Data(repeating: 0xAB, count: 4096))
        try index.close()
        // When it is salvaged, then the rows of the other pages are there
        let storage = open()
        _ = try await storage.entries(CacheEntryQuery())
        let kept = try await storage.statistics().entries
        #expect(kept < 120 && kept >= 120 - 2 * (120 / ids.count + 1))
    }

    @Test func whatIsNotInTheFileYetIsTakenOverFromTheLog() async throws {
        let storage = open()
        for number in 0..<20 { #expect(await store(in: storage, as: "\(number)")) }
        // The log is not written into the file before the storage is closed.
        try await storage.withIndex { storage.setAside($0) }
        #expect(await storage.salvage() == 20)
        #expect(await storage.salvage() == nil)
        for number in 0..<20 { #expect(await storage.isCached(CacheEntryKey(source: "\(number)"))) }
    }

    @Test func aSalvageGoesToItsEndThoughWhoBeganItIsCancelled() async throws {
        let storage = open()
        for number in 0..<200 { #expect(await store(in: storage, as: "\(number)")) }
        try await storage.withIndex { storage.setAside($0) }
        let salvaging = Task { await storage.salvage() }
        salvaging.cancel()
        _ = await salvaging.value
        #expect(try await storage.statistics().entries == 200)
    }

    @Test(arguments: [false, true])
    func whatADamagedIndexDoesNotTellAnyMoreTakesNoRoom(isYoung: Bool) async throws {
        // Given contents in packs and in files of their own, and an index that has lost every other entry
        let storage = open()
        let sizes = [10_000, 20_000, 10_000, 20_000, 100_000, 200_000]
        for (number, size) in sizes.enumerated() {
            let data = Data(repeating: UInt8(number), count: size)
            try await storage.store(data, for: CacheEntryKey(source: "\(number)"), facts: CacheEntryFacts())
        }
        try await storage.withIndex { storage.setAside($0) }
        try await DatabaseQueue(path: folder.index + ".damaged").write {
            try $0.execute(sql: "DELETE FROM entry WHERE id % 2 = 0")
        }
        if !isYoung { try makeContentsOld() }
        // When it is taken over
        #expect(await storage.salvage() == 3)
        // Then of files only those stay without an entry that may be on their way to one
        let kept = try await storage.statistics().space
        #expect(try blocksOfContents() == kept + (isYoung ? PackStore.space(sizes[5]) : 0))
        #expect(try await storage.verify(isFull: true).isSound)
    }

    private var contents: [String] {
        get throws {
            try [folder.blobs, folder.packs].flatMap { folder in
                try FileManager.default.subpathsOfDirectory(atPath: folder).map { "\(folder)/\($0)" }
            }.filter(RegularFile.isPlain)
        }
    }

    private func makeContentsOld() throws {
        for path in try contents {
            try FileManager.default.setAttributes([.modificationDate: Date() - 60], ofItemAtPath: path)
        }
    }

    /// In bytes, as du(1) tells them.
    private func blocksOfContents() throws -> Int {
        try contents.reduce(0) { sum, path in
            var status = stat()
            return lstat(path, &status) == 0 ? sum + Int(status.st_blocks) * 512 : sum
        }
    }

    @Test func whoHoldsIdentifiersIsNotServedByAnotherIndex() async throws {
        // Given an index that turns out to be damaged as an entry is removed by its identifier
        let storage = open()
        for number in 0..<3 { #expect(await store(in: storage, as: "\(number)")) }
        let runs = Mutex(0)
        let damage = DatabaseError(resultCode: .SQLITE_CORRUPT)
        await #expect(throws: DatabaseError.self) {
            try await storage.withIndex(holdsIdentifiers: true) { _ in
                runs.withLock { $0 += 1 }
                throw damage
            }
        }
        // Then it is told so, and the next one finds the new index
        #expect(runs.withLock(\.self) == 1)
        #expect(try await storage.statistics().entries == 3)
        // And one without identifiers hears nothing of it
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

    @Test func whatIsNoFileIsNoSalvageAndGoes() async throws {
        // Given a pipe, and a link to somebody's database
        let storage = open()
        #expect(await store(in: storage))
        let other = place / "other.sqlite"
        try await DatabaseQueue(path: other).write { try $0.execute(sql: "CREATE TABLE mine (a)") }
        let damaged = folder.index + ".damaged"
        for make in [{ mkfifo(damaged, 0o600) }, { symlink(other, damaged) }] {
            #expect(make() == 0)
            #expect(await storage.salvage() == 0)
            #expect(FileIdentity(damaged) == nil)
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: place.path).filter { $0.hasPrefix("other") } == [
                "other.sqlite"
            ])
    }

    @Test func garbageIsNoSalvageAndGoes() async throws {
        let storage = open()
        try Data(repeating: 0xAB, count: 100_000).write(to: URL(filePath: folder.index + ".damaged"))
        await storage.sweep()
        #expect(!FileManager.default.fileExists(atPath: folder.index + ".damaged"))
        #expect(await store(in: storage))
    }

    @Test func theFolderOfTheFirstLayoutGoesWhenNobodyUsesIt() async throws {
        let storage = open()
        let old = folder.path + "/v1"
        try FileManager.default.createDirectory(atPath: old + "/blobs", withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: old + "/index.sqlite"))
        await DiskStorage(recovering: folder, now: { Date() }).sweep()
        #expect(FileManager.default.fileExists(atPath: old))
        await DiskStorage(recovering: folder, now: { Date() + 90_000 }).sweep()
        #expect(!FileManager.default.fileExists(atPath: old))
        #expect(await store(in: storage))
    }
}
