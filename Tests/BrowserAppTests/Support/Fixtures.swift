import AlcedoLists
import Foundation
import ImageLoading
import Raster
import TestSupport

@testable import BrowserApp

/// What the tests of the programs work on.
enum Fixtures {
    /// A white picture as a PNG file's bytes.
    static func png(width: Int = 4, height: Int = 4) throws -> [UInt8] {
        Array(try PixelBuffer(size: PixelSize(width: width, height: height), filledWith: .white).pngData())
    }

    /// Settings that keep the cache in a test's own folder and try everything once.
    static func library(in place: TemporaryFolder) -> LibrarySettings {
        var settings = LibrarySettings()
        settings.environment = ["ALCEDO_CACHE_DIR": place / "cache"]
        settings[.retries] = 0
        return settings
    }

    /// A disk cache with entries of so many bytes, each named after its size, with a secret in its address.
    static func disk(in place: TemporaryFolder, sizes: [Int]) async throws -> DiskStorage {
        let disk = try DiskStorage(folder: CacheFolder(path: place / "cache"))
        for size in sizes {
            let facts = CacheEntryFacts(
                format: .png, size: PixelSize(width: 3, height: 2),
                url: "https://host/\(size).png?token=hush", host: "host")
            try await disk.store(
                Data(repeating: UInt8(size % 251), count: size), for: CacheEntryKey(source: "\(size)"), facts: facts)
        }
        return disk
    }

    /// Of a run that has gone on for so long.
    static func tally(after milliseconds: Int) -> PrefetchTally {
        var tally = PrefetchTally()
        tally.milliseconds = milliseconds
        return tally
    }

    /// An item as a list names it, with a secret in its address.
    static func item(_ id: Int = 0, line: Int = 7, attempts: Int = 1) -> ItemRecord {
        let entry = ListEntry(line: line, location: "https://host/\(id).png?token=hush")
        var item = ItemRecord(id: id, entry: entry, list: "list.txt")
        item.attempts = attempts
        return item
    }
}

extension ItemOutcome {
    static let fetched = ItemOutcome.finished(DataResult(cacheType: .none, byteCount: 100, metrics: nil))
    static let hit = ItemOutcome.finished(DataResult(cacheType: .disk, byteCount: 30, metrics: nil))
    static let lost = ItemOutcome.failed(.response(.invalidHTTPStatusCode(404, retryAfter: nil)))
}
