import Foundation
import Raster
import TestSupport
import Testing

@testable import AlcedoDiskCache

/// What a prune takes: what its options mean, said before and done after.
@Suite(.timeLimit(.minutes(1))) struct CachePruningTests {
    private let place: TemporaryFolder
    private let date = ManualDate()
    private let storage: DiskStorage

    init() throws {
        place = try TemporaryFolder()
        storage = try DiskStorage(folder: CacheFolder(path: place / "cache"), now: { [date] in date.now })
    }

    /// Five entries of 1,000 bytes, a day apart; "1" lives for a day, "0" is pinned, "2" was used last.
    private func fill() async throws {
        for number in 0..<5 {
            try await storage.store(
                Data(repeating: UInt8(number), count: 1_000), for: CacheEntryKey(source: "\(number)"),
                facts: CacheEntryFacts(), expiration: number == 1 ? .days(1) : .never)
            date.advance(bySeconds: 86_400)
        }
        let pinned = try #require(await storage.entry(for: CacheEntryKey(source: "0")))
        try await storage.setPinned(true, ids: [pinned.id])
        #expect(await storage.data(for: CacheEntryKey(source: "2")) != nil)
        await storage.flush()
    }

    private func sources() async throws -> [String] {
        try await storage.entries(CacheEntryQuery(order: .age, isAscending: true)).entries.map(\.key.source)
    }

    @Test(arguments: [(0, 6), (4_096, 5), (10_000, 4)])
    func `shared content counts when its last entry is pruned`(limit: Int, count: Int) async throws {
        // Given three entries of one content, which were used first, and three of their own
        for number in 0..<6 {
            try await storage.store(
                Data(repeating: UInt8(max(2, number)), count: 1_000), for: CacheEntryKey(source: "\(number)"),
                facts: CacheEntryFacts())
            date.advance(bySeconds: 60)
        }
        let said = try await storage.amount(of: CachePruning(sizeLimit: limit))
        let done = try await storage.prune(CachePruning(sizeLimit: limit))
        #expect(said == done && done.entries == count)
    }

    @Test func `a filter counts and frees only content that no other entry uses`() async throws {
        // Given two entries of one content at two hosts, and one of its own
        for (source, byte) in [("a", 1), ("b", 1), ("c", 2)] {
            try await storage.store(
                Data(repeating: UInt8(byte), count: 1_000), for: CacheEntryKey(source: source),
                facts: CacheEntryFacts(url: "https://\(source).example/", host: "\(source).example"))
        }
        for (text, amount) in [
            ("host:a.example", CacheAmount(entries: 1, bytes: 0)),
            ("host:b.example", CacheAmount(entries: 1, bytes: 1_000)),
            ("host:c.example", CacheAmount(entries: 1, bytes: 1_000)),
        ] {
            let filter = try CacheFilter(text)
            #expect(try await storage.amount(filter) == amount)
            #expect(try await storage.remove(filter) == amount)
        }
    }

    @Test func `expired entries are pruned in the order of their expiry`() async throws {
        // Given the smaller one used last, and expired first
        for (source, days) in [("large", 2), ("small", 1)] {
            try await storage.store(
                Data(repeating: UInt8(days), count: source == "large" ? 20_000 : 1_000),
                for: CacheEntryKey(source: source),
                facts: CacheEntryFacts(), expiration: .days(days))
            date.advance(bySeconds: 60)
        }
        date.advance(bySeconds: 3 * 86_400)
        let pruning = CachePruning(sizeLimit: 20_480)
        let said = try await storage.amount(of: pruning)
        #expect(try await storage.prune(pruning) == said)
        #expect(said == CacheAmount(entries: 1, bytes: 1_000))
    }

    @Test func `pruning on request does not count as eviction`() async throws {
        try await fill()
        try await storage.prune(CachePruning(takesExpired: true, sizeLimit: 0))
        #expect(storage.runTally.evictions == [:])
        #expect(try await storage.statistics().life.evictions == [:])
    }

    @Test(arguments: [
        (CachePruning(olderThan: 3.5 * 86_400), ["0", "2", "3", "4"]),
        (CachePruning(takesExpired: true), ["0", "2", "3", "4"]),
        (CachePruning(unusedFor: 1.5 * 86_400), ["0", "2", "4"]), (CachePruning(sizeLimit: 3 * 4096), ["0", "2", "4"]),
        (CachePruning(takesExpired: true, sizeLimit: 3 * 4096), ["0", "2", "4"]),
        (CachePruning(sizeLimit: 0), ["0"]), (CachePruning(), ["0", "1", "2", "3", "4"]),
    ])
    func `pruning removes exactly the selected entries`(pruning: CachePruning, left: [String]) async throws {
        try await fill()
        let said = try await storage.amount(of: pruning)
        let done = try await storage.prune(pruning)
        #expect(try await sources() == left)
        #expect(said == done && said == CacheAmount(entries: 5 - left.count, bytes: 1_000 * (5 - left.count)))
    }
}
