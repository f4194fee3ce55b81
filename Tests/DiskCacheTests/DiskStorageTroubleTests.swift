import AlcedoSQLite
import Foundation
import Glibc
import Raster
import TestSupport
import Testing

@testable import AlcedoDiskCache

/// What the disk tier does when its folder goes, cannot be written or is full, and when that is over.
@Suite(.timeLimit(.minutes(1))) struct DiskStorageTroubleTests {
    private let place: TemporaryFolder
    private let key = CacheEntryKey(source: "a")
    private let data = Data("a picture's bytes".utf8)

    init() throws { place = try TemporaryFolder() }

    private var folder: CacheFolder { CacheFolder(path: place / "cache") }

    private func open() throws -> DiskStorage { try DiskStorage(folder: folder, configuration: .init()) }

    private func store(in storage: DiskStorage, as key: String = "a") async throws {
        try await storage.store(data, for: CacheEntryKey(source: key), facts: CacheEntryFacts())
    }

    private func canStore(in storage: DiskStorage) async -> Bool {
        do {
            try await store(in: storage, as: "probe")
            return true
        } catch {
            guard case DiskCacheError.cannotStore = error else {
                Issue.record("\(error)")
                return true
            }
            return false
        }
    }

    @Test func `a removed folder is recreated and other storages see its entries`() async throws {
        let storage = try open()
        try await store(in: storage)
        try FileManager.default.removeItem(atPath: folder.path)
        #expect(await storage.data(for: key) == nil)
        try await store(in: storage)
        #expect(await storage.data(for: key)?.data == data)
        #expect(try await open().data(for: key)?.data == data)
    }

    @Test func `a folder recreated by another process is used`() async throws {
        let storage = try open()
        try await store(in: storage)
        try FileManager.default.removeItem(atPath: folder.path)
        let other = try open()
        try await store(in: other, as: "b")
        try await store(in: storage)
        #expect(await other.data(for: key)?.data == data)
        #expect(await storage.data(for: CacheEntryKey(source: "b"))?.data == data)
    }

    @Test func `moving the folder away removes its entries from the cache`() async throws {
        let storage = try open()
        try await store(in: storage)
        try FileManager.default.moveItem(atPath: folder.path, toPath: place / "elsewhere")
        #expect(await !storage.isCached(key))
        #expect(try await DiskStorage(folder: CacheFolder(path: place / "elsewhere")).data(for: key)?.data == data)
    }

    @Test func `a folder that cannot be recreated is an error until it can`() async throws {
        let date = ManualDate()
        let storage = try DiskStorage(folder: folder, now: { date.now })
        try FileManager.default.removeItem(atPath: folder.path)
        try Data().write(to: URL(filePath: folder.path))
        #expect(await !canStore(in: storage))
        #expect(await storage.data(for: key) == nil)
        await #expect(throws: DiskCacheError.self) { try await storage.statistics() }
        try FileManager.default.removeItem(atPath: folder.path)
        #expect(await !canStore(in: storage))
        date.advance(bySeconds: 5)
        #expect(await canStore(in: storage))
    }

    @Test func `contents that cannot be written are an error until they can`() async throws {
        let storage = try open()
        try FileManager.default.removeItem(atPath: folder.blobs)
        try Data().write(to: URL(filePath: folder.blobs))
        #expect(await !canStore(in: storage))
        #expect(try await storage.statistics().entries == 0)
        try FileManager.default.removeItem(atPath: folder.blobs)
        #expect(await canStore(in: storage))
    }

    @Test func `an index damaged while open is set aside`() async throws {
        let storage = try open()
        try await store(in: storage)
        try Database.patient(at: folder.index).execute("PRAGMA wal_checkpoint(TRUNCATE)")
        let file = try FileHandle(forUpdating: URL(filePath: folder.index))
        try file.seek(toOffset: 0)
        try file.write(contentsOf: Data(repeating: 0xAA, count: 60_000))
        try file.close()
        _ = await storage.data(for: key)
        _ = await canStore(in: storage)
        #expect(await canStore(in: storage))
        #expect(await storage.data(for: CacheEntryKey(source: "probe"))?.data == data)
    }

    @Test func `on a full file system the least recently used entries are evicted, the rest is sound`() async throws {
        let disk = SmallDisk(in: place)
        defer { disk.close() }
        let storage = try disk.open()
        var kept: [Int] = []
        for number in 0..<200 {
            let bytes = Data(repeating: UInt8(truncatingIfNeeded: number), count: 100_000 + number)
            do {
                try await storage.store(bytes, for: CacheEntryKey(source: "\(number)"), facts: CacheEntryFacts())
                kept.append(number)
            } catch DiskCacheError.cannotStore {}
        }
        #expect(kept == Array(0..<200))
        for number in kept {
            guard let hit = await storage.data(for: CacheEntryKey(source: "\(number)")) else { continue }
            #expect(
                hit.data.count == 100_000 + number && hit.data.allSatisfy { $0 == UInt8(truncatingIfNeeded: number) })
        }
        #expect(await storage.data(for: CacheEntryKey(source: "0")) == nil)
        #expect(await storage.data(for: CacheEntryKey(source: "\(try #require(kept.last))")) != nil)
    }

    private func storeNumbers(_ numbers: Range<Int>, pinning pinned: Int, in storage: DiskStorage) async throws {
        for number in numbers {
            let bytes = Data(repeating: UInt8(number), count: number.isMultiple(of: 2) ? 20_000 : 50_000)
            try await storage.store(bytes, for: CacheEntryKey(source: "\(number)"), facts: CacheEntryFacts())
        }
        let entry = try #require(await storage.entry(for: CacheEntryKey(source: "\(pinned)")))
        try await storage.setPinned(true, ids: [entry.id])
    }

    @Test(arguments: ["key:3", "size>30K", "size<30K"])
    func `removing by a filter works without free space`(filter: String) async throws {
        let disk = SmallDisk(in: place, options: "size=16m")
        defer { disk.close() }
        let storage = try disk.open()
        try await storeNumbers(0..<60, pinning: 7, in: storage)
        try disk.fill()

        let filter = try CacheFilter(filter)
        let selected = try await storage.amount(filter)
        #expect(try await storage.remove(filter) == selected)
        #expect(try await storage.amount(filter).entries == 0)
        #expect(try await storage.amount(CacheFilter()).entries == 60 - selected.entries)
        #expect(try await storage.verify(isFull: true).isSound)
    }

    @Test func `a full file system of pinned entries is an error until there is free space`() async throws {
        let disk = SmallDisk(in: place)
        defer { disk.close() }
        let storage = try disk.open()
        try await store(in: storage)
        var refused = 0
        for number in 0..<200 where refused < 3 {
            let key = CacheEntryKey(source: "\(number)")
            let bytes = Data(repeating: UInt8(truncatingIfNeeded: number), count: 100_000 + number)
            do {
                try await storage.store(bytes, for: key, facts: CacheEntryFacts())
                try await storage.setPinned(true, ids: [try #require(await storage.entry(for: key)).id])
            } catch DiskCacheError.cannotStore { refused += 1 }
        }
        #expect(refused == 3)
        #expect(storage.availability != .available)
        #expect(await storage.data(for: CacheEntryKey(source: "1"))?.data.count == 100_001)
        try await storage.removeAll()
        #expect(await canStore(in: storage))
        #expect(storage.availability == .available)
    }
}

/// A file system of 4 MiB of its own; where none can be mounted, a folder that says it is one.
private struct SmallDisk {
    private let path: String
    private let isMounted: Bool

    init(in place: TemporaryFolder, options: String = "size=4m") {
        path = place / "disk"
        mkdir(path, 0o700)
        isMounted = mount("tmpfs", path, "tmpfs", 0, options + ",mode=700") == 0
    }

    /// Detaches it; it goes with the last open file.
    func close() { if isMounted { umount2(path, 2) } }

    /// Leaves it without a byte.
    func fill() throws {
        guard isMounted else { return }
        try Data().write(to: URL(filePath: path + "/fill"))
        let file = try FileHandle(forWritingTo: URL(filePath: path + "/fill"))
        let block = Data(repeating: 1, count: 4096)
        while (try? file.write(contentsOf: block)) != nil {}
        try file.close()
    }

    /// As another process opens it, be there room for that or not.
    func reopened() -> DiskStorage {
        let folder = CacheFolder(path: path + "/cache")
        return DiskStorage(
            recovering: folder, configuration: .init(), now: { Date() }, freeSpace: { _ in nil },
            blobs: BlobStore(folder: folder.blobs))
    }

    /// Nobody is asked for its room, so that the file system itself is what says no.
    func open() throws -> DiskStorage {
        let folder = CacheFolder(path: path + "/cache")
        if isMounted { return try DiskStorage(folder: folder, freeSpace: { _ in nil }) }
        return try DiskStorage(
            folder: folder, configuration: .init(sizeLimit: .max, minimumFreeSpace: 8 << 20),
            freeSpace: { path in
                let files = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
                // Not the folders, which stay.
                let blobs = files.filter { $0.contains("/blobs/") && URL(filePath: $0).lastPathComponent.count >= 60 }
                return (12 << 20) - blobs.count * 102_400
            })
    }
}
