import AlcedoFilters
import AlcedoSQLite
import Foundation
import Raster
import TestSupport
import Testing

@testable import AlcedoDiskCache

/// Filters of entries, as SQL.
@Suite(.timeLimit(.minutes(1))) struct CacheFilterTests {
    private let place: TemporaryFolder
    private let storage: DiskStorage

    init() throws {
        place = try TemporaryFolder()
        storage = try DiskStorage(folder: CacheFolder(path: place / "cache"))
    }

    /// Stores a to d: a and b are equal, c is similar and mislabelled, d has no facts.
    private func store() async throws {
        for (name, bytes, hash) in [("a.png", 1, 0xFF), ("b.png", 1, 0xFF), ("c.gif", 2, 0xFE), ("d/É.jpg", 3, nil)]
            as [(String, UInt8, UInt64?)]
        {
            var facts = CacheEntryFacts(url: "https://host/\(name)", host: "host")
            if let hash {
                (facts.format, facts.size, facts.frames) = (.png, PixelSize(width: 160, height: 90), 1)
                (facts.perceptualHash, facts.verdict) = (PerceptualHash(bits: hash), .whole)
                (facts.color, facts.hasAlpha) = (ColorFacts(.rgb, bits: 8), false)
                if name == "b.png" { (facts.camera, facts.taken) = ("Kestrel_9 100%", "2026-07-14T18:20:07+02:00") }
            } else {
                facts.headers = ["Content-Type: text/html"]
            }
            try await storage.store(Data([bytes]), for: CacheEntryKey(source: name), facts: facts)
        }
    }

    @Test(arguments: [
        ("dup", "ab"), ("!dup", "cd"), ("like:0", "ab"), ("like", "abc"), ("!like:1", "d"), ("mismatch", "c"),
        ("ratio:16:9", "abc"), ("!ratio:16:9", "d"), ("w>100 | type:", "abcd"), ("type:png !dup", "c"),
        ("~^https.*[ab]", "ab"),
        ("!~[ab]\\.", "cd"), ("é", "d"), ("/D/é*", "d"), ("unused<1h", "abcd"), ("age<1h !mismatch", "abd"),
        ("hits>=1", ""),
        ("mpx<1", "abc"), ("alpha:no", "abc"), ("color:rgb", "abc"), ("verdict:whole c", "c"), ("B.PNG", "b"),
        ("camera:kestrel", "b"), ("camera:el_9", "b"), ("camera:l%9", ""), ("camera:0%", "b"),
        ("!camera:kestrel", "acd"),
        ("taken:2026-07", "b"), ("taken:2026-07-14", "b"), ("taken:2025", ""),
        ("sha256:4bf5122f", "ab"), ("!sha256:4BF5122F", "cd"),
        ("sha256:dbc1b4c900ffe48d575b5da5c638040125f65db0fe3e24494b76ea986457d986", "c"), ("sha256:4bf51220", ""),
        ("a_png", ""), ("%", ""), ("\\.", ""), ("host/a", "a"),
    ])
    func `a filter selects entries`(filter: String, names: String) async throws {
        try await store()
        let found = try await storage.entries(CacheEntryQuery(filter: CacheFilter(filter))).entries
        #expect(found.map { String($0.key.source.prefix(1)) }.sorted().joined() == names)
        #expect(try await storage.amount(CacheFilter(filter)).entries == names.count)
    }

    @Test(arguments: [
        "type:png", "type:", "!type:png", "w>100", "w>=161", "h<90 | h>=90", "mpx<1", "frames<=1", "bytes>=1",
        "bytes>1", "ratio:16:9", "ratio:4:3", "alpha:no", "alpha:yes", "!alpha:yes", "color:rgb", "color:cmyk",
        "verdict:whole", "verdict:corrupt", "mismatch", "!mismatch", "camera:kestrel", "!camera:_", "taken:2026-07-14",
        "taken:2025",
    ])
    func `SQL and predicates agree on facts`(filter: String) async throws {
        try await store()
        let parsed = try PictureFilter(filter, in: .cache)
        let selected = try await storage.entries(CacheEntryQuery(filter: CacheFilter(filter))).entries
        let all = try await storage.entries(CacheEntryQuery(filter: CacheFilter())).entries
        let accepts: (CacheEntry) -> Bool = parsed.predicate { term in
            { entry in
                let type = CacheEntryFacts.contentType(among: entry.facts.headers)
                let mismatch = entry.facts.format?.mismatch(address: entry.facts.url, contentType: type)
                let picture = FilteredPicture(
                    facts: entry.facts.picture, bytes: entry.length, isMismatched: mismatch != nil)
                return picture.meets(term, RelatedPictures()) ?? false
            }
        }
        #expect(Set(all.filter(accepts).map(\.id)) == Set(selected.map(\.id)))
    }

    @Test(arguments: ["dup", "like:1"]) func `remove(_:) removes all matches of the filter`(filter: String)
        async throws
    {
        for number in 0..<600 {
            var facts = CacheEntryFacts(url: "https://host/\(number)", host: "host")
            facts.perceptualHash = PerceptualHash(bits: UInt64(number % 2))
            try await storage.store(Data([UInt8(number % 2)]), for: CacheEntryKey(source: "\(number)"), facts: facts)
        }
        #expect(try await storage.remove(CacheFilter(filter)).entries == 600)
    }

    /// Adds rows that differ from those without `rare` in the address by their names only.
    private func copyFrequentEntries(times: Int) async throws {
        try await storage.withIndex(.write) { index in
            try await index.commits.perform { database in
                let names: [String] = try database.values("SELECT name FROM pragma_table_info('entry')")
                let columns = names.filter { !["id", "source"].contains($0) }.joined(separator: ", ")
                try database.run(
                    """
                    WITH RECURSIVE copy(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM copy LIMIT ?)
                    INSERT INTO entry (source, \(columns))
                    SELECT randomblob(16), \(columns) FROM copy, entry WHERE url NOT LIKE '%rare'
                    """, [times])
            }
        }
    }

    @Test func `rare and frequent matches are sorted alike and counted`() async throws {
        for number in 0..<120 {
            let facts = CacheEntryFacts(url: "https://host/\(number)\(number % 10 == 0 ? "-rare" : "")", host: "host")
            try await storage.store(Data([1]), for: CacheEntryKey(source: "\(number)"), facts: facts)
        }
        try await copyFrequentEntries(times: 99)
        let pinned = try await storage.entries(CacheEntryQuery(filter: CacheFilter("30-rare"))).entries
        _ = try await storage.setPinned(true, ids: pinned.map(\.id))
        for (filter, count) in [("host", 10_812), ("rare", 12)] {
            var query = CacheEntryQuery(filter: try CacheFilter(filter), offset: 2, limit: 4)
            let page = try await storage.entries(query)
            #expect(page.count == count)
            (query.isAscending, query.offset) = (true, count - 6)
            let backwards = try await storage.entries(query).entries
            #expect(page.entries.count == 4 && backwards.reversed().map(\.id) == page.entries.map(\.id))
            #expect(zip(page.entries, page.entries.dropFirst()).allSatisfy { $0.accessed >= $1.accessed })
            #expect(
                try await storage.entries(CacheEntryQuery(filter: CacheFilter(filter), limit: 20_000)).entries.count
                    == count)
        }
    }

    @Test func `entries are sorted by pixels and type, entries without facts come last or first`() async throws {
        try await store()
        func names(_ order: CacheOrder, isAscending: Bool) async throws -> String {
            let query = CacheEntryQuery(order: order, isAscending: isAscending)
            return try await storage.entries(query).entries.map { String($0.key.source.prefix(1)) }.joined()
        }
        #expect(try await names(.pixels, isAscending: false) == "cbad")
        #expect(try await names(.type, isAscending: true) == "dabc")
    }

    @Test(
        arguments: [
            (["sp *.png"], "\"sp *.png\""), (["host:a", "/my cats/*"], "host:a \"/my cats/*\""),
            (["host:a *.png"], "host:a *.png"), (["*.a | *.b"], "*.a | *.b"),
            (["size>1K hits<2"], "size>1K hits<2"), (["\"sp *.png\" b"], "\"sp *.png\" b"), (["a b"], "a b"), ([], ""),
        ] as [([String], String)])
    func `a glob argument with blanks is one term`(arguments: [String], text: String) {
        #expect(CacheFilter.text(of: arguments) == text)
    }
}
