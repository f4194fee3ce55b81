import Foundation
import TestSupport
import Testing

@testable import DiskCache
@testable import HTTPDownload
@testable import ImageCodecs
@testable import ImageLoading

/// Forced extensions, durable stores, and what the disk tier tells of entries that leave it.
@Suite(.timeLimit(.minutes(1))) struct DiskStorageOptionsTests {
    private let place: TemporaryFolder
    private let date = ManualDate()
    private let key = CacheEntryKey(source: "a")
    private let data = Data("a picture's bytes".utf8)

    init() throws { place = try TemporaryFolder() }

    private func open(_ configuration: DiskStorage.Configuration = .init()) throws -> DiskStorage {
        try DiskStorage(
            folder: CacheFolder(path: place / "cache"), configuration: configuration, now: { [date] in date.now })
    }

    private func contents() -> [String] { place.files().filter { $0.contains("/blobs/") }.sorted() }

    @Test func `a forced extension ends the content's name and is not needed to find it`() async throws {
        let storage = try open()
        try await storage.store(data, for: key, facts: CacheEntryFacts(), forcedExtension: "tar.gz")
        #expect(contents().count == 1)
        #expect(contents().allSatisfy { $0.hasSuffix(".tar.gz") })
        let hit = try #require(try await open().data(for: key))
        #expect(hit.data == data)
        #expect(hit.entry.digest == ContentDigest(of: data).hexadecimal)
        #expect(try Data(contentsOf: URL(filePath: await storage.path(of: hit.entry))) == data)
    }

    @Test func `equal content is shared among equal extensions only`() async throws {
        let storage = try open()
        for (source, ending) in [("a", nil), ("b", "jpg"), ("c", "jpg"), ("d", "png")] as [(String, String?)] {
            try await storage.store(
                data, for: CacheEntryKey(source: source), facts: CacheEntryFacts(), forcedExtension: ending)
        }
        #expect(contents().count == 3)
        #expect(try await storage.totalBytes() == 3 * data.count)
        try await storage.remove(source: "b")
        #expect(contents().count == 3)
        try await storage.remove(source: "c")
        #expect(contents().count == 2)
        #expect(await storage.data(for: key)?.data == data)
    }

    @Test func `storing again with another extension leaves one file`() async throws {
        let storage = try open()
        try await storage.store(data, for: key, facts: CacheEntryFacts(), forcedExtension: "jpg")
        try await storage.store(data, for: key, facts: CacheEntryFacts(), forcedExtension: "png")
        #expect(contents().count == 1)
        #expect(contents().allSatisfy { $0.hasSuffix(".png") })
    }

    @Test(arguments: ["", "a/b", "a\u{0}b", "../../x", String(repeating: "x", count: 33)])
    func `an extension that no file can have is refused`(ending: String) async throws {
        let storage = try open()
        await #expect(throws: DiskCacheError.self) {
            try await storage.store(data, for: key, facts: CacheEntryFacts(), forcedExtension: ending)
        }
        #expect(contents().isEmpty)
    }

    @Test func `orphans with an extension are swept too`() async throws {
        let storage = try open()
        try await storage.store(data, for: key, facts: CacheEntryFacts(), forcedExtension: "jpg")
        let entry = try #require(await storage.entry(for: key))
        let path = storage.path(of: entry)
        try await storage.removeAll()
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try data.write(to: URL(filePath: path))
        await (try DiskStorage(folder: storage.folder, now: { Date() + 3700 })).sweep()
        #expect(contents().isEmpty)
    }

    @Test func `a durable store synchronises content and folders`() async throws {
        let folder = CacheFolder(path: place / "cache")
        let synchronized = Recorder<String>()
        var blobs = BlobStore(folder: folder.blobs)
        blobs.synchronize = { descriptor in
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
            synchronized.add(path ?? "")
            return 0
        }
        let storage = try DiskStorage(
            folder: folder, configuration: .init(), now: { Date() }, freeSpace: { _ in nil }, blobs: blobs)
        try await storage.store(data, for: key, facts: CacheEntryFacts())
        #expect(synchronized.all.isEmpty)
        try await storage.store(data + data, for: key, facts: CacheEntryFacts(), writeOptions: .durable)
        #expect(synchronized.all.count == 3)
        #expect(await storage.data(for: key)?.data == data + data)
    }

    /// What a storage tells while something is done; ended by a mark.
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

    @Test func `each removal is reported with its reason`() async throws {
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

    @Test func `the size limit tells what went for it`() async throws {
        let storage = try open(.init(sizeLimit: 5 * 4096))
        let heard = try await heard(storage) {
            try await store(1, in: storage)
            try await store(2, in: storage, life: .seconds(1))
            for number in 3..<7 { try await store(number, in: storage) }
        }
        #expect(heard.map(\.key) == ["2", "1"])
        #expect(heard.map(\.reason) == [.expired, .sizeLimit])
    }

    @Test func `a sweep tells what nobody used`() async throws {
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

    @Test func `full file systems tell what went for room`() async throws {
        let place = place
        let storage = try DiskStorage(
            folder: CacheFolder(path: place / "cache"), configuration: .init(minimumFreeSpace: 1_000),
            now: { [date] in date.now },
            freeSpace: { _ in 3_000 - 1_000 * place.files().count { $0.contains("/blobs/") } })
        let heard = try await heard(storage) { for number in 0..<3 { try await store(number, in: storage) } }
        #expect(heard == [CacheEviction(tier: .disk, key: "0", reason: .freeSpace)])
    }
}
