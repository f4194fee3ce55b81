import AlcedoBrowserCore
import AlcedoCacheScreen
import Foundation
import ImageLoading
import Raster
import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools
@testable import BrowserApp

@Suite(.timeLimit(.minutes(1))) struct CacheEntryConversionsTests {
    private let place: TemporaryFolder

    init() throws { place = try TemporaryFolder() }

    /// An entry as the index answers it.
    private func entry(
        url: String = "https://host/a.png", host: String = "host", expiration: StorageExpiration = .seconds(100)
    ) async throws -> CacheEntry {
        let disk = try DiskStorage(folder: CacheFolder(path: place / "cache"))
        let key = CacheEntryKey(source: url)
        let facts = CacheEntryFacts(format: .png, size: PixelSize(width: 3, height: 2), url: url, host: host)
        try await disk.store(Data([1, 2, 3]), for: key, facts: facts, expiration: expiration)
        return try #require(await disk.entry(for: key))
    }

    @Test func `a row shows all facts of the index`() async throws {
        // Given an entry that is 40 s old and lives for 100 s
        let entry = try await entry()
        // When it becomes a row
        let row = CacheRow(entry, now: entry.stored + 40)
        // Then every fact is in it
        #expect(row.id == "\(entry.id)" && row.name == "a.png" && row.host == "host" && row.kind == "original")
        #expect(row.bytes == 3 && row.size == PixelSize(width: 3, height: 2) && row.hits == 0)
        #expect(row.state == .live && row.secondsSinceUse == 40 && row.secondsToExpiry == 60)
    }

    @Test(
        arguments: [
            ("http://host:8001/a.png?w=540", "host:8001"), ("http://host:80/a.png", "host"),
            ("https://host:443/a.png", "host"), ("http://host:443/a.png", "host:443"),
        ])
    func `a row has its address, and the port unless it is the one of the scheme`(url: String, host: String)
        async throws
    {
        let entry = try await entry(url: url)
        let row = CacheRow(entry, now: entry.stored)
        #expect(row.host == host && row.address == url && row.name == "a.png")
    }

    @Test func `a row past its expiry time is expired`() async throws {
        let entry = try await entry()
        let row = CacheRow(entry, now: entry.stored + 140)
        #expect(row.state == .expired && row.secondsToExpiry == -40)
    }

    @Test func `an entry that never expires has no expiry time`() async throws {
        let entry = try await entry(expiration: .never)
        let row = CacheRow(entry, now: entry.stored + 1e9)
        #expect(row.state == .live && row.secondsToExpiry == nil)
    }

    @Test func `an address without a file name is shown without its secrets`() async throws {
        let entry = try await entry(url: "https://host?token=hush")
        let row = CacheRow(entry, now: entry.stored)
        #expect(row.name == "https://host?token=…")
    }

    @Test func `a row contains no control characters`() async throws {
        let entry = try await entry(url: "https://host/a%1B%5B2J.png", host: "host\u{1B}[2J\u{202E}")
        let row = CacheRow(entry, now: entry.stored)
        for text in [row.name, row.host] {
            #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{202E}" })
        }
    }
}
