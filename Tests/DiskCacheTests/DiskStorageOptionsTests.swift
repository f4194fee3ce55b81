import Foundation
import TestSupport
import Testing

@testable import AlcedoDiskCache

/// Forced extensions and durable stores.
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

    @Test func `a forced extension is part of the file name and not needed for the look-up`() async throws {
        let storage = try open()
        try await storage.store(data, for: key, facts: CacheEntryFacts(), forcedExtension: "tar.gz")
        #expect(contents().count == 1)
        #expect(contents().allSatisfy { $0.hasSuffix(".tar.gz") })
        let hit = try #require(try await open().data(for: key))
        #expect(hit.data == data)
        #expect(hit.entry.digest == ContentDigest(of: data).hexadecimal)
        #expect(try Data(contentsOf: URL(filePath: await storage.path(of: hit.entry))) == data)
    }

    @Test func `equal content is shared only among equal extensions`() async throws {
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

    @Test func `storing again with another extension leaves only the new file`() async throws {
        let storage = try open()
        try await storage.store(data, for: key, facts: CacheEntryFacts(), forcedExtension: "jpg")
        try await storage.store(data, for: key, facts: CacheEntryFacts(), forcedExtension: "png")
        #expect(contents().count == 1)
        #expect(contents().allSatisfy { $0.hasSuffix(".png") })
    }

    @Test(arguments: ["", "a/b", "a\u{0}b", "../../x", String(repeating: "x", count: 33)])
    func `an invalid extension is refused`(ending: String) async throws {
        let storage = try open()
        await #expect(throws: DiskCacheError.self) {
            try await storage.store(data, for: key, facts: CacheEntryFacts(), forcedExtension: ending)
        }
        #expect(contents().isEmpty)
    }

    @Test func `unreferenced files with an extension are swept too`() async throws {
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
}
