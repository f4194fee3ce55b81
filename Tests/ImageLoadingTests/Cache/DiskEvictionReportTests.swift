import AlcedoSupport
import Foundation
import TestSupport
import Testing

@testable import AlcedoDiskCache
@testable import ImageLoading

/// The reports of the disk tier about entries that leave it.
@Suite(.timeLimit(.minutes(1))) struct DiskEvictionReportTests {
    private let place: TemporaryFolder
    private let date = ManualDate()
    private let data = Data("a picture's bytes".utf8)

    init() throws { place = try TemporaryFolder() }

    private func open(_ configuration: DiskStorage.Configuration = .init()) throws -> DiskStorage {
        try DiskStorage(
            folder: CacheFolder(path: place / "cache"), configuration: configuration, now: { [date] in date.now })
    }

    /// The reports of a storage during an action, ended by a mark.
    private func heard(
        _ storage: DiskStorage, _ action: () async throws -> Void
    ) async throws -> [CacheEviction] {
        let cache = ImageCache(disk: storage)
        let evictions = cache.evictions()
        try await action()
        cache.memory.evictions.send(CacheEviction(tier: .memory, key: "mark", reason: .cleared))
        var heard: [CacheEviction] = []
        for await eviction in evictions {
            if eviction.key == "mark" { break }
            heard.append(eviction)
        }
        return heard
    }

    private func store(_ number: Int, in storage: DiskStorage, life: StorageExpiration = .never) async throws {
        date.advance(bySeconds: 1)
        try await storage.store(
            Data(repeating: UInt8(number), count: 1_000), for: CacheEntryKey(source: "\(number)"),
            facts: CacheEntryFacts(), expiration: life)
    }

    @Test func `each removal from disk is reported with its reason`() async throws {
        let storage = try open()
        let processed = CacheEntryKey(source: "1", processor: "bw", kind: .processed)
        let heard = try await heard(storage) {
            try await store(1, in: storage)
            try await store(1, in: storage)
            try await storage.store(data, for: processed, facts: CacheEntryFacts())
            try await storage.remove(source: "1", processor: "bw")
            try await store(2, in: storage, life: .seconds(5))
            date.advance(bySeconds: 5)
            try await storage.removeExpired()
            let entry = try #require(await storage.entry(for: CacheEntryKey(source: "1")))
            let path = storage.path(of: entry)
            try FileManager.default.removeItem(atPath: path)
            _ = await storage.data(for: CacheEntryKey(source: "1"))
            try await storage.removeAll()
        }
        #expect(heard.map(\.key) == ["1", "1", "2", "1", nil])
        #expect(heard.map(\.processorIdentifier) == ["", "bw", "", "", ""])
        #expect(heard.map(\.reason) == [.replaced, .removed, .expired, .damaged, .cleared])
        #expect(heard.allSatisfy { $0.tier == .disk })
    }

    @Test func `evictions over the size limit are reported as such`() async throws {
        let storage = try open(.init(sizeLimit: 5 * 4096))
        let heard = try await heard(storage) {
            try await store(1, in: storage)
            try await store(2, in: storage, life: .seconds(1))
            for number in 3..<7 { try await store(number, in: storage) }
        }
        #expect(heard.map(\.key) == ["2", "1"])
        #expect(heard.map(\.reason) == [.expired, .sizeLimit])
    }

    @Test func `a sweep reports unused entries`() async throws {
        let storage = try open()
        let heard = try await heard(storage) {
            try await store(1, in: storage)
            for _ in 0..<92 {
                await storage.sweep()
                date.advance(bySeconds: 86_400)
            }
        }
        #expect(heard.map(\.reason) == [.unused])
    }

    @Test func `evictions for free space are reported as such`() async throws {
        let place = place
        let storage = try DiskStorage(
            folder: CacheFolder(path: place / "cache"), configuration: .init(minimumFreeSpace: 1_000),
            now: { [date] in date.now },
            freeSpace: { _ in 3_000 - 1_000 * place.files().count { $0.contains("/blobs/") } })
        let heard = try await heard(storage) { for number in 0..<3 { try await store(number, in: storage) } }
        #expect(heard == [CacheEviction(tier: .disk, key: "0", reason: .freeSpace)])
    }
}
