import AlcedoSQLite
import Foundation
import Raster
import TestSupport
import Testing

@testable import AlcedoDiskCache

/// What goes when the disk tier is full.
@Suite(.timeLimit(.minutes(1))) struct DiskStorageLimitTests {
    private let place: TemporaryFolder
    private let date = ManualDate()
    private let storage: DiskStorage

    init() throws {
        place = try TemporaryFolder()
        storage = try DiskStorage(
            folder: CacheFolder(path: place / "cache"), configuration: .init(sizeLimit: 10 * 4096),
            now: { [date] in date.now })
    }

    private func store(_ number: Int, bytes: Int = 1_000, life: StorageExpiration? = nil) async throws {
        date.advance(bySeconds: 1)
        let data = Data(repeating: UInt8(number), count: bytes)
        try await storage.store(
            data, for: CacheEntryKey(source: "\(number)"), facts: CacheEntryFacts(), expiration: life)
    }

    private func sources() async throws -> Set<String> {
        Set(try await storage.entries(CacheEntryQuery()).entries.map(\.key.source))
    }

    private func pin(_ source: String) async throws {
        try Database.patient(at: storage.folder.index).run("UPDATE entry SET pinned = 1 WHERE key = ?", [source])
    }

    @Test func `nothing is evicted up to the limit`() async throws {
        for number in 0..<10 { try await store(number) }
        #expect(try await sources().count == 10)
    }

    @Test func `above the limit the least recently used entries are evicted down to 90 percent`() async throws {
        for number in 0..<10 { try await store(number) }
        date.advance(bySeconds: 1)
        _ = await storage.data(for: CacheEntryKey(source: "0"))
        await storage.flush()
        try await store(10)
        #expect(try await sources() == ["0", "3", "4", "5", "6", "7", "8", "9", "10"])
        let statistics = try await storage.statistics()
        #expect(statistics.bytes == 9_000)
        #expect(statistics.life.evictions.values.reduce(0, +) == 2)
        #expect(place.files().count { $0.contains("/blobs/") } == 9)
    }

    @Test func `expired entries are evicted first`() async throws {
        try await store(0)
        for number in 1..<10 { try await store(number, life: number == 5 || number == 6 ? .seconds(5) : nil) }
        date.advance(bySeconds: 10)
        try await store(10)
        #expect(try await sources() == ["0", "1", "2", "3", "4", "7", "8", "9", "10"])
    }

    @Test func `pinned entries are not evicted`() async throws {
        for number in 0..<10 { try await store(number) }
        try await pin("0")
        try await store(10)
        #expect(try await sources() == ["0", "3", "4", "5", "6", "7", "8", "9", "10"])
    }

    @Test func `storing a pinned entry again keeps its pin`() async throws {
        try await store(0)
        try await pin("0")
        try await store(0, bytes: 900)
        #expect(await storage.entry(for: CacheEntryKey(source: "0"))?.isPinned == true)
    }

    @Test func `an entry larger than the cache is refused without eviction`() async throws {
        try await store(0)
        await #expect(throws: DiskCacheError.cannotStore("36865 bytes, more than the cache may keep")) {
            try await store(1, bytes: 36_865)
        }
        #expect(try await sources() == ["0"])
        #expect(place.files().count { $0.contains("/blobs/") } == 1)
    }

    @Test func `shared content counts once against the limit`() async throws {
        for number in 0..<50 {
            try await storage.store(
                Data(count: 1_000), for: CacheEntryKey(source: "\(number)"), facts: CacheEntryFacts())
        }
        #expect(try await sources().count == 50)
        #expect(try await storage.statistics().bytes == 1_000)
    }
}
