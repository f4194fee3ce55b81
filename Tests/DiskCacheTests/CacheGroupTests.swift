import Foundation
import Raster
import TestSupport
import Testing

@testable import AlcedoDiskCache

/// Groups of entries: what they count, and that their filters select just what was counted.
@Suite(.timeLimit(.minutes(1))) struct CacheGroupTests {
    private let place: TemporaryFolder
    private let date = ManualDate()
    private let storage: DiskStorage

    init() async throws {
        place = try TemporaryFolder()
        storage = try DiskStorage(folder: CacheFolder(path: place / "cache"), now: { [date] in date.now })
        for (number, age) in [0, 2, 30, 200, 1_000, 3_000].enumerated() {
            let data = Data(repeating: UInt8(number), count: 100 * (number + 1))
            let facts = CacheEntryFacts(
                format: [ImageFormat.png, .jpeg, nil][number % 3], url: "https://h/\(number).png",
                host: number == 3 ? "A.Example" : ["a.example", "b.example", ""][number % 3])
            date.advance(bySeconds: Double(-age) * 3600)
            try await storage.store(data, for: CacheEntryKey(source: "\(number)"), facts: facts)
            date.advance(bySeconds: Double(age) * 3600)
        }
    }

    @Test(arguments: CacheGrouping.allCases)
    func `each entry is in one group, whose filter selects it`(field: CacheGrouping) async throws {
        let groups = try await storage.groups(CacheGroupQuery(field: field)).groups
        #expect(groups.reduce(0) { $0 + $1.entries } == 6)
        #expect(groups.map(\.bytes) == groups.map(\.bytes).sorted(by: >))
        for group in groups {
            let amount = try await storage.amount(CacheFilter(group.filter))
            #expect(amount == CacheAmount(entries: group.entries, bytes: group.bytes), "\(group.value)")
        }
    }

    @Test func `groups are paged and follow a filter`() async throws {
        let window = try await storage.groups(CacheGroupQuery(field: .host, offset: 1, limit: 1))
        #expect(window.groups.map(\.value) == ["b.example"] && window.count == 3)
        let some = try await storage.groups(CacheGroupQuery(field: .age, filter: CacheFilter("host:a.example")))
        #expect(some.groups.map(\.value) == ["7d", "0"])
    }

    @Test func `a key filter matches one source, a host filter may have a port`() async throws {
        let url = "http://Local.example:8080/a.png"
        try await storage.store(
            Data([9]), for: CacheEntryKey(source: url), facts: CacheEntryFacts(url: url, host: "local.example"))
        let name = try #require(await storage.entry(for: CacheEntryKey(source: url))).name
        for filter in ["key:\(name)", "key:\(url)", "host:local.example:8080", "host:local.example"] {
            #expect(try await storage.amount(CacheFilter(filter)).entries == 1, "\(filter)")
        }
        #expect(try await storage.amount(CacheFilter("host:local.example:808")).entries == 0)
        #expect(try await storage.amount(CacheFilter("key:http://Local.example:8080/a")).entries == 0)
    }

    @Test(arguments: [
        ("host:::1", 1), ("host:[::1]", 1), ("host:[::1]:8080", 1), ("host:[::1]:80", 0), ("host:h:8080", 1),
        ("host:H:8080", 1), ("host:h:808", 0), ("host:h", 1),
    ])
    func `a host filter matches only the host of the address itself`(filter: String, count: Int) async throws {
        for (host, url) in [
            ("::1", "http://[::1]:8080/a.png"), ("h", "http://h:8080?x=1"),
            ("proxy", "http://proxy/http://h:8080/a.png"),
        ] {
            try await storage.store(
                Data(url.utf8), for: CacheEntryKey(source: url), facts: CacheEntryFacts(url: url, host: host))
        }
        #expect(try await storage.amount(CacheFilter(filter)).entries == count)
    }

    @Test(arguments: [
        ("/1.png", ["1"]), ("/*.png", ["0", "1", "2", "3", "4", "5"]), ("/*.jpg", []), ("/[23].png", []),
        ("/*.PNG/", ["0", "1", "2", "3", "4", "5"]),
    ])
    func `a glob matches the end of the path`(glob: String, sources: [String]) async throws {
        let odd = CacheEntryFacts(url: "https://host/odd/?next=/1.png#/2.png")
        try await storage.store(Data([9]), for: CacheEntryKey(source: "odd"), facts: odd)
        let found = try await storage.entries(CacheEntryQuery(filter: CacheFilter(glob))).entries
        #expect(found.map(\.key.source).sorted() == sources)
    }
}
