import Foundation
import ImageLoading
import ProgramTestSupport
import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools

@Suite(.timeLimit(.minutes(1))) struct CacheReportsTests {
    private func object(_ value: some Encodable) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(JSONLine.bytes(of: value))) as? [String: Any])
    }

    private func entry(in place: TemporaryFolder) async throws -> CacheEntry {
        let disk = try await Fixtures.disk(in: place, sizes: [10])
        return try #require(try await disk.entries(CacheEntryQuery()).entries.first)
    }

    @Test func `statistics are written one fact per line`() {
        var statistics = CacheStatistics()
        (statistics.entries, statistics.life.memoryHits, statistics.life.diskHits) = (1200, 1, 2)
        (statistics.life.misses, statistics.life.evictions) = (1, [.sizeLimit: 7, .expired: 2])
        let lines = CacheStatisticsReport(statistics, folder: "/cache").lines
        #expect(lines.contains("folder     /cache"))
        #expect(lines.contains("hits       75 % of 4 look-ups"))
        #expect(lines.contains("tiers      1 memory, 2 disk, 0 revalidated, 1 missed"))
        #expect(lines.contains("evicted    9 (2 expired, 7 over the limit)"))
        #expect(lines.allSatisfy { !$0.contains("\n") })
    }

    @Test func `without look-ups no hit rate is shown`() {
        let lines = CacheStatisticsReport(CacheStatistics(), folder: "/cache").lines
        #expect(lines.contains("hits       none yet"))
    }

    @Test func `neither text nor JSON of an entry contains secrets`() async throws {
        let place = try TemporaryFolder()
        let entry = try await entry(in: place)
        let report = CacheEntryReport(entry, now: entry.stored + 90)
        #expect(report.line.contains("https://host/10.png?token=…") && report.line.contains("3×2"))
        #expect(!report.line.contains("hush"))
        let object = try object(report)
        #expect(object["url"] as? String == "https://host/10.png?token=…")
        #expect(object["v"] as? Int == 1)
        #expect(object["ageSeconds"] as? Int == 90 && object["bytes"] as? Int == 10)
        #expect((object["sha256"] as? String)?.count == 64)
    }

    @Test func `details name variants by what differs, without their common address`() async throws {
        let place = try TemporaryFolder()
        let disk = try DiskStorage(folder: CacheFolder(path: place / "cache"))
        let facts = CacheEntryFacts(format: .png, url: "https://host/a/long/folder/10.png", host: "host")
        for (processor, kind) in [("", CacheEntryKind.original), ("round(20)", .processed)] {
            let key = CacheEntryKey(source: "a", processor: processor, kind: kind)
            try await disk.store(Data(processor.utf8) + [1], for: key, facts: facts)
        }
        let entry = try #require(await disk.entry(for: CacheEntryKey(source: "a")))
        let variants = try await disk.variants(of: entry)
        let report = CacheDetailsReport(entry, in: disk, variants: variants, place: nil, now: Date())
        let lines = report.facts.filter { $0.name == "variant" }.map(\.value)
        #expect(lines == ["processed, round(20), 10 B, PNG, \(variants[0].name)"])
    }

    @Test func `extreme times of a damaged index do not trap`() async throws {
        let place = try TemporaryFolder()
        var entry = try await entry(in: place)
        entry.stored = Date(timeIntervalSince1970: -1e300)
        entry.expires = Date(timeIntervalSince1970: .infinity)
        let report = CacheEntryReport(entry, now: Date())
        #expect(report.ageSeconds > 1 << 40 && report.expiresInSeconds ?? 0 > 1 << 40)
        #expect(!report.line.isEmpty)
    }

    @Test func `a removal reports entries and bytes`() throws {
        let amount = CacheAmount(entries: 1, bytes: 10)
        #expect(amount.summary == "1 entry, 10 B")
        let object = try object(RemovalReport(amount, isDryRun: true))
        #expect(object["entries"] as? Int == 1 && object["bytes"] as? Int == 10)
        #expect(object["isDryRun"] as? Bool == true)
    }
}
