import Foundation
import GRDB
import Glibc
import TestSupport
import Testing

@testable import ImageLoading

/// Small contents, which share files.
@Suite(.timeLimit(.minutes(1))) struct DiskStoragePackTests {
    private let place: TemporaryFolder
    private let key = CacheEntryKey(source: "a")
    private let data = Data("a picture's bytes".utf8)

    init() throws { place = try TemporaryFolder() }

    private var folder: CacheFolder { CacheFolder(path: place / "cache") }

    private func open(_ limit: Int = 5 << 30) throws -> DiskStorage {
        try DiskStorage(folder: folder, configuration: .init(sizeLimit: limit))
    }

    private func files(_ part: String) -> [String] { place.files().filter { $0.contains("/\(part)/") } }

    private func store(_ number: Int, bytes: Int = 5_000, in storage: DiskStorage) async throws {
        let data = Data("\(number)".utf8) + Data(repeating: UInt8(truncatingIfNeeded: number), count: bytes)
        try await storage.store(data, for: CacheEntryKey(source: "\(number)"), facts: CacheEntryFacts())
    }

    /// The blocks that the packs take, in bytes.
    private func bytesTaken() -> Int {
        files("packs").reduce(0) { $0 + FreeSpace.bytesTaken(by: place / $1) }
    }

    @Test(arguments: [(0, 1), (1, 0), (32 << 10, 0), (32 << 10 | 1, 1)])
    func onlyWhatIsSmallSharesFiles(bytes: Int, files count: Int) async throws {
        let storage = try open()
        let data = Data(repeating: 7, count: bytes)
        try await storage.store(data, for: key, facts: CacheEntryFacts())
        #expect(files("blobs").count == count)
        #expect(await storage.data(for: key)?.data == data)
        #expect(try await open().data(for: key)?.data == data)
    }

    @Test func manyShareOneFileAndEachIsItself() async throws {
        let storage = try open()
        for number in 0..<50 { try await store(number, bytes: number * 600, in: storage) }
        #expect(files("packs").count == 1 && files("blobs").isEmpty)
        for number in 0..<50 {
            let hit = await storage.data(for: CacheEntryKey(source: "\(number)"))
            #expect(hit?.data.prefix(2).first == UInt8(ascii: "0") + UInt8(number < 10 ? number : number / 10))
            #expect(hit?.data.count == "\(number)".utf8.count + number * 600)
        }
    }

    @Test func whatIsRemovedGivesItsBlocksBack() async throws {
        let storage = try open()
        for number in 0..<20 { try await store(number, in: storage) }
        let full = bytesTaken()
        for number in 0..<19 { try await storage.remove(source: "\(number)") }
        #expect(full >= 20 * 8192)
        #expect(bytesTaken() <= full - 19 * 8192)
        #expect(await storage.data(for: CacheEntryKey(source: "19")) != nil)
        try await storage.remove(source: "19")
        #expect(files("packs").isEmpty)
    }

    @Test func neighboursAreGivenBackAtOnce() {
        let slots = [(8192, 1), (0, 4096), (20480, 5000), (4096, 100)].map { offset, length in
            PackSlot(pack: 1, offset: offset, length: length)
        }
        #expect(PackStore.places(of: slots) == [0..<12288, 20480..<28672])
        #expect(PackStore.places(of: []).isEmpty)
    }

    @Test func aPlaceThatWasGivenBackIsNeverReadAsSomethingElse() async throws {
        let (storage, other) = (try open(), try open())
        try await store(1, in: storage)
        try await store(2, in: storage)
        // Both processes know the contents by their digests.
        for number in 1...2 { #expect(await other.data(for: CacheEntryKey(source: "\(number)")) != nil) }
        let stale = try #require(await other.entry(for: CacheEntryKey(source: "1")))
        try await storage.remove(source: "1")
        try await store(3, in: storage)
        #expect(await other.contents(of: stale) == nil)
    }

    @Test(arguments: [100, 64 << 10])
    func aRemovalThatIsUndoneHasTakenNoBytes(bytes: Int) async throws {
        let storage = try open()
        let keys = ["", "gray"].map { CacheEntryKey(source: "a", processor: $0) }
        for (number, key) in keys.enumerated() {
            let data = Data(repeating: UInt8(number), count: bytes)
            try await storage.store(data, for: key, facts: CacheEntryFacts())
        }
        let index = try DatabaseQueue.patient(at: folder.index)
        try await index.write { database in
            try database.execute(
                sql: """
                    CREATE TRIGGER refusal AFTER DELETE ON content WHEN OLD.number = 2
                    BEGIN SELECT RAISE(ABORT, 'refused'); END
                    """)
        }
        await #expect(throws: (any Error).self) { try await storage.remove(source: "a") }
        try await index.write { try $0.execute(sql: "DROP TRIGGER refusal") }
        // What the failed one meant to take must not go with the next one either.
        try await store(1, in: storage)
        try await storage.remove(source: "1")
        for (number, key) in keys.enumerated() {
            #expect(await storage.data(for: key)?.data == Data(repeating: UInt8(number), count: bytes))
        }
        #expect(try await storage.verify().isSound)
    }

    @Test func equalContentLiesThereOnce() async throws {
        let storage = try open()
        for source in ["a", "b"] {
            try await storage.store(data, for: CacheEntryKey(source: source), facts: CacheEntryFacts())
        }
        #expect(try await storage.totalBytes() == data.count)
        try await storage.remove(source: "a")
        #expect(await storage.data(for: CacheEntryKey(source: "b"))?.data == data)
    }

    @Test func theSizeLimitHoldsForThemToo() async throws {
        let storage = try open(100_000)
        for number in 0..<100 { try await store(number, in: storage) }
        #expect(try await storage.totalBytes() <= 100_000)
        #expect(bytesTaken() <= 100_000 / 5_000 * 8192)
        #expect(await storage.data(for: CacheEntryKey(source: "99")) != nil)
    }

    enum Damage: CaseIterable {
        case missing, truncated, zeroed, flipped, folder, pipe, link

        func apply(to path: String) throws {
            let data = FileManager.default.contents(atPath: path) ?? Data()
            let file = URL(filePath: path)
            try FileManager.default.removeItem(at: file)
            switch self {
            case .missing: break
            case .truncated: try Data().write(to: file)
            case .zeroed: try Data(count: data.count).write(to: file)
            case .flipped: try Data([data[0] ^ 1] + data.dropFirst()).write(to: file)
            case .folder: mkdir(path, 0o700)
            case .pipe: mkfifo(path, 0o600)
            case .link: symlink("/etc/passwd", path)
            }
        }
    }

    @Test(arguments: Damage.allCases)
    func damageIsAMissAndWhatWasDamagedCanBeStoredAgain(damage: Damage) async throws {
        let storage = try open()
        try await storage.store(data, for: key, facts: CacheEntryFacts())
        #expect(await storage.data(for: key) != nil)
        try damage.apply(to: place / (try #require(files("packs").first)))
        #expect(await storage.data(for: key) == nil)
        #expect(await storage.entry(for: key) == nil)
        try await storage.store(data, for: key, facts: CacheEntryFacts())
        #expect(await storage.data(for: key)?.data == data)
        await storage.flush()
        #expect(try await storage.statistics().damaged == (damage == .missing ? 0 : 1))
    }

    @Test(arguments: Damage.allCases)
    func aStoreNeverTrustsAPackThatIsGone(damage: Damage) async throws {
        let storage = try open()
        try await storage.store(data, for: key, facts: CacheEntryFacts())
        let other = CacheEntryKey(source: "b")
        try damage.apply(to: place / (try #require(files("packs").first)))
        try await storage.store(data + data, for: other, facts: CacheEntryFacts())
        #expect(await storage.data(for: other)?.data == data + data)
        #expect(await storage.data(for: key) == nil)
    }

    @Test func damageToAContentThatTwoEntriesShareIsMendedByTheNextStore() async throws {
        let storage = try open()
        let other = CacheEntryKey(source: "b")
        for key in [key, other] { try await storage.store(data, for: key, facts: CacheEntryFacts()) }
        try Damage.zeroed.apply(to: place / (try #require(files("packs").first)))
        #expect(await storage.data(for: key) == nil)
        try await storage.store(data, for: key, facts: CacheEntryFacts())
        #expect(await storage.data(for: key)?.data == data)
        #expect(await storage.data(for: other)?.data == data)
    }

    @Test func whoAsksForAFileGetsOne() async throws {
        let storage = try open()
        try await storage.store(data, for: key, facts: CacheEntryFacts())
        let entry = try #require(await storage.entry(for: key))
        let path = try #require(await storage.path(of: entry))
        #expect(try Data(contentsOf: URL(filePath: path)) == data)
        #expect(files("packs").isEmpty)
        #expect(await storage.data(for: key)?.data == data)
        // One that knows the old place still finds the bytes.
        #expect(await storage.contents(of: entry) == data)
        try await storage.remove(source: "a")
        #expect(files("blobs").isEmpty)
    }

    @Test func durableContentsAndThoseWithAnExtensionAreFiles() async throws {
        let storage = try open()
        try await storage.store(data, for: key, facts: CacheEntryFacts(), writeOptions: .durable)
        try await storage.store(
            data, for: CacheEntryKey(source: "b"), facts: CacheEntryFacts(), forcedExtension: "jpg")
        #expect(files("blobs").count == 2 && files("packs").isEmpty)
    }

    @Test func packsThatNoIndexKnowsGoWhenTheyAreAnHourOld() async throws {
        let storage = try open()
        try await storage.store(data, for: key, facts: CacheEntryFacts())
        try Data("left over".utf8).write(to: URL(filePath: folder.packs + "/1234abcd"))
        await storage.sweep()
        #expect(files("packs").count == 2)
        await (try DiskStorage(folder: folder, now: { Date() + 3700 })).sweep()
        #expect(files("packs").count == 1)
        #expect(await storage.data(for: key)?.data == data)
    }

    @Test func aFullPackIsFollowedByAnother() async throws {
        let storage = try open()
        try await storage.store(data, for: key, facts: CacheEntryFacts())
        try await DatabaseQueue.patient(at: folder.index).write {
            try $0.execute(sql: "UPDATE pack SET size = \(PackStore.limit)")
        }
        try await store(1, in: storage)
        #expect(files("packs").count == 2)
        #expect(await storage.data(for: key)?.data == data)
    }

    @Test func whatDuTellsIsWhatTheStatisticsTell() async throws {
        let storage = try open()
        for number in 0..<200 { try await store(number, bytes: number * 400, in: storage) }
        for number in stride(from: 0, to: 200, by: 3) { try await storage.remove(source: "\(number)") }
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        let counted = (names + [""]).reduce(0) { $0 + FreeSpace.bytesTaken(by: "\(folder.path)/\($1)") }
        let told = try await storage.statistics().diskBytes
        // What the file system needs to find the blocks of a file with holes.
        #expect((0...4_096).contains(counted - told), "\(counted) counted, \(told) told")
    }
}
