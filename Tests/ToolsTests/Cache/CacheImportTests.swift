import AlcedoConfig
import Foundation
import ImageLoading
import TestSupport
import Testing

@testable import AlcedoTools

/// Entries of one cache that are copied to another.
@Suite(.timeLimit(.minutes(1))) struct CacheImportTests {
    private let place: TemporaryFolder
    private let start = Date(timeIntervalSince1970: 1_800_000_000)
    private let day: TimeInterval = 86_400

    init() throws { place = try TemporaryFolder() }

    private func disk(_ name: String, _ now: Date? = nil) throws -> DiskStorage {
        let time = now ?? start
        return try DiskStorage(folder: CacheFolder(path: place / name), now: { time })
    }

    private func store(
        _ text: String, _ key: String, in disk: DiskStorage, expiration: StorageExpiration = .days(7)
    ) async throws {
        var facts = CacheEntryFacts(url: key, host: "h")
        facts.camera = "Kestrel 9"
        try await disk.store(Data(text.utf8), for: CacheEntryKey(source: key), facts: facts, expiration: expiration)
    }

    private func text(_ key: String, in disk: DiskStorage) async -> String? {
        guard let entry = await disk.entry(for: CacheEntryKey(source: key)) else { return nil }
        return await disk.contents(of: entry).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `entries come with their facts, expiration and pins; newer ones and secret addresses do not`()
        async throws
    {
        let (old, new) = (try disk("a"), try disk("b", start + day))
        for name in ["1", "2", "3"] { try await store("a\(name)", "https://h/\(name)", in: old) }
        try await store("gone", "https://h/4", in: old, expiration: .seconds(60))
        try await store("secret", "https://h/5?token=c2VjcmV0LXRva2Vu", in: old)
        try await store("b2", "https://h/2", in: new)
        let pinned = try #require(await old.entry(for: CacheEntryKey(source: "https://h/3")))
        try await old.setPinned(true, ids: [pinned.id])

        var report = CacheImport.Report()
        try await CacheImport.copy(try CacheImport.open(place / "a"), into: new, &report, at: start + day)

        #expect((report.imported, report.importedBytes, report.known) == (2, 4, 1))
        #expect((report.expired, report.secret, report.unreadable) == (1, 1, 0))
        #expect(await text("https://h/1", in: new) == "a1")
        #expect(await text("https://h/2", in: new) == "b2")
        let copy = try #require(await new.entry(for: CacheEntryKey(source: "https://h/3")))
        #expect(copy.isPinned && copy.facts.camera == "Kestrel 9" && copy.expires == start + 7 * day)
        #expect(
            report.lines == [
                "Imported 2 entries, 4 B.", "Left out: 1 already here, 1 expired, 1 with a secret address.",
            ])

        var again = CacheImport.Report()
        try await CacheImport.copy(try CacheImport.open(place / "a"), into: new, &again, at: start + day)
        #expect(again.imported == 0 && again.known == 3)
    }

    @Test func `a folder without a cache, and the cache itself, are refused`() async throws {
        #expect(throws: ProgramProblem.self) { try CacheImport.open(place / "nothing") }
        #expect(!FileManager.default.fileExists(atPath: place / "nothing"))
        let own = try disk("a")
        try await store("a", "https://h/1", in: own)
        var report = CacheImport.Report()
        await #expect(throws: ProgramProblem.self) {
            try await CacheImport.copy(try CacheImport.open(place / "a"), into: own, &report, at: start)
        }
    }
}
