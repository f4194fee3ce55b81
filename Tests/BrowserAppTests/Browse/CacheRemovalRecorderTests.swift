import Foundation
import ImageLoading
import TestSupport
import Testing

@testable import BrowserApp

@Suite("What leaves the cache while its screen is open", .timeLimit(.minutes(1)))
struct CacheRemovalRecorderTests {
    private let place: TemporaryFolder
    private let cache: ImageCache
    private let disk: DiskStorage

    init() throws {
        place = try TemporaryFolder()
        disk = try DiskStorage(folder: CacheFolder(path: place / "cache"))
        cache = ImageCache(disk: disk)
    }

    private func store(_ source: String, processor: String = "") async throws {
        let key = CacheEntryKey(source: source, processor: processor, kind: processor.isEmpty ? .original : .processed)
        try await disk.store(Data(source.utf8), for: key, facts: CacheEntryFacts(url: source))
    }

    @Test
    func `originals that were removed are named, all of them and no others`() async throws {
        for name in ["a", "b", "c"] { try await store("https://example.org/\(name).png") }
        try await store("https://example.org/c.png", processor: "blur")
        let recorder = CacheRemovalRecorder(from: cache)
        _ = try await disk.remove(source: "https://example.org/a.png")
        _ = try await disk.remove(source: "https://example.org/c.png", processor: "blur")
        // What is stored anew has not left.
        try await store("https://example.org/b.png")
        let gone = await recorder.finish()
        #expect(gone == CacheRemovalRecorder.Keys(keys: ["https://example.org/a.png"]))
    }

    @Test
    func `an original is found by its address with secret values`() async throws {
        let address = "https://example.org/a.png?token=abc"
        try await store(address)
        let recorder = CacheRemovalRecorder(from: cache)
        _ = try await disk.remove(source: address)
        let gone = await recorder.finish()
        #expect(gone.contains(address))
    }

    @Test
    func `a cleared cache has lost everything`() async throws {
        try await store("https://example.org/a.png")
        let recorder = CacheRemovalRecorder(from: cache)
        try await disk.removeAll()
        let gone = await recorder.finish()
        #expect(gone.contains("https://example.org/whatever.png"))
    }
}
