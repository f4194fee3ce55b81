import Foundation
import Raster
import TestSupport
import Testing

@testable import AlcedoDiskCache

/// How long entries live on disk, what extends their lives, and what ends them.
@Suite(.timeLimit(.minutes(1))) struct DiskStorageLifeTests {
    private let place: TemporaryFolder
    private let date = ManualDate()
    private let storage: DiskStorage
    private let key = CacheEntryKey(source: "a")

    init() throws {
        place = try TemporaryFolder()
        storage = try DiskStorage(folder: CacheFolder(path: place / "cache"), now: { [date] in date.now })
    }

    private func store(_ source: String = "a", life: StorageExpiration = .seconds(100)) async throws {
        try await storage.store(
            Data(source.utf8), for: CacheEntryKey(source: source), facts: CacheEntryFacts(), expiration: life)
    }

    /// Reads after so many seconds; answers whether it was a hit.
    private func read(after seconds: Double, _ extending: ExpirationExtending = .cacheTime) async -> Bool {
        date.advance(bySeconds: seconds)
        let hit = await storage.data(for: key, extending: extending)
        await storage.flush()
        return hit != nil
    }

    private func sources() async throws -> [String] {
        try await storage.entries(CacheEntryQuery(order: .age, isAscending: true)).entries.map(\.key.source)
    }

    private func sweep(after days: Double) async {
        date.advance(bySeconds: days * 86_400)
        await storage.sweep()
    }

    @Test func `a hit restarts the life given at storing`() async throws {
        try await store()
        #expect(await read(after: 90))
        #expect(await read(after: 90))
        #expect(await !read(after: 100))
    }

    @Test func `a hit does not extend a life that ends at a date`() async throws {
        try await store(life: .date(date.now.addingTimeInterval(100)))
        #expect(await read(after: 50))
        #expect(await read(after: 10, .expirationTime(.seconds(5))))
        #expect(await read(after: 4))
        #expect(await read(after: 35))
        #expect(await !read(after: 1))
    }

    @Test func `a hit without extension keeps the expiry`() async throws {
        try await store()
        #expect(await read(after: 60, .none))
        #expect(await !read(after: 40, .none))
    }

    @Test func `a hit without extension does not shorten the life of later hits`() async throws {
        try await store()
        #expect(await read(after: 60, .none))
        #expect(await read(after: 30))
        #expect(await read(after: 99))
    }

    @Test func `a hit can set another life`() async throws {
        try await store()
        #expect(await read(after: 50, .expirationTime(.seconds(1_000))))
        #expect(await read(after: 999, .none))
        #expect(await !read(after: 1, .none))
    }

    @Test func `a hit can set an endless life`() async throws {
        try await store()
        #expect(await read(after: 50, .expirationTime(.never)))
        #expect(await read(after: 1e9, .none))
        #expect(await read(after: 1, .cacheTime))
        #expect(await !read(after: 100, .cacheTime))
    }

    @Test func `an endless life stays endless`() async throws {
        try await store(life: .never)
        #expect(await read(after: 1e9))
        #expect(await read(after: 1e9, .none))
        #expect(await read(after: 10, .expirationTime(.seconds(5))))
        #expect(await read(after: 1))
        #expect(await read(after: 1e9))
    }

    private func isNoticed(_ extending: ExpirationExtending) async -> Bool {
        if case .alive = await storage.findRow(key, extending: extending) { true } else { false }
    }

    @Test func `a recorded use extends the life as a read does`() async throws {
        try await store()
        date.advance(bySeconds: 60)
        #expect(await isNoticed(.none))
        await storage.flush()
        date.advance(bySeconds: 39)
        #expect(await isNoticed(.cacheTime))
        await storage.flush()
        #expect(await read(after: 99))
    }

    @Test func `concurrent openings of a new folder all succeed`() async throws {
        let folder = CacheFolder(path: place / "fresh")
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<8 {
                group.addTask {
                    guard let storage = try? DiskStorage(folder: folder) else { return false }
                    let key = CacheEntryKey(source: "\(number)")
                    _ = try? await storage.store(Data([1]), for: key, facts: CacheEntryFacts())
                    return await storage.isCached(key)
                }
            }
            for await isOpen in group { #expect(isOpen) }
        }
    }

    @Test func `removeExpired removes all expired entries except pinned ones`() async throws {
        for number in 0..<600 { try await store("\(number)") }
        try await store("pinned")
        try await store("living", life: .never)
        let pinned = try #require(await storage.entry(for: CacheEntryKey(source: "pinned")))
        #expect(try await storage.setPinned(true, ids: [pinned.id]) == 1)
        date.advance(bySeconds: 100)
        #expect(try await storage.removeExpired() == 600)
        #expect(try await sources() == ["pinned", "living"])
        #expect(try await storage.removeExpired() == 0)
    }

    @Test func `a sweep removes entries unused for 90 days`() async throws {
        await sweep(after: 0)
        for source in ["a", "b"] { try await store(source, life: .never) }
        for _ in 0..<89 { await sweep(after: 1) }
        #expect(await storage.data(for: key) != nil)
        await storage.flush()
        #expect(try await sources() == ["a", "b"])
        for _ in 0..<2 { await sweep(after: 1) }
        #expect(try await sources() == ["a"])
    }

    @Test func `the daily sweep applies an unused life shorter than a day`() async throws {
        let brief = try DiskStorage(
            folder: CacheFolder(path: place / "brief"), configuration: .init(unusedLife: .seconds(3_600)),
            now: { [date] in date.now })
        await brief.sweep()
        try await brief.store(Data("a".utf8), for: key, facts: CacheEntryFacts(), expiration: .never)
        date.advance(bySeconds: 86_400)
        await brief.sweep()
        #expect(await brief.data(for: key) == nil)
    }

    @Test func `a daily sweep runs once a day`() async throws {
        await sweep(after: 0)
        let left = place / "cache/v3/blobs/aa/.tmp-1-1"
        try FileManager.default.createDirectory(
            atPath: place / "cache/v3/blobs/aa", withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: left))
        for (days, isThere) in [(0.5, true), (0.6, false)] {
            date.advance(bySeconds: days * 86_400)
            try FileManager.default.setAttributes(
                [.modificationDate: date.now - 7_200], ofItemAtPath: left)
            await storage.sweep(isDaily: true)
            #expect(FileManager.default.fileExists(atPath: left) == isThere)
        }
    }

    @Test func `a clock that jumps ahead removes no entries`() async throws {
        try await store(life: .never)
        await sweep(after: 1)
        await sweep(after: 1_000)
        await sweep(after: 0.5)
        #expect(try await sources() == ["a"])
        date.advance(bySeconds: -1_000 * 86_400)
        await sweep(after: 0)
        #expect(try await sources() == ["a"])
    }

    @Test func `after a long absence unused entries are removed a day later`() async throws {
        try await store(life: .never)
        await sweep(after: 1)
        await sweep(after: 1_000)
        await sweep(after: 1)
        #expect(try await sources() == [])
    }

    @Test func `a last use in the future is reset to now`() async throws {
        date.advance(bySeconds: 1_000 * 86_400)
        try await store("ahead", life: .never)
        date.advance(bySeconds: -1_000 * 86_400)
        await sweep(after: 0)
        for _ in 0..<92 { await sweep(after: 1) }
        #expect(try await sources() == [])
    }
}
