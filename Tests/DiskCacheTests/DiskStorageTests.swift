import Foundation
import Glibc
import Raster
import TestSupport
import Testing

@testable import AlcedoDiskCache

/// What the disk tier keeps and gives back.
@Suite(.timeLimit(.minutes(1))) struct DiskStorageTests {
    private let place: TemporaryFolder
    private let date = ManualDate()

    init() throws { place = try TemporaryFolder() }

    private func open(_ configuration: DiskStorage.Configuration = .init()) throws -> DiskStorage {
        let date = date
        return try DiskStorage(
            folder: CacheFolder(path: place / "cache"), configuration: configuration, now: { date.now })
    }

    private func store(
        _ text: String, as key: String, in storage: DiskStorage, life: StorageExpiration? = nil
    ) async throws {
        try await storage.store(
            Data(text.utf8), for: CacheEntryKey(source: key), facts: CacheEntryFacts(), expiration: life)
    }

    private func read(_ key: String, from storage: DiskStorage) async -> String? {
        await storage.data(for: CacheEntryKey(source: key)).map { String(decoding: $0.data, as: UTF8.self) }
    }

    @Test func `new limits and lifetimes apply to the next store`() async throws {
        let storage = try open()
        try await store("abc", as: "a", in: storage)
        storage.configuration.expiration = .seconds(10)
        try await store("def", as: "b", in: storage)
        #expect(storage.liveEntryNow(for: CacheEntryKey(source: "b"))?.length == 3)
        date.advance(bySeconds: 11)
        #expect(storage.liveEntryNow(for: CacheEntryKey(source: "a")) != nil)
        #expect(storage.liveEntryNow(for: CacheEntryKey(source: "b")) == nil)
        storage.configuration.sizeLimit = 1
        await #expect(throws: DiskCacheError.self) { try await store("ghi", as: "c", in: storage) }
    }

    @Test func `a stored entry is found with all its facts`() async throws {
        let storage = try open()
        let key = CacheEntryKey(source: "a", processor: "bw", kind: .processed)
        let facts = CacheEntryFacts(
            format: .webP, size: PixelSize(width: 4, height: 3), frames: 2, url: "https://example.org/a",
            host: "example.org", etag: "\"1\"", lastModified: "yesterday", cost: 12)
        try await storage.store(Data("bytes".utf8), for: key, facts: facts)
        let hit = try #require(await storage.data(for: key))
        #expect(hit.data == Data("bytes".utf8))
        #expect(hit.entry.facts == facts)
        #expect(hit.entry.key == key)
        #expect(hit.entry.stored == date.now)
        #expect(hit.entry.expires == date.now + 7 * 86_400)
    }

    @Test func `replacing the original removes the entries derived from it`() async throws {
        let storage = try open()
        let made = ["bw", "blur(2)"].map { CacheEntryKey(source: "a", processor: $0, kind: .processed) }
        let others = CacheEntryKey(source: "b", processor: "bw", kind: .processed)
        func makeAll() async throws {
            for key in made + [others] {
                try await storage.store(Data("made".utf8), for: key, facts: CacheEntryFacts())
            }
        }
        try await store("first", as: "a", in: storage)
        try await makeAll()
        // Given the equal again, or others for what was made of them
        try await store("first", as: "a", in: storage)
        try await storage.store(Data("new".utf8), for: made[0], facts: CacheEntryFacts())
        #expect(await storage.areCached(made) == [true, true])
        // When the original's bytes change
        try await store("second", as: "a", in: storage)
        // Then nothing that was made of the old ones is served, and that of other sources is
        #expect(await storage.areCached(made + [others]) == [false, false, true])
        #expect(await read("a", from: storage) == "second")
        #expect(try await storage.verify(isFull: true).isSound)
    }

    @Test func `storing an evicted original again removes the entries derived from it`() async throws {
        let storage = try open()
        let made = ["a", "b"].map { CacheEntryKey(source: $0, processor: "bw", kind: .processed) }
        // Given what was made of pictures, and the original of one evicted
        try await store("first", as: "a", in: storage)
        for key in made { try await storage.store(Data("made".utf8), for: key, facts: CacheEntryFacts()) }
        _ = try await storage.remove(ids: [try #require(await storage.entry(for: CacheEntryKey(source: "a"))).id])
        #expect(await storage.areCached(made) == [true, true])
        // When the original comes anew, whatever its bytes are now
        try await store("second", as: "a", in: storage)
        // Then what may be of other bytes is not served
        #expect(await storage.areCached(made) == [false, true])
    }

    @Test(arguments: CacheOrder.allCases, [true, false])
    func `place(of:in:) matches the position in every order`(order: CacheOrder, isAscending: Bool) async throws {
        let storage = try open()
        for number in 0..<12 {
            let life = number.isMultiple(of: 4) ? StorageExpiration.never : .days(number % 5 + 1)
            try await storage.store(
                Data(repeating: UInt8(number), count: 10 + number % 3), for: CacheEntryKey(source: "\(number)"),
                facts: CacheEntryFacts(host: "\(number % 2)"), expiration: life)
            date.advance(bySeconds: 1)
        }
        for filter in ["", "host:1"] {
            let query = CacheEntryQuery(filter: try CacheFilter(filter), order: order, isAscending: isAscending)
            let entries = try await storage.entries(query).entries
            var places: [Int?] = []
            for entry in entries { places.append(try await storage.place(of: entry.id, in: query)) }
            #expect(places == Array(0..<entries.count))
        }
        let other = CacheEntryQuery(filter: try CacheFilter("host:1"), order: order, isAscending: isAscending)
        let zero = try #require(await storage.entry(for: CacheEntryKey(source: "0")))
        #expect(try await storage.place(of: zero.id, in: other) == nil)
    }

    @Test(arguments: [
        ("\"sp *.png\"", 1), ("sp%20*.png", 1), ("\"sp ace.png\"", 1), ("\"SP ACE\"", 1), ("100%-15.png", 1),
        ("100%-*.png", 1),
        ("/100%-15.png", 1), ("größe", 1), ("gr*ße.png", 1), ("/b/*", 1), ("*.png", 4), ("sp *.jpg", 0), ("q=1", 1),
        ("*q=1", 0),
    ])
    func `a filter finds names in escaped and in decoded form`(text: String, count: Int) async throws {
        let storage = try open()
        for name in ["sp%20ace.png", "100%25-15.png", "gr%C3%B6%C3%9Fe.png", "a%2Fb/c.png?q=1"] {
            let facts = CacheEntryFacts(url: "https://example.org/\(name)", host: "example.org")
            try await storage.store(Data(name.utf8), for: CacheEntryKey(source: name), facts: facts)
        }
        #expect(try await storage.amount(CacheFilter(text)).entries == count)
    }

    @Test func `the amount of some entries counts only bytes that no other entry uses`() async throws {
        let storage = try open()
        for (text, source) in [("same", "a"), ("same", "b"), ("other", "c")] {
            try await store(text, as: source, in: storage)
        }
        var ids: [Int64] = []
        for source in ["a", "c", "b"] {
            ids.append(try #require(await storage.entry(for: CacheEntryKey(source: source))).id)
        }
        #expect(try await storage.amount(ids: [ids[0]]) == CacheAmount(entries: 1, bytes: 0))
        #expect(try await storage.amount(ids: Array(ids[..<2])) == CacheAmount(entries: 2, bytes: 5))
        #expect(try await storage.amount(ids: ids + [-1]) == CacheAmount(entries: 3, bytes: 9))
    }

    @Test(arguments: ["", "host:example.org"])
    func `entries stored after counting are not removed`(text: String) async throws {
        let storage = try open()
        let facts = CacheEntryFacts(url: "https://example.org/", host: "example.org")
        func store(_ names: [String]) async throws {
            for name in names {
                try await storage.store(Data(name.utf8), for: CacheEntryKey(source: name), facts: facts)
            }
        }
        try await store(["a", "b"])
        let filter = try CacheFilter(text)
        let counted = try await storage.countedAmount(filter)
        // When one comes, and one that was counted is stored anew
        try await store(["b", "c"])
        let removed = try await storage.remove(filter.upTo(counted.last))
        // Then what went is no more than was counted
        #expect(counted.amount.entries == 2 && removed.entries == 1)
        #expect(await storage.areCached(["a", "b", "c"].map { CacheEntryKey(source: $0) }) == [false, true, true])
    }

    /// More of both than there are readers, and than there are threads.
    @Test func `concurrent queries and look-ups are all answered`() async throws {
        let storage = try open()
        try await store("bytes", as: "a", in: storage)
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<2000 {
                group.addTask {
                    number.isMultiple(of: 2)
                        ? await storage.data(for: CacheEntryKey(source: "a")) != nil
                        : (try? await storage.entries(CacheEntryQuery()).count) == 1
                }
            }
            for await isAnswered in group { #expect(isAnswered) }
        }
    }

    @Test func `source, processor and kind distinguish entries`() async throws {
        let storage = try open()
        let keys = [
            CacheEntryKey(source: "a"), CacheEntryKey(source: "b"), CacheEntryKey(source: "a", processor: "bw"),
            CacheEntryKey(source: "a", processor: "bw", kind: .encoded),
        ]
        for (number, key) in keys.enumerated() {
            try await storage.store(Data("\(number)".utf8), for: key, facts: CacheEntryFacts())
        }
        for (number, key) in keys.enumerated() {
            #expect(await storage.data(for: key)?.data == Data("\(number)".utf8))
        }
    }

    @Test func `any text can be a key`() async throws {
        let storage = try open()
        let keys = ["", "a\u{0}b", "é", "e\u{301}", "../../x", String(repeating: "k", count: 100_000)]
        for (number, key) in keys.enumerated() { try await store("\(number)", as: key, in: storage) }
        for (number, key) in keys.enumerated() { #expect(await read(key, from: storage) == "\(number)") }
    }

    @Test func `a new process finds what an earlier one stored`() async throws {
        try await store("x", as: "a", in: try open())
        #expect(await read("a", from: try open()) == "x")
    }

    @Test func `two storages of one folder share their entries`() async throws {
        let (first, second) = (try open(), try open())
        try await store("x", as: "a", in: first)
        #expect(await read("a", from: second) == "x")
        try await store("y", as: "a", in: second)
        #expect(await read("a", from: first) == "y")
        try await first.removeAll()
        #expect(await read("a", from: second) == nil)
    }

    @Test func `files have mode 0600 whatever the umask`() async throws {
        let old = umask(0)
        let storage = try open()
        try await store("x", as: "a", in: storage)
        umask(old)
        let files = place.files()
        #expect(files.count >= 3)
        for file in files {
            var status = stat()
            #expect(lstat(place / file, &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600, "\(file)")
        }
    }

    @Test func `equal content is stored and counted once`() async throws {
        let storage = try open()
        try await store("same", as: "a", in: storage)
        try await store("same", as: "b", in: storage)
        #expect(place.files().count { $0.contains("/blobs/") } == 1)
        #expect(try await storage.statistics().bytes == 4)
        #expect(try await storage.statistics().entries == 2)
        try await removeEntry("a", from: storage)
        #expect(await read("b", from: storage) == "same")
    }

    @Test func `replacing an entry removes its old content`() async throws {
        let storage = try open()
        try await store("old content", as: "a", in: storage)
        try await store("new", as: "a", in: storage)
        #expect(await read("a", from: storage) == "new")
        #expect(place.files().count { $0.contains("/blobs/") } == 1)
        #expect(try await storage.statistics().bytes == 3)
    }

    @Test func `storing the same content again keeps it`() async throws {
        let storage = try open()
        try await store("x", as: "a", in: storage)
        try await store("x", as: "a", in: storage)
        #expect(await read("a", from: storage) == "x")
        #expect(try await storage.statistics().bytes == 1)
    }

    @Test func `an expired entry is a miss`() async throws {
        let storage = try open()
        try await store("x", as: "a", in: storage, life: .seconds(60))
        date.advance(bySeconds: 59)
        #expect(await storage.isCached(CacheEntryKey(source: "a")))
        #expect(await storage.areCached(["b", "a", "a"].map { CacheEntryKey(source: $0) }) == [false, true, true])
        date.advance(bySeconds: 1)
        #expect(await !storage.isCached(CacheEntryKey(source: "a")))
        #expect(await read("a", from: storage) == nil)
    }

    @Test func `a hit restarts the life of an entry`() async throws {
        let storage = try open()
        try await store("x", as: "a", in: storage, life: .seconds(60))
        for _ in 0..<5 {
            date.advance(bySeconds: 50)
            #expect(await read("a", from: storage) == "x")
            await storage.flush()
        }
    }

    @Test func `setting the clock back neither removes entries nor shortens their lives`() async throws {
        let storage = try open()
        try await store("x", as: "a", in: storage, life: .days(7))
        for _ in 0..<5 {
            date.advance(bySeconds: -3 * 86_400)
            #expect(await read("a", from: storage) == "x")
            await storage.flush()
        }
        let entry = try #require(await storage.entry(for: CacheEntryKey(source: "a")))
        #expect(entry.accessed == entry.stored)
        // The life goes on when the clock is right again.
        date.advance(bySeconds: 20 * 86_400)
        #expect(await read("a", from: storage) == "x")
    }

    @Test func `an entry that is expired from the start is not stored`() async throws {
        let storage = try open()
        try await store("x", as: "a", in: storage, life: .expired)
        #expect(try await storage.statistics().entries == 0)
    }

    @Test func `removing returns the number of removed entries`() async throws {
        let storage = try open()
        try await store("x", as: "a", in: storage)
        let id = try #require(await storage.entry(for: CacheEntryKey(source: "a"))).id
        #expect(try await storage.remove(ids: [id, id, 999]).entries == 1)
        #expect(await read("a", from: storage) == nil)
        #expect(place.files().allSatisfy { !$0.contains("/blobs/") })
    }

    @Test func `removing everything leaves an empty usable cache`() async throws {
        let storage = try open()
        for number in 0..<20 { try await store("\(number)", as: "\(number)", in: storage) }
        try await storage.removeAll()
        #expect(try await storage.statistics().entries == 0)
        #expect(try await storage.statistics().bytes == 0)
        #expect(place.files().allSatisfy { !$0.contains("/blobs/") })
        try await store("x", as: "a", in: storage)
        #expect(await read("a", from: storage) == "x")
    }

    @Test func `statistics count hits, misses and bytes saved`() async throws {
        let storage = try open()
        try await store("four", as: "a", in: storage)
        _ = await read("a", from: storage)
        _ = await read("a", from: storage)
        _ = await read("b", from: storage)
        await storage.flush()
        let statistics = try await storage.statistics()
        #expect(statistics.life.hits == 2)
        #expect(statistics.life.misses == 1)
        #expect(statistics.life.bytesSaved == 8)
        #expect(statistics.limit == 5 << 30)
        #expect(await storage.entry(for: CacheEntryKey(source: "a"))?.hits == 2)
    }

    @Test func `a page of entries follows order and filter`() async throws {
        let storage = try open()
        for (key, text) in [("a", "333"), ("b", "1"), ("c", "22")] {
            try await store(text, as: key, in: storage)
            date.advance(bySeconds: 1)
        }
        let bySize = try await storage.entries(CacheEntryQuery(order: .size, limit: 2))
        #expect(bySize.entries.map(\.key.source) == ["a", "c"])
        #expect(bySize.count == 3)
        let byAge = try await storage.entries(CacheEntryQuery(order: .age, isAscending: true, offset: 1))
        #expect(byAge.entries.map(\.key.source) == ["b", "c"])
        let small = try await storage.entries(CacheEntryQuery(filter: try CacheFilter("size<3"), order: .size))
        #expect(small.entries.map(\.key.source) == ["c", "b"])
    }

    @Test func `each kind of filter selects matching entries only`() async throws {
        let storage = try open()
        let facts = CacheEntryFacts(format: .png, url: "https://Example.org/Harbour.png", host: "example.org")
        try await storage.store(
            Data("abc".utf8), for: CacheEntryKey(source: "a"), facts: facts, expiration: .seconds(50))
        date.advance(bySeconds: 100)
        for text in [
            "", "host:EXAMPLE.org", "type:PNG", "kind:original", "size>2", "size<4", "age>99s", "hits<1",
            "state:expired", "harbour", "host:example.org size>2",
        ] {
            #expect(try await storage.entries(CacheEntryQuery(filter: CacheFilter(text))).count == 1, "\(text)")
        }
        for text in [
            "host:other.org", "type:gif", "kind:encoded", "size>3", "size<3", "age>100s", "hits<0", "state:pinned",
            "100%", "harbour size>3", "'; DROP TABLE entry; --",
        ] {
            #expect(try await storage.entries(CacheEntryQuery(filter: CacheFilter(text))).count == 0, "\(text)")
        }
    }

    @Test(arguments: ["日本", "*日本.jpg", "/日*.jpg", "%E6%97%A5", "É"])
    func `a filter finds decoded text in escaped addresses`(text: String) async throws {
        let storage = try open()
        let facts = CacheEntryFacts(url: "https://example.org/%C3%89/%E6%97%A5%E6%9C%AC.jpg")
        try await storage.store(Data("abc".utf8), for: CacheEntryKey(source: "a"), facts: facts)
        #expect(try await storage.entries(CacheEntryQuery(filter: CacheFilter(text))).count == 1)
    }

    @Test func `concurrent stores of a few keys leave one valid entry for each`() async throws {
        let (first, second) = (try open(), try open())
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                let storage = number.isMultiple(of: 2) ? first : second
                group.addTask {
                    let key = CacheEntryKey(source: "\(number % 7)")
                    _ = try? await storage.store(
                        Data("content \(number % 11)".utf8), for: key, facts: CacheEntryFacts())
                    if let hit = await storage.data(for: key) { #expect(hit.data.starts(with: Data("content ".utf8))) }
                }
            }
        }
        let statistics = try await first.statistics()
        #expect(statistics.entries == 7)
        for key in 0..<7 { #expect(await read("\(key)", from: second)?.hasPrefix("content ") == true) }
        let onDisk = place.files().filter { $0.contains("/blobs/") }
        #expect(statistics.bytes == onDisk.reduce(0) { $0 + size(of: $1) })
    }

    @Test func `clearing during concurrent stores leaves no entry without content`() async throws {
        let storage = try open()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    if number.isMultiple(of: 10) { return (try? await storage.removeAll()) ?? () }
                    let key = CacheEntryKey(source: "\(number)")
                    do {
                        try await storage.store(
                            Data("content \(number % 5)".utf8), for: key, facts: CacheEntryFacts())
                    } catch {
                        Issue.record(error)
                    }
                }
            }
        }
        let entries = try await storage.entries(CacheEntryQuery()).entries
        for entry in entries { #expect(await read(entry.key.source, from: storage) != nil) }
    }

    private func removeEntry(_ key: String, from storage: DiskStorage) async throws {
        let id = try #require(await storage.entry(for: CacheEntryKey(source: key))).id
        try await storage.remove(ids: [id])
    }

    private func size(of file: String) -> Int {
        var status = stat()
        return lstat(place / file, &status) == 0 ? Int(status.st_size) : 0
    }
}
