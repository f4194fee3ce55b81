import AlcedoSQLite
import Foundation
import Raster
import TestSupport
import Testing

@testable import AlcedoDiskCache

/// What a check of the whole cache finds, marks and mends.
@Suite(.timeLimit(.minutes(1))) struct CacheVerificationTests {
    private let place: TemporaryFolder
    private let storage: DiskStorage

    init() throws {
        place = try TemporaryFolder()
        storage = try DiskStorage(folder: CacheFolder(path: place / "cache"))
    }

    /// Entries 0 to 9, every other one large.
    private func fill() async throws {
        for number in 0..<10 {
            let data = Data(repeating: UInt8(number + 1), count: number.isMultiple(of: 2) ? 1_000 : 50_000)
            try await storage.store(
                data, for: CacheEntryKey(source: "\(number)"), facts: CacheEntryFacts(url: "\(number)"))
        }
    }

    private func entry(_ number: Int) async throws -> CacheEntry {
        try #require(await storage.entry(for: CacheEntryKey(source: "\(number)")))
    }

    /// Changes the first byte of an entry's content.
    private func flip(_ number: Int) async throws {
        let path = storage.blobs.path(of: try await entry(number).contentName)
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.write(contentsOf: Data([0xFF]))
        try file.close()
    }

    private func change(_ sql: String) async throws {
        try Database.patient(at: storage.folder.index).execute(sql)
    }

    @Test func `verifying an undamaged cache reports no findings`() async throws {
        try await fill()
        let heard = Recorder<Int>()
        let result = try await storage.verify(isFull: true) { done, _ in heard.add(done) }
        #expect(result.isSound && result.findings.isEmpty)
        #expect(result.checked == CacheAmount(entries: 10, bytes: 5 * 51_000))
        #expect(heard.all == [10])
    }

    @Test func `a quick check finds missing content, a full one finds changed content`() async throws {
        try await fill()
        try FileManager.default.removeItem(atPath: storage.blobs.path(of: try await entry(3).contentName))
        try await flip(4)
        try await flip(5)
        let quick = try await storage.verify()
        #expect(quick.counts == [.missing: 1] && quick.findings.map(\.subject) == ["3"])
        let full = try await storage.verify(isFull: true)
        #expect(full.counts == [.missing: 1, .damaged: 2] && !full.isSound && !full.isRepaired)
        // What a full look has found stays known, is no hit, and goes first.
        #expect(try await storage.verify().counts == [.missing: 1, .damaged: 2])
        #expect(try await storage.amount(CacheFilter("state:damaged")).entries == 3)
        #expect(try await storage.evictionPlace(of: entry(4)) == .damaged)
        #expect(try await storage.statistics().damagedEntries == 3)
        for number in 3...5 { #expect(await storage.data(for: CacheEntryKey(source: "\(number)")) == nil) }
    }

    @Test func `an unreadable file is reported as damaged, also by a quick check`() async throws {
        try await fill()
        let path = storage.blobs.path(of: try await entry(3).contentName)
        #expect(chmod(path, 0) == 0)
        #expect(
            try await storage.verify().findings.map { [$0.kind.rawValue, $0.detail] } == [
                ["damaged", "it may not be read"]
            ])
        #expect(chmod(path, 0o600) == 0)
        try Data([1]).write(to: URL(filePath: path))
        #expect(try await storage.verify().findings.first?.detail.hasPrefix("1 bytes instead of") == true)
    }

    @Test func `a repair removes damaged entries and keeps the others`() async throws {
        try await fill()
        try await flip(4)
        try await flip(5)
        let repaired = try await storage.verify(isFull: true, repairs: true)
        #expect(repaired.isRepaired && repaired.counts[.damaged] == 2)
        let after = try await storage.verify(isFull: true)
        #expect(after.isSound && after.checked.entries == 8)
        for number in [0, 1, 2, 3, 6, 7, 8, 9] {
            #expect(await storage.data(for: CacheEntryKey(source: "\(number)"))?.data.first == UInt8(number + 1))
        }
    }

    @Test(arguments: [
        "UPDATE total SET bytes = 1", "UPDATE total SET entries = 99", "UPDATE content SET uses = 7",
    ])
    func `wrong totals are found and repaired`(sql: String) async throws {
        try await fill()
        try await change(sql)
        #expect(try await storage.verify().counts[.index] == 1)
        _ = try await storage.verify(repairs: true)
        #expect(try await storage.verify().isSound)
        #expect(try await storage.statistics().entries == 10)
        #expect(try await storage.totalBytes() == 5 * 51_000)
    }

    /// Changes a byte of the index by use, so that it names another time or row than the table.
    private func breakIndex() async throws {
        let path = storage.folder.index
        let database = try Database.patient(at: path)
        try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        let page: Int? = try database.value("SELECT rootpage FROM sqlite_master WHERE name = 'entryByAccess'")
        let place = try (page ?? 0) * (database.value("PRAGMA page_size") ?? 0) - 1
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seek(toOffset: UInt64(place))
        let byte = try #require(try file.read(upToCount: 1)?.first)
        try file.seek(toOffset: UInt64(place))
        try file.write(contentsOf: Data([byte ^ 1]))
        try file.close()
    }

    @Test func `a repair recreates an index with a damaged structure`() async throws {
        try await fill()
        try await breakIndex()
        let later = try DiskStorage(folder: storage.folder)
        #expect(try await later.verify(isFull: true).counts[.index] ?? 0 > 0)
        #expect(try await later.verify(isFull: true, repairs: true).isRepaired)
        let after = try await later.verify(isFull: true)
        #expect(after.isSound && after.checked.entries == 0)
        #expect(await later.entry(for: CacheEntryKey(source: "4")) == nil)
        try await fill()
        #expect(try await DiskStorage(folder: storage.folder).verify(isFull: true).isSound)
    }

    @Test func `a recreated index is reported as a finding`() async throws {
        // Given an index whose first page after the schema is garbage
        try await fill()
        try await storage.withIndex { try await $0.writePending() }
        let file = try FileHandle(forUpdating: URL(filePath: storage.folder.index))
        try file.write(contentsOf: Data(repeating: 0xAB, count: 4_096))
        try file.close()
        // When it is checked, then that is a finding
        let later = try DiskStorage(folder: storage.folder)
        let first = try await later.verify()
        #expect(first.counts == [.index: 1] && !first.isSound)
        #expect(try await later.verify().isSound)
    }

    @Test func `storing again repairs damaged content`() async throws {
        try await fill()
        for number in 4...5 { try await flip(number) }
        try await fill()
        #expect(try await storage.verify(isFull: true).isSound)
    }

    @Test func `damage is counted once however often it is found`() async throws {
        try await fill()
        try await flip(4)
        for _ in 0..<2 { _ = try await storage.verify(isFull: true) }
        _ = try await storage.verify(isFull: true, repairs: true)
        #expect(try await storage.statistics().life.damaged == 1)
    }

    @Test func `damage found by a check is not counted again on loading`() async throws {
        try await fill()
        try await flip(4)
        _ = try await storage.verify(isFull: true)
        let found = await storage.data(for: CacheEntryKey(source: "4"))
        await storage.flush()
        #expect(found == nil)
        #expect(try await storage.statistics().life.damaged == 1)
    }

    @Test(arguments: [4, 5])
    func `an entry known to be damaged is a miss`(number: Int) async throws {
        try await fill()
        try await flip(number)
        _ = try await storage.verify(isFull: true)
        let key = CacheEntryKey(source: "\(number)")
        #expect(await storage.areCached([key, CacheEntryKey(source: "1")]) == [false, true])
        #expect(await !storage.isCached(key))
        let rows = await storage.findRows([(key, .cacheTime)])
        guard case .nothing? = rows?.first, case .nothing? = await storage.findRow(key, extending: .cacheTime) else {
            Issue.record("it was found")
            return
        }
    }

    @Test func `reading a damaged entry does not change its mark`() async throws {
        try await fill()
        try await flip(4)
        _ = try await storage.verify(isFull: true)
        let entry = try #require(await storage.entry(for: CacheEntryKey(source: "4")))
        #expect(await storage.contents(of: entry) == nil)
        let after = await storage.entry(for: CacheEntryKey(source: "4"))
        #expect(after?.damage == entry.damage && entry.damage != nil)
    }

    @Test func `reading unmarked damage marks and counts it once`() async throws {
        try await fill()
        try await flip(4)
        let entry = try #require(await storage.entry(for: CacheEntryKey(source: "4")))
        for _ in 0..<2 { #expect(await storage.contents(of: entry) == nil) }
        await storage.flush()
        #expect(await storage.entry(for: CacheEntryKey(source: "4"))?.damage != nil)
        #expect(try await storage.statistics().life.damaged == 1)
    }

    @Test func `an invalid row does not hide the other rows`() async throws {
        try await fill()
        try await change("UPDATE entry SET stored = 'long ago' WHERE url = '7'")
        #expect(try await storage.entries(CacheEntryQuery()).entries.count == 9)
    }

    @Test func `an invalid row is found and removed`() async throws {
        try await fill()
        try await change("UPDATE entry SET stored = 'long ago' WHERE url = '7'")
        #expect(try await storage.verify().counts == [.damaged: 1])
        _ = try await storage.verify(repairs: true)
        #expect(try await storage.verify().isSound)
        #expect(try await storage.statistics().entries == 9)
    }

    @Test func `unreferenced files are reported, and removed if old`() async throws {
        try await fill()
        let orphan = Data("nobody's".utf8)
        try storage.blobs.write(orphan, name: ContentName(digest: ContentDigest(of: orphan)))
        let later = try DiskStorage(folder: storage.folder, now: { Date() + 3700 })
        #expect(try await storage.verify().counts == [:])
        let found = try await later.verify()
        #expect(found.counts == [.unused: 1] && found.isSound)
        _ = try await later.verify(repairs: true)
        #expect(try await later.verify().counts == [:])
    }

    @Test func `selected entries can be verified alone`() async throws {
        try await fill()
        try await flip(4)
        let ids = [try await entry(4).id, try await entry(6).id, 999]
        let result = try await storage.verify(ids: ids)
        #expect(result.checked.entries == 2 && result.findings.map(\.subject) == ["4"])
    }
}
