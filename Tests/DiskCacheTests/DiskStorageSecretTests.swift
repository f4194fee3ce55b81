import AlcedoSupport
import Foundation
import TestSupport
import Testing

@testable import AlcedoDiskCache

/// Secrets of addresses tell entries apart and are written down nowhere.
@Suite(.timeLimit(.minutes(1))) struct DiskStorageSecretTests {
    private let place: TemporaryFolder
    private let storage: DiskStorage

    init() throws {
        place = try TemporaryFolder()
        storage = try DiskStorage(folder: CacheFolder(path: place / "cache"))
    }

    private func store(_ address: String) async throws {
        try await storage.store(
            Data(address.utf8), for: CacheEntryKey(source: address), facts: CacheEntryFacts(url: address))
    }

    @Test func `addresses that differ in a secret are two entries`() async throws {
        let addresses = ["hush", "mum"].map { "https://user:\($0)@host/a.png?token=\($0)&w=3#key=\($0)" }
        for address in addresses { try await store(address) }
        for address in addresses {
            #expect(await storage.data(for: CacheEntryKey(source: address))?.data == Data(address.utf8))
        }
        let shown = try await storage.entries(CacheEntryQuery()).entries
        #expect(Set(shown.map(\.facts.url)) == ["https://host/a.png?token=…&w=3#key=…"])
        #expect(Set(shown.map(\.key.source)) == ["https://host/a.png?token=…&w=3#key=…"])
    }

    @Test func `no index file contains a secret`() async throws {
        let secret = "sup3rs3cr3t"
        let address = "https://me:\(secret)@host/a.png?api_key=\(secret)"
        try await storage.store(Data([1]), for: CacheEntryKey(source: address), facts: CacheEntryFacts(url: address))
        await storage.flush()
        for file in place.files() where file.contains("index.sqlite") {
            let bytes = try Data(contentsOf: URL(filePath: place / file))
            #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(file)")
        }
    }

    @Test(arguments: [
        ("https://a/x?token=abc&w=10", "https://a/x?token=…&w=10"),
        ("https://a/fit/https%3A%2F%2Fu%3Ap%40h%2Fy", "https://a/fit/https%3A%2F%2Fh%2Fy"),
        ("http://u:p@a.example:81/x", "http://a.example:81/x"),
        ("https://a/p@th?x=1", "https://a/p@th?x=1"),
        ("https://a/#access_token=1&n=2", "https://a/#access_token=…&n=2"),
        ("my own key?token=1", "my own key?token=1"), ("file:///a?sig=1", "file:///a?sig=…"), ("", ""),
        ("https://p@ss@a?key=1", "https://a?key=…"),
    ])
    func `an address is shown without its secrets`(address: String, shown: String) {
        #expect(Redaction.shown(address) == shown)
    }

    @Test func `an entry is found by its address, its redacted address and its name`() async throws {
        let address = "https://host/a.png?token=hush"
        try await store(address)
        try await storage.store(
            Data([2]), for: CacheEntryKey(source: address, processor: "bw", kind: .processed),
            facts: CacheEntryFacts(url: address))
        try await store("https://host/b.png")
        let entries = try await storage.find(address)
        #expect(entries.map(\.key.processor) == ["", "bw"])
        #expect(try await storage.find("https://host/a.png?token=…") == entries)
        #expect(try await storage.find(entries[0].name) == entries)
        for count in [4, 7, 8] {
            #expect(try await storage.find(String(entries[0].name.prefix(count))) == entries)
        }
        #expect(try await storage.find(entries[1].name) == [entries[1]])
        for text in ["https://host/a.png", "https://host/a.png?token=other", "abc", "zzzzzzzz", "00000000"] {
            #expect(try await storage.find(text).isEmpty, "\(text)")
        }
        #expect(try await storage.variants(of: entries[0]) == [entries[1]])
    }
}
