import AlcedoConfig
import Foundation
import ImageLoading
import Raster
import TestSupport

/// What the tests of the programs work on.
package enum Fixtures {
    /// A white picture as a PNG file's bytes.
    package static func png(width: Int = 4, height: Int = 4) throws -> [UInt8] {
        Array(try PixelBuffer(size: PixelSize(width: width, height: height), filledWith: .white).pngData())
    }

    /// Settings that keep the cache in a test's own folder and try everything once.
    package static func library(in place: TemporaryFolder) -> LibrarySettings {
        var settings = LibrarySettings()
        settings.environment = ["ALCEDO_CACHE_DIR": place / "cache"]
        settings[.retries] = 0
        return settings
    }

    /// A disk cache with entries of so many bytes, each named after its size, with a secret in its address.
    package static func disk(in place: TemporaryFolder, sizes: [Int]) async throws -> DiskStorage {
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
}
