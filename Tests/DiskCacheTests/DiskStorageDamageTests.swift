import AlcedoSQLite
import Foundation
import Glibc
import Raster
import TestSupport
import Testing

@testable import AlcedoDiskCache

/// What the disk tier does about contents and an index that are not as it left them.
@Suite(.timeLimit(.minutes(1))) struct DiskStorageDamageTests {
    private let place: TemporaryFolder
    private let key = CacheEntryKey(source: "a")
    private let data = Data("a picture's bytes".utf8)

    init() throws { place = try TemporaryFolder() }

    private var folder: CacheFolder { CacheFolder(path: place / "cache") }
    private var blob: String {
        BlobStore(folder: folder.blobs).path(of: ContentDigest(of: data).hexadecimal)
    }

    private func open() throws -> DiskStorage { try DiskStorage(folder: folder, configuration: .init()) }

    enum Damage: CaseIterable {
        case missing, truncated, empty, extended, flipped, folder, fullFolder, pipe, link, danglingLink, socket

        func apply(to path: String) throws {
            let data = FileManager.default.contents(atPath: path) ?? Data()
            try FileManager.default.removeItem(atPath: path)
            let file = URL(filePath: path)
            switch self {
            case .missing: break
            case .truncated: try data.dropLast().write(to: file)
            case .empty: try Data().write(to: file)
            case .extended: try (data + [0]).write(to: file)
            case .flipped: try Data([data[0] ^ 1] + data.dropFirst()).write(to: file)
            case .folder: mkdir(path, 0o700)
            case .fullFolder:
                mkdir(path, 0o700)
                try data.write(to: file.appending(path: "inner"))
            case .pipe: mkfifo(path, 0o600)
            case .link:
                try data.write(to: URL(filePath: path + "-target"))
                symlink(path + "-target", path)
            case .danglingLink: symlink("/nowhere", path)
            case .socket: mknod(path, S_IFSOCK | 0o600, 0)
            }
        }
    }

    @Test(arguments: Damage.allCases)
    func `damaged content is a miss, is counted, and its entry is removed`(damage: Damage) async throws {
        let first = try open()
        try await first.store(data, for: key, facts: CacheEntryFacts())
        try damage.apply(to: blob)
        let storage = try open()
        #expect(await storage.data(for: key) == nil)
        #expect(await storage.entry(for: key) == nil)
        await storage.flush()
        let statistics = try await storage.statistics()
        #expect(statistics.entries == 0)
        #expect(statistics.bytes == 0)
        #expect(statistics.life.misses == 1)
        #expect(statistics.life.damaged == (damage == .missing ? 0 : 1))
    }

    @Test(arguments: Damage.allCases)
    func `a damaged entry can be stored again`(damage: Damage) async throws {
        let storage = try open()
        try await storage.store(data, for: key, facts: CacheEntryFacts())
        try damage.apply(to: blob)
        _ = await storage.data(for: key)
        try await storage.store(data, for: key, facts: CacheEntryFacts())
        #expect(await storage.data(for: key)?.data == data)
    }

    @Test func `storing again repairs damaged content for both entries that share it`() async throws {
        let other = CacheEntryKey(source: "b")
        for key in [key, other] { try await open().store(data, for: key, facts: CacheEntryFacts()) }
        try Damage.flipped.apply(to: blob)
        let storage = try open()
        #expect(await storage.data(for: key) == nil)
        try await storage.store(data, for: key, facts: CacheEntryFacts())
        #expect(await storage.data(for: key)?.data == data)
        #expect(await storage.data(for: other)?.data == data)
    }

    @Test(arguments: [Damage.missing, .truncated, .folder, .pipe, .link])
    func `an entry without its content is not cached`(damage: Damage) async throws {
        let storage = try open()
        try await storage.store(data, for: key, facts: CacheEntryFacts())
        #expect(await storage.isCached(key))
        try damage.apply(to: blob)
        #expect(await !storage.isCached(key))
    }

    @Test func `content removed while the process runs is a miss`() async throws {
        let storage = try open()
        try await storage.store(data, for: key, facts: CacheEntryFacts())
        #expect(await storage.data(for: key) != nil)
        try FileManager.default.removeItem(atPath: folder.blobs)
        #expect(await storage.data(for: key) == nil)
        try await storage.store(data, for: key, facts: CacheEntryFacts())
        #expect(await storage.data(for: key)?.data == data)
    }

    @Test(arguments: [
        Data("not a database at all, but text that is long enough".utf8), Data(repeating: 0xFF, count: 9_000),
    ])
    func `a corrupt index is set aside and recreated`(garbage: Data) async throws {
        try await open().store(data, for: key, facts: CacheEntryFacts())
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: folder.index + suffix) }
        // As another file: the first storage may yet write its log into the one that it has open.
        try garbage.write(to: URL(filePath: folder.index), options: .atomic)
        let storage = try open()
        #expect(await storage.data(for: key) == nil)
        try await storage.store(data, for: key, facts: CacheEntryFacts())
        #expect(await storage.data(for: key)?.data == data)
        #expect(FileManager.default.contents(atPath: folder.index + ".damaged") == garbage)
    }

    @Test(arguments: [Damage.folder, .fullFolder, .pipe, .link, .danglingLink])
    func `anything other than a file in place of the index is set aside`(damage: Damage) async throws {
        try folder.prepare(allowNetworkFileSystem: true)
        try Data().write(to: URL(filePath: folder.index))
        try damage.apply(to: folder.index)
        let storage = try open()
        try await storage.store(data, for: key, facts: CacheEntryFacts())
        #expect(await storage.data(for: key)?.data == data)
    }

    @Test(arguments: [
        "length = 'long'", "stored = 'now'", "content = x'00ff'", "content = 99", "length = -1",
        "hits = 'many'", "width = 'wide'", "expires = 'soon'", "source = 7",
    ])
    func `an invalid entry row is a miss and does not crash`(change: String) async throws {
        try await open().store(data, for: key, facts: CacheEntryFacts())
        try Database.patient(at: folder.index).execute("UPDATE entry SET \(change)")
        let storage = try open()
        #expect(await storage.data(for: key) == nil)
        try await storage.store(data, for: key, facts: CacheEntryFacts())
        #expect(await storage.data(for: key)?.data == data)
    }

    @Test(arguments: ["name = x'00ff'", "name = '../../../../etc/passwd'"])
    func `an invalid content row is a miss and does not crash`(change: String) async throws {
        try await open().store(data, for: key, facts: CacheEntryFacts())
        try Database.patient(at: folder.index).execute("UPDATE content SET \(change)")
        let storage = try open()
        #expect(await storage.data(for: key) == nil)
        try await storage.store(data + data, for: key, facts: CacheEntryFacts())
        #expect(await storage.data(for: key)?.data == data + data)
    }

    @Test func `unreferenced content is swept after an hour`() async throws {
        try await open().store(data, for: key, facts: CacheEntryFacts(url: "first"))
        try await open().store(Data("kept".utf8), for: CacheEntryKey(source: "b"), facts: CacheEntryFacts())
        try Database.patient(at: folder.index).execute("DELETE FROM entry WHERE url = 'first'")
        let soon = try open()
        await soon.sweep()
        #expect(FileManager.default.fileExists(atPath: blob))
        let later = try DiskStorage(folder: folder, now: { Date() + 3700 })
        await later.sweep()
        #expect(!FileManager.default.fileExists(atPath: blob))
        #expect(await later.data(for: CacheEntryKey(source: "b")) != nil)
    }
}
