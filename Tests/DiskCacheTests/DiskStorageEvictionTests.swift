import Foundation
import Raster
import Synchronization
import TestSupport
import Testing

@testable import AlcedoDiskCache

/// What the disk tier does about a file system that is nearly full.
@Suite(.timeLimit(.minutes(1))) struct DiskStorageEvictionTests {
    private let place: TemporaryFolder
    private let date = ManualDate()
    /// What the file system takes beside the cache's contents.
    private let others = Recorder<Int>()

    init() throws { place = try TemporaryFolder() }

    /// A disk of 100,000 bytes, of which 50,000 shall stay free.
    private func open(freeing: Bool = true) throws -> DiskStorage {
        let folder = CacheFolder(path: place / "cache")
        return try DiskStorage(
            folder: folder, configuration: .init(minimumFreeSpace: 50_000), now: { [date] in date.now },
            freeSpace: { [place, others] _ in
                let used = place.files().filter { $0.contains("/blobs/") }.reduce(0) { sum, file in
                    sum + ((try? Data(contentsOf: URL(filePath: place / file)))?.count ?? 0)
                }
                return 100_000 - (others.all.last ?? 0) - (freeing ? used : 60_000)
            })
    }

    private func store(_ number: Int, bytes: Int = 10_000, in storage: DiskStorage) async throws {
        date.advance(bySeconds: 1)
        try await storage.store(
            Data(repeating: UInt8(number), count: bytes), for: CacheEntryKey(source: "\(number)"),
            facts: CacheEntryFacts())
    }

    private func sources(_ storage: DiskStorage) async throws -> [String] {
        try await storage.entries(CacheEntryQuery(order: .age, isAscending: true)).entries.map(\.key.source)
    }

    private let insufficientSpace = DiskCacheError.cannotStore("less than 0 MiB of the file system would stay free")

    @Test func `the least recently used entries are evicted to keep the minimum free space`() async throws {
        let storage = try open()
        for number in 0..<5 { try await store(number, in: storage) }
        #expect(try await sources(storage) == ["0", "1", "2", "3", "4"])
        try await store(5, in: storage)
        try await store(6, bytes: 15_000, in: storage)
        #expect(try await sources(storage) == ["3", "4", "5", "6"])
        #expect(try await storage.statistics().life.evictions.values.reduce(0, +) == 3)
    }

    @Test func `what is evicted before an entry counts shared content once`() async throws {
        // Given three entries of one content, and one of another
        let storage = try open()
        for source in ["0", "1", "2"] {
            date.advance(bySeconds: 1)
            try await storage.store(
                Data(repeating: 7, count: 10_000), for: CacheEntryKey(source: source), facts: CacheEntryFacts())
        }
        try await store(3, bytes: 500, in: storage)
        try await store(4, in: storage)
        // When the place of the last one is asked for
        let last = try #require(await storage.entry(for: CacheEntryKey(source: "4")))
        let place = try await storage.evictionPlace(of: last)
        // Then the bytes are those that the disk holds
        #expect(place == .leastRecent(before: CacheAmount(entries: 4, bytes: 10_500), isExact: true))
    }

    @Test func `expired entries are evicted before one that was used earlier`() async throws {
        let storage = try open()
        try await store(0, bytes: 500, in: storage)
        date.advance(bySeconds: 1)
        try await storage.store(
            Data(count: 300), for: CacheEntryKey(source: "1"), facts: CacheEntryFacts(), expiration: .seconds(5))
        let first = try #require(await storage.entry(for: CacheEntryKey(source: "0")))
        #expect(try await storage.evictionPlace(of: first) == .leastRecent(before: CacheAmount(), isExact: true))
        date.advance(bySeconds: 10)
        let place = try await storage.evictionPlace(of: first)
        #expect(place == .leastRecent(before: CacheAmount(entries: 1, bytes: 300), isExact: true))
    }

    @Test func `a store that needs more room than the whole cache is refused without eviction`() async throws {
        let storage = try open()
        for number in 0..<3 { try await store(number, in: storage) }
        others.add(60_000)
        await #expect(throws: insufficientSpace) { try await store(3, in: storage) }
        #expect(try await sources(storage) == ["0", "1", "2"])
        #expect(place.files().count { $0.contains("/blobs/") } == 3)
    }

    @Test func `storing works again when other programs free space`() async throws {
        let storage = try open()
        try await store(0, in: storage)
        others.add(100_000)
        #expect(!storage.lacksSpace)
        await #expect(throws: insufficientSpace) { try await store(1, in: storage) }
        #expect(storage.lacksSpace)
        #expect(await storage.data(for: CacheEntryKey(source: "0")) != nil)
        others.add(0)
        try await store(1, in: storage)
        #expect(!storage.lacksSpace)
        #expect(try await sources(storage) == ["0", "1"])
    }

    @Test func `content already stored needs no free space`() async throws {
        let storage = try open()
        try await store(0, in: storage)
        others.add(100_000)
        try await store(0, in: storage)
    }

    @Test func `if evicting frees no space, the next eviction is a minute later`() async throws {
        for number in 0..<9 { try await store(number, in: try open()) }
        let storage = try open(freeing: false)
        await #expect(throws: insufficientSpace) { try await store(10, in: storage) }
        let left = try await sources(storage)
        #expect(left == ["6", "7", "8"])
        await #expect(throws: insufficientSpace) { try await store(11, in: storage) }
        #expect(try await sources(storage) == left)
        date.advance(bySeconds: 60)
        await #expect(throws: insufficientSpace) { try await store(12, in: storage) }
        #expect(try await sources(storage).count < left.count)
    }

    @Test func `if the free space is unknown everything is stored`() async throws {
        let storage = try DiskStorage(folder: CacheFolder(path: place / "cache"), freeSpace: { _ in nil })
        try await store(0, in: storage)
        #expect(try await sources(storage) == ["0"])
    }

    @Test func `extreme free space values do not trap`() async throws {
        let storage = try DiskStorage(
            folder: CacheFolder(path: place / "cache"), configuration: .init(minimumFreeSpace: .max),
            freeSpace: { _ in .min })
        await #expect(throws: DiskCacheError.self) { try await store(0, in: storage) }
    }

    @Test func `the default minimum of free space is 1 GiB`() {
        #expect(DiskStorage.Configuration().minimumFreeSpace == 1 << 30)
    }
}
