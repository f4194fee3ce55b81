import Foundation
import ImageLoading
import ProgramTestSupport
import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools

@Suite(.timeLimit(.minutes(1))) struct DiskStorageInspectionTests {
    private let place: TemporaryFolder

    init() throws { place = try TemporaryFolder() }

    private func disk(_ sizes: [Int]) async throws -> DiskStorage {
        try await Fixtures.disk(in: place, sizes: sizes)
    }

    @Test func `entries are listed in the requested order up to the limit`() async throws {
        let disk = try await disk([30, 10, 20])
        var sizes: [Int] = []
        try await disk.forEachEntry(filter: CacheFilter(), order: .size, isAscending: true, top: 2) {
            sizes.append($0.bytes)
        }
        #expect(sizes == [10, 20])
    }

    @Test func `a list of several pages is read to its end`() async throws {
        let disk = try await disk(Array(1...501))
        var count = 0
        try await disk.forEachEntry(filter: CacheFilter(), order: .size, top: nil) { _ in count += 1 }
        #expect(count == 501)
    }

    @Test(.timeLimit(.minutes(1))) func `listing a damaged index recreates it and lists the empty one`() async throws {
        // Given an index of which the page is lost that holds the entry used last
        _ = try await Fixtures.disk(in: place, sizes: Array(1...300))
        let path = place / "cache/v3/index.sqlite"
        var (bytes, text): (Data, Range<Int>?)
        // It closes on a thread of its own, and writes its log into the file then.
        repeat {
            await Task.yield()
            bytes = try Data(contentsOf: URL(filePath: path))
            text = bytes.range(of: Data("https://host/300.png".utf8))
        } while text == nil || FileManager.default.fileExists(atPath: path + "-wal")
        let page = try #require(text).lowerBound / 4096 * 4096
        bytes.replaceSubrange(page..<page + 4096, with: Data(repeating: 0xAB, count: 4096))
        try bytes.write(to: URL(filePath: path))
        // When the entries are listed
        let disk = try DiskStorage(folder: CacheFolder(path: place / "cache"))
        var sizes: [Int] = []
        try await disk.forEachEntry(filter: CacheFilter(), order: .access, top: nil) { sizes.append($0.bytes) }
        // Then the list is that of the new index, which is empty
        #expect(sizes.isEmpty && disk.wasReset)
    }

    @Test func `reads and removals during a listing do not change its order`() async throws {
        let disk = try await Fixtures.disk(in: place, sizes: Array(1...700))
        let ids = try await disk.ids(CacheEntryQuery(order: .access, limit: .max))
        // When others use entries and remove one before the list is read to its end
        for size in 600...700 { _ = await disk.data(for: CacheEntryKey(source: "\(size)")) }
        try await disk.remove(source: "650")
        await disk.flush()
        #expect(try await disk.entries(ids: ids).map(\.length) == (1...700).reversed().filter { $0 != 650 })
    }

    @Test func `secrets of an address are not shown`() async throws {
        let disk = try await disk([10])
        var lines: [String] = []
        try await disk.forEachEntry(filter: CacheFilter(), order: .size, top: nil) { lines.append($0.line) }
        #expect(lines.count == 1 && lines[0].contains("https://host/10.png"))
        #expect(!lines[0].contains("hush"))
    }

    @Test func `a name prefix that matches several entries is refused`() async throws {
        // Given so many variants that two begin with the same digit
        _ = try await Fixtures.disk(in: place, sizes: [10])
        let disk = try DiskStorage(folder: CacheFolder(path: place / "cache"))
        for number in 0..<17 {
            let key = CacheEntryKey(source: "a", processor: "p\(number)", kind: .processed)
            try await disk.store(Data([UInt8(number)]), for: key, facts: CacheEntryFacts())
        }
        let names = try await disk.find("a").map(\.name)
        let begun = Dictionary(grouping: names) { $0.prefix(14) }
        let several = try #require(begun.first { $0.value.count > 1 })
        let problem = await #expect(throws: ProgramProblem.self) {
            try await disk.details(of: String(several.key))
        }
        #expect(
            problem?.description.contains("matches several entries; choose one: \(several.value.sorted()[0])") == true)
        #expect(try await disk.details(of: names[0]).entry.key == names[0])
    }

    @Test func `removing by a filter removes and counts the matching entries`() async throws {
        // Given three entries, two of them larger than 15 bytes
        let disk = try await disk([10, 20, 30])
        // When those are selected and removed
        let filter = try CacheFilter("size>15")
        let amount = try await disk.amount(filter)
        let removed = try await disk.remove(filter)
        // Then that is what was said, and one is left
        #expect(amount == removed && amount == CacheAmount(entries: 2, bytes: 50))
        #expect(amount.summary == "2 entries, 50 B")
        #expect(try await disk.statistics().entries == 1)
    }
}
