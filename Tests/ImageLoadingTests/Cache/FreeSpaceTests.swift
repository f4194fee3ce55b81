import TestSupport
import Testing

@testable import DiskCache
@testable import HTTPDownload
@testable import ImageCodecs
@testable import ImageLoading

struct FreeSpaceTests {
    @Test func aFolderHasSome() throws {
        let place = try TemporaryFolder()
        #expect(try #require(FreeSpace.bytes(at: place.path)) > 0)
    }

    @Test func whatIsNotThereHasNone() { #expect(FreeSpace.bytes(at: "/nowhere/at/all") == nil) }
}
